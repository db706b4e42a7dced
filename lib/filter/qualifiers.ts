/**
 * All qualifiers, in one table: it makes the parser, the predicate, the SQL, the help and the completion, so that they
 * cannot disagree. A new qualifier is a line here.
 */
import { KINDS } from '../core/event.ts';
import { toJson } from '../core/message.ts';
import { type FrameFacts, MARKS, type SessionFacts } from './facts.ts';

/**
 * How a value is written and compared. `word`: one of `words`. `mark`: a word that is a bit of `marks`. `text`: the whole
 * value, case does not count. `session`: an id, the start of one, or the part after its dash. `exit`: a number or a
 * signal's name. `frame`: a number, also as `f17`.
 */
export type QualifierType =
  | 'word'
  | 'mark'
  | 'text'
  | 'session'
  | 'exit'
  | 'frame'
  | 'number'
  | 'duration'
  | 'size'
  | 'time';

/** What a frame or session has for a qualifier; undefined and null: nothing. */
export type Value = undefined | null | string | number | readonly (string | number)[];

interface Shape {
  name: string;
  type: QualifierType;
  /** All that the value can be, where that is known. */
  words: readonly string[] | null;
  help: string;
  example: string;
  /** The column of the index that has the value as it is; null where there is none. */
  column: string | null;
}

export type Qualifier = Shape &
  ({ of: 'frame'; get(frame: FrameFacts): Value } | { of: 'session'; get(session: SessionFacts): Value });

const FROM = ['client', 'agent', 'stderr', 'proc'];
const ENVELOPES = ['request', 'response', 'error', 'notification', 'none'];
const DECISIONS = ['allow', 'allow-always', 'deny', 'cancelled', 'none', 'unasked'];
const DECIDERS = ['client', 'client-error', 'invalid', 'grant', 'agent', 'nobody'];
const STATES = ['running', 'ended', 'killed', 'incomplete'];
const SOURCES = ['record', 'import', 'replay'];
/** Those of lib/dialects, which this layer may not import; a test compares them. */
const DIALECT_NAMES = [
  ...['wire', 'wire-legacy', 'stream-json', 'qwen-rfc', 'kimi-print', 'kimi-code', 'acp', 'mcp', 'jsonrpc', 'lines'],
];
const SIGNALS = [
  ...['sighup', 'sigint', 'sigquit', 'sigill', 'sigtrap', 'sigabrt', 'sigbus', 'sigfpe', 'sigkill', 'sigusr1'],
  ...['sigsegv', 'sigusr2', 'sigpipe', 'sigalrm', 'sigterm', 'sigstkflt', 'sigchld', 'sigcont', 'sigstop', 'sigtstp'],
  ...['sigttin', 'sigttou', 'sigurg', 'sigxcpu', 'sigxfsz', 'sigvtalrm', 'sigprof', 'sigwinch', 'sigio', 'sigpwr'],
  ...['sigsys', 'sigemt', 'siginfo', 'sigbreak'],
];

const words = (of: 'is' | 'has') => MARKS.filter((mark) => mark.of === of).map(({ word }) => word);
const marksOf = (of: 'is' | 'has') => (frame: FrameFacts) =>
  MARKS.filter((mark) => mark.of === of && (frame.marks & mark.bit) !== 0).map(({ word }) => word);

