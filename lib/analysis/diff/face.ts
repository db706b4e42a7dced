/**
 * What a diff compares of an entry of the timeline: its own values in neutral words, and which entries are inside it.
 * Frame numbers and times are not part of it.
 */
import { choiceOf } from '../../model/choice.ts';
import type { Block, Question } from '../../model/event.ts';
import type { Ask } from '../../model/ledger/records.ts';
import { parseJson } from '../../model/message.ts';
import { itemOf } from '../../model/timeline/item.ts';
import type { Entry, Item, Step, Turn } from '../../model/timeline/shape.ts';
import { withoutMoments } from './counts.ts';
import type { Voice } from './mask.ts';
import type { EntryKind } from './result.ts';

export type Fields = Record<string, unknown>;

export interface Face {
  kind: EntryKind;
  /** What distinguishes it from others of its kind: the tool, the mode, the method. */
  name: string | null;
  /** Absent values are left out, so that a key is there on both sides or differs. */
  fields: Fields;
  /** Values that differ from run to run. */
  volatile: Fields;
  /** It is recognised by these of its fields. */
  keys: readonly string[];
  inside: Entry[];
  /** The client ended the turn, or the process did. The cancel is an entry of its own. */
  isCut?: boolean;
}

/** What the lines of an item say that neutral words do not. */
export interface RawItem {
  request?: unknown;
  answer?: unknown;
  volatile?: Fields;
}

/** Flags that only say that something came twice, early or in the background. */
export const UNTOLD: ReadonlySet<string> = new Set([
  'resent',
  'before-call',
  'background',
  'replayed',
  'answered-again',
  'duplicate-answer',
]);

/** Requests to the client. */
export const ASKS: ReadonlySet<EntryKind> = new Set<EntryKind>(['approval', 'question', 'hook', 'client-call']);

/** Where programs speak, not people or models. */
const OUTPUTS = new Set(['result', 'answer', 'reason', 'request']);
const REPORTS = new Set<EntryKind>([
  ...(['log', 'noise', 'notice', 'error', 'other', 'status', 'step-retry', 'process', 'stderr'] as const),
]);

export function voiceOf(kind: EntryKind, field: string): Voice {
  return OUTPUTS.has(field) || REPORTS.has(kind) ? 'output' : 'plain';
}

/** `asked`: the prompt on the command line. */
export function faceOf(entry: Entry, rawOf: (item: Item) => RawItem | undefined, asked: string | null): Face {
  if (entry.is === 'turn') return turnFace(entry, asked);
  if (isUntaken(entry)) return untakenFace(entry as Item);
  if (entry.is === 'step') return stepFace(entry);
  if (entry.call) return callFace(entry);
  if (entry.ask) return askFace(entry);
  return itemFace(entry, rawOf(entry));
}

function turnFace(turn: Turn, asked: string | null): Face {
  const { status, code, cancelled_f, prompt, prompt_f, usage } = turn;
  const fields = given({
    prompt: prompt ? saidIn(prompt) : prompt_f === 0 ? asked : null,
    status: status === null ? 'unfinished' : status,
    code,
    error: prompt?.answer && !prompt.answer.ok ? prompt.answer.text : null,
    flags: prompt ? flagsOf(prompt) : null,
  });
  const isCut = cancelled_f !== null || CUT.test(fields.status as string);
  return { kind: 'turn', name: null, fields, volatile: { usage }, keys: ['prompt'], inside: turn.entries, isCut };
}

const CUT = /cancel|interrupt|abort|unanswered|unfinished/;

/** A prompt that the agent never took up. */
function isUntaken(entry: Entry): boolean {
  return entry.is === 'item' && entry.kind === 'prompt' && entry.turn === null && entry.entries.length === 0;
}

/** Like a turn in which nothing happened, so that it can be paired with one. */
function untakenFace(prompt: Item): Face {
  const { answer } = prompt;
  const fields = given({
    prompt: saidIn(prompt),
    status: answer ? (answer.status ?? (answer.ok ? 'answered at once' : 'error')) : 'not started',
    code: answer?.code ?? null,
    error: answer && !answer.ok ? answer.text : null,
    flags: flagsOf(prompt),
  });
  return { kind: 'turn', name: null, fields, volatile: {}, keys: ['prompt'], inside: [] };
}

/** How many steps came before it depends on what the diff finds. */
function stepFace({ state, usage, entries }: Step): Face {
  const fields = given({ state: state === 'interrupted' ? state : null });
  return { kind: 'step', name: null, fields, volatile: { usage }, keys: [], inside: entries };
}

function callFace(item: Item): Face {
  const { call, blocks, entries } = item;
  const { tool, args, result, state, id, asks } = call!;
  const volatile = given({ id });
  const fields = given({
    tool,
    arguments: withoutMoments(argumentsOf(args), volatile, '/arguments'),
    shown: blocksOf(blocks.filter(({ type }) => type !== 'text')),
    result: result
      ? given({
          status: result.ok ? 'ok' : 'error',
          output: outputOf(result.blocks),
          displays: blocksOf(result.displays),
        })
      : given({ status: state === 'running' ? 'none' : state }),
    flags: flagsOf(item),
  });
  const asked = asks.flatMap((ask) => itemOf(ask) ?? []).filter((one) => !entries.includes(one));
  const inside = asked.length > 0 ? [...asked, ...entries] : entries;
  return { kind: 'tool-call', name: tool, fields, volatile, keys: ['tool', 'arguments'], inside };
}

