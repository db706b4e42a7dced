/**
 * All qualifiers. The parser, the predicate, the SQL, the help and the completion use this list, so they cannot disagree.
 * Qualifiers of frames come from the table of facts; a new one is a line there.
 */
import { DIALECT_NAMES } from '../../dialects/names.ts';
import type { Id } from '../../model/id.ts';
import { failureOf } from '../../model/session-state.ts';
import { MARKS } from '../facts/marks.ts';
import { FACT_LIST, type FactName, type FactQuery, type QueryableFact, type QueryType } from '../facts/table.ts';
import type { FrameFacts, SessionFacts } from './facts.ts';

/** The value of a qualifier; undefined and null mean none. */
export type QualifierValue = undefined | null | string | number | readonly (string | number)[];

export type Qualifier = FactQuery & {
  name: QualifierName;
} /** `reads`: the only fact that it needs; `at` needs the start of the session too. */ & (
    | { of: 'frame'; reads: FactName; get(frame: FrameFacts): QualifierValue }
    | { of: 'session'; get(session: SessionFacts): QualifierValue }
  );

const STATES = ['running', 'ended', 'killed', 'incomplete'];
const SOURCES = ['record', 'import', 'replay'];
const SIGNALS = [
  ...['sighup', 'sigint', 'sigquit', 'sigill', 'sigtrap', 'sigabrt', 'sigbus', 'sigfpe', 'sigkill', 'sigusr1'],
  ...['sigsegv', 'sigusr2', 'sigpipe', 'sigalrm', 'sigterm', 'sigstkflt', 'sigchld', 'sigcont', 'sigstop', 'sigtstp'],
  ...['sigttin', 'sigttou', 'sigurg', 'sigxcpu', 'sigxfsz', 'sigvtalrm', 'sigprof', 'sigwinch', 'sigio', 'sigpwr'],
  ...['sigsys', 'sigemt', 'siginfo', 'sigbreak'],
];

const words = (of: 'is' | 'has') => MARKS.filter((mark) => mark.of === of).map(({ word }) => word);
const marksOf = (of: 'is' | 'has') => (frame: FrameFacts) =>
  MARKS.filter((mark) => mark.of === of && (frame.marks & mark.bit) !== 0).map(({ word }) => word);

/** Facts that queries see in another form. */
const DERIVED_VALUES: Partial<Record<QueryableFact, { reads: FactName; get(frame: FrameFacts): QualifierValue }>> = {
  kind: { reads: 'kinds', get: ({ kinds }) => kinds },
  id: { reads: 'id', get: ({ id }) => textOfId(id) },
};

const FACT_QUALIFIERS = FACT_LIST.flatMap(([name, { query }]) => {
  if (!query) return [];
  const queryName = name as QueryableFact;
  const read = DERIVED_VALUES[queryName] ?? {
    reads: queryName,
    get: (frame: FrameFacts) => frame[queryName] as QualifierValue,
  };
  return [{ name: queryName, of: 'frame' as const, ...query, ...read }];
});

/** Makes qualifiers of frames, or of sessions. */
function qualifiersOf<F, const O extends Qualifier['of']>(of: O) {
  type GetValue = (facts: F) => QualifierValue;
  return <const N extends string>(
    name: N,
    type: QueryType,
    help: string,
    example: string,
    get: GetValue,
    words?: WordList,
  ) => {
    return { name, of, type, help, example, get, words: words ?? null };
  };
}

type WordList = readonly string[];
const frame = qualifiersOf<FrameFacts, 'frame'>('frame');
const session = qualifiersOf<SessionFacts, 'session'>('session');

/** Qualifiers of frames that are not in the table of facts. */
const DERIVED_QUALIFIERS = [
  {
    reads: 'marks',
    ...frame('is', 'mark', 'a property of the frame, see below', 'is:pending', marksOf('is'), words('is')),
  },
  {
    reads: 'marks',
    ...frame('has', 'mark', 'content of the frame, see below', 'has:diff', marksOf('has'), words('has')),
  },
  { reads: 't', ...frame('at', 'time', 'date and time, UTC', 'at:2026-11-16T02:29', (x) => x.at) },
] as const;

const SESSION_QUALIFIERS = [
  session('session', 'session', 'id, a prefix of it, or the part after the dash', 'session:k3f9', (x) => x.session),
  session('dialect', 'word', 'protocol', 'dialect:wire,acp', (x) => x.dialect, DIALECT_NAMES),
  session('client', 'text', 'client that started the agent', 'client:zed*', (x) => x.client),
  session('agent', 'text', 'name of the agent', 'agent:kimi*', (x) => x.agent),
  session('version', 'text', 'version of the protocol or the agent', 'version:1.1*', versionsOf),
  session('name', 'text', 'name set with record or tag', 'name:nightly', (x) => x.name),
  session('tag', 'text', 'tag, with or without its value', 'tag:ticket=42', tagsOf),
  session('state', 'state', 'state, or how the agent failed, as in ls', 'state:running', statesOf, STATES),
  session('exit', 'exit', "the agent's exit code or signal", 'exit:1..*', exitOf, SIGNALS),
  session('source', 'word', 'origin of the session', 'source:import', (x) => x.source, SOURCES),
  session('cwd', 'text', 'working directory of the agent', 'cwd:*/shop', (x) => x.cwd),
] as const;

export type QualifierName =
  | QueryableFact
  | (typeof DERIVED_QUALIFIERS)[number]['name']
  | (typeof SESSION_QUALIFIERS)[number]['name'];

/** The order in help and completion; new facts come last. */
const QUALIFIER_ORDER: readonly QualifierName[] = [
  ...(['from', 'envelope', 'kind', 'is', 'has', 'method', 'type', 'id', 'tool', 'turn', 'step', 'subagent'] as const),
  ...(['f', 't', 'at', 'size', 'latency', 'wait', 'gap', 'code', 'status', 'approval', 'by'] as const),
  ...(['mode', 'ran', 'flag'] as const),
];

const orderOf = ({ name }: Qualifier) =>
  QUALIFIER_ORDER.includes(name) ? QUALIFIER_ORDER.indexOf(name) : QUALIFIER_ORDER.length;

export const QUALIFIERS: readonly Qualifier[] = [
  ...[...FACT_QUALIFIERS, ...DERIVED_QUALIFIERS].sort((a, b) => orderOf(a) - orderOf(b)),
  ...SESSION_QUALIFIERS,
];

const byName = new Map<string, Qualifier>(QUALIFIERS.map((qualifier) => [qualifier.name, qualifier]));

/** Finds a qualifier by name, ignoring case. */
export function qualifierOf(name: string): Qualifier | undefined {
  return byName.get(name.toLowerCase());
}

function textOfId(id: Id): QualifierValue {
  return typeof id === 'bigint' ? String(id) : id;
}

function versionsOf({ protocol, agent_version }: SessionFacts): QualifierValue {
  return [protocol, agent_version].filter((version) => version !== null);
}

/** Each tag twice: as its key and as `key=value`. */
function tagsOf({ tags }: SessionFacts): QualifierValue {
  return Object.entries(tags).flatMap(([key, value]) => [key, `${key}=${value}`]);
}

/** As `ls` shows it, too: an agent that failed has ended. */
function statesOf(session: SessionFacts): QualifierValue {
  const how = failureOf(session);
  return how === null ? session.state : [session.state, how];
}

function exitOf({ exit }: SessionFacts): QualifierValue {
  return exit && [exit.code, exit.signal].filter((one) => one !== null);
}