export const QUALIFIERS = [
  frame('from', 'word', 'who said it', 'from:agent', (x) => x.from, FROM),
  frame('envelope', 'word', 'what it is to the protocol', 'envelope:request', (x) => x.envelope, ENVELOPES),
  frame('kind', 'word', 'what it means', 'kind:approval', (x) => x.kinds, KINDS, 'kinds'),
  frame('is', 'mark', 'what is odd about it', 'is:pending', marksOf('is'), words('is'), 'marks'),
  frame('has', 'mark', 'what it carries', 'has:diff', marksOf('has'), words('has'), 'marks'),
  frame('method', 'text', 'method of the request, also of its answer', 'method:session/*', (x) => x.method),
  frame('type', 'text', 'type of the message or event', 'type:ContentPart', (x) => x.type),
  frame('id', 'text', 'id of the request, as text', 'id:7', (x) => textOfId(x.id)),
  frame('tool', 'text', 'name of the tool', 'tool:Shell,Bash', (x) => x.tool),
  frame('turn', 'number', 'number of the turn', 'turn:2..4', (x) => x.turn),
  frame('step', 'number', 'number of the step in its turn', 'step:1', (x) => x.step),
  frame('subagent', 'text', 'id of the agent that an agent started', 'subagent:*', (x) => x.subagent),
  frame('f', 'frame', 'number of the frame', 'f:f17', (x) => x.f),
  frame('t', 'duration', 'time since the session started', 't:10s..1m', (x) => x.t),
  frame('at', 'time', 'date and time, UTC', 'at:2026-11-16T02:29', (x) => x.at, null, null),
  frame('size', 'size', 'bytes of the line', 'size:1mb..*', (x) => x.size),
  frame('latency', 'duration', 'time from request to answer', 'latency:120s..*', (x) => x.latency),
  frame('wait', 'duration', 'time that an approval waited', 'wait:60s..*', (x) => x.wait),
  frame('gap', 'duration', 'time since the frame before', 'gap:5s..*', (x) => x.gap),
  frame('code', 'number', 'code of the error', 'code:-32099..-32000', (x) => x.code),
  frame('status', 'text', 'how the turn or the call ended', 'status:finished', (x) => x.status),
  frame('approval', 'word', 'what was decided', 'approval:unasked', (x) => x.approval, DECISIONS),
  frame('by', 'word', 'who decided', 'by:grant', (x) => x.by, DECIDERS),
  session('session', 'session', 'id, its start, or the part after the dash', 'session:k3f9', (x) => x.session),
  session('dialect', 'word', 'protocol spoken', 'dialect:wire,acp', (x) => x.dialect, DIALECT_NAMES),
  session('client', 'text', 'who started the agent', 'client:zed*', (x) => x.client),
  session('agent', 'text', 'name of the agent', 'agent:kimi*', (x) => x.agent),
  session('version', 'text', 'of the protocol or of the agent', 'version:1.1*', versionsOf, null, null),
  session('name', 'text', 'name given with record or tag', 'name:nightly', (x) => x.name),
  session('tag', 'text', 'tag, with or without its value', 'tag:ticket=42', tagsOf, null, null),
  session('state', 'word', 'how the recording stands', 'state:running', (x) => x.state, STATES),
  session('exit', 'exit', "the agent's exit code, or the signal that ended it", 'exit:1..*', exitOf, SIGNALS, null),
  session('source', 'word', 'where the session came from', 'source:import', (x) => x.source, SOURCES),
  session('cwd', 'text', 'folder in which the agent ran', 'cwd:*/shop', (x) => x.cwd),
] as const satisfies readonly Qualifier[];

export type QualifierName = (typeof QUALIFIERS)[number]['name'];

const byName = new Map<string, Qualifier>(QUALIFIERS.map((qualifier) => [qualifier.name, qualifier]));

/** By its name in whatever case. */
export function qualifierOf(name: string): Qualifier | undefined {
  return byName.get(name.toLowerCase());
}

function frame<const N extends string>(
  name: N,
  type: QualifierType,
  help: string,
  example: string,
  get: (frame: FrameFacts) => Value,
  words: readonly string[] | null = null,
  column: string | null = name,
) {
  return { name, of: 'frame' as const, type, help, example, get, words, column };
}

function session<const N extends string>(
  name: N,
  type: QualifierType,
  help: string,
  example: string,
  get: (session: SessionFacts) => Value,
  words: readonly string[] | null = null,
  column: string | null = name,
) {
  return { name, of: 'session' as const, type, help, example, get, words, column };
}

function textOfId(id: unknown): Value {
  if (typeof id === 'string' || typeof id === 'number') return id;
  if (typeof id === 'bigint') return String(id);
  return id === null || id === undefined ? null : toJson(id);
}

function versionsOf({ protocol, agent_version }: SessionFacts): Value {
  return [protocol, agent_version].filter((version) => version !== null);
}

/** Each tag twice: its key alone, and `key=value`. */
function tagsOf({ tags }: SessionFacts): Value {
  return Object.entries(tags).flatMap(([key, value]) => [key, `${key}=${value}`]);
}

function exitOf({ exit }: SessionFacts): Value {
  return exit && [exit.code, exit.signal].filter((one) => one !== null);
}