/** What it is about stays on top, what was answered below. */
function askFace(item: Item): Face {
  const ask = item.ask!;
  const { answer, kind } = item;
  const { action, description, options, questions, decision, feedback, answers, edited, target } = ask;
  const tool = toolOf(ask);
  const failed = answer && !answer.ok ? given({ error: answer.text, code: answer.code }) : null;
  const fields = given({
    tool,
    action,
    target,
    description,
    arguments: ask.bound && kind === 'approval' ? null : ask.arguments,
    questions: questions.length > 0 ? questions.map(({ id: _, ...question }) => question) : null,
    options: options.length > 0 ? options.map((one) => one.label ?? one.decision ?? one.id) : null,
    displays: blocksOf(ask.displays),
    decision: decision ?? (kind === 'approval' ? unanswered(item) : null),
    feedback,
    answers: answersOf(questions, answers),
    edited: edited ?? null,
    resolved: resolvedAs(ask),
    answer: failed ?? (kind === 'client-call' || kind === 'hook' ? said(answer?.text) : null),
    status: answer?.status ?? null,
    unanswered: !answer && !decision && kind !== 'hook' ? true : null,
    flags: flagsOf(item),
  });
  const keys = ['tool', 'action', 'target', 'description', 'arguments', 'questions'];
  const name = kind === 'hook' ? `${action ?? ''} ${target ?? ''}`.trim() : (action ?? tool);
  return { kind, name, fields, volatile: given({ request: ask.request }), keys, inside: item.entries };
}

/** Some agents name the tool only after they asked about it. */
const toolOf = ({ bound, call, tool }: Ask): string | null => (tool !== null && bound ? call?.tool : null) ?? tool;

/** A valid answer that came too late decides nothing. */
function unanswered({ answer, ask }: Item): string {
  if (!answer) return 'none';
  return ask!.first === null ? 'late' : answer.ok ? 'invalid' : 'error';
}

/** Only where the agent took the answer for something else. */
function resolvedAs({ resolved, decision }: Ask): string | null {
  return resolved?.decision && resolved.decision !== decision ? resolved.decision : null;
}

function itemFace(item: Item, raw: RawItem | undefined): Face {
  const { kind, name, text, blocks, code, answer, entries, longer } = item;
  const isSaid = kind === 'text' || kind === 'thinking' || kind === 'steer' || kind === 'prompt';
  if (raw) {
    const fields = given({ name, request: raw.request ?? null, answer: raw.answer ?? null, flags: flagsOf(item) });
    return { kind, name, fields, volatile: raw.volatile ?? {}, keys: ['name', 'request'], inside: entries };
  }
  // The id of a request.
  const isId = kind === 'cancel';
  const fields = given({
    name: isSaid || isId ? null : name,
    code,
    text: said(text),
    blocks: blocksOf(isSaid || text !== '' ? blocks.filter(({ type }) => type !== 'text') : blocks),
    longer: longer > 0 ? longer : null,
    answer: answer
      ? given({ status: answer.status ?? (answer.ok ? 'ok' : 'error'), code: answer.code, text: said(answer.text) })
      : null,
    flags: flagsOf(item),
  });
  const volatile = isId ? given({ name }) : {};
  const keys = isSaid ? ['text', 'blocks'] : ['name', 'text'];
  return { kind, name: isId ? null : name, fields, volatile, keys, inside: entries };
}

/** The text alone, if there is nothing else. */
function saidIn({ text, blocks }: Item): unknown {
  const others = blocksOf(blocks.filter(({ type }) => type !== 'text'));
  return others === null ? text : { text, blocks: others };
}

const said = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

function argumentsOf(args: string | null): unknown {
  if (args === null) return '(too long)';
  if (args.trim() === '') return null;
  const value = args.length > LONGEST ? undefined : parseJson(args);
  return value === undefined ? args : value;
}

/** Longer arguments are compared as text. */
const LONGEST = 1 << 20;

/** One text, if that is all. Chunks of a result are no difference. */
function outputOf(blocks: Block[]): unknown {
  if (blocks.length === 0) return null;
  if (!blocks.every(({ type }) => type === 'text')) return blocksOf(joined(blocks));
  return blocks.map((block) => (block as { text: string }).text).join('');
}

function joined(blocks: Block[]): Block[] {
  const out: Block[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (block.type === 'text' && last?.type === 'text')
      out[out.length - 1] = { type: 'text', text: last.text + block.text };
    else out.push(block);
  }
  return out;
}

/** Without the lines at which a change is: they follow from the file, and not every version tells them. */
function blocksOf(blocks: Block[]): unknown {
  if (blocks.length === 0) return null;
  return blocks.map((block) => {
    if (block.type !== 'diff') return block;
    const { type, path, before, after } = block;
    return { type, path, before, after };
  });
}

function flagsOf({ flags }: Item): string[] | null {
  if (flags.length === 0) return null;
  const told = flags.filter((flag) => !UNTOLD.has(flag)).sort();
  return told.length === 0 ? null : told;
}

/** In the order of the questions, because the keys of an answer may be ids. */
function answersOf(questions: readonly Question[], answers: unknown): unknown {
  const choices = questions.map((question) => choiceOf(question, answers));
  if (choices.some((choice) => choice !== null)) return choices;
  return typeof answers === 'object' && answers !== null && Object.keys(answers).length === 0 ? null : answers;
}

/** Without what is null or undefined. */
function given(fields: Fields): Fields {
  const out: Fields = {};
  for (const key in fields) if (fields[key] !== null && fields[key] !== undefined) out[key] = fields[key];
  return out;
}
