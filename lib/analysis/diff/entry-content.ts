/**
 * What a diff compares of an entry of the timeline: its own values in neutral words, and which entries are inside it.
 * Frame numbers and times are not part of it.
 */

import type { Block, ClientQuestion } from '../../model/event.ts';
import type { Ask } from '../../model/ledger/records.ts';
import { parseJson } from '../../model/message.ts';
import { choiceOf } from '../../model/question-choice.ts';
import type { Entry, Item, Step, Turn } from '../../model/timeline/entries.ts';
import { itemOf } from '../../model/timeline/item.ts';
import { withoutTimestamps } from './counts.ts';
import type { EntryKind } from './result.ts';
import type { MaskMode } from './volatile-mask.ts';

export type ContentFields = Record<string, unknown>;

export interface EntryContent {
  kind: EntryKind;
  /** What distinguishes it from others of its kind: the tool, the mode, the method. */
  name: string | null;
  /** Absent values are left out, so that a key is there on both sides or differs. */
  fields: ContentFields;
  /** Values that differ from run to run. */
  volatile: ContentFields;
  /** It is recognised by these of its fields. */
  keys: readonly string[];
  inside: Entry[];
  /** The client ended the turn, or the process did. The cancel is an entry of its own. */
  isCut?: boolean;
}

/** What the lines of an item say that neutral words do not. */
export interface RawContent {
  request?: unknown;
  answer?: unknown;
  volatile?: ContentFields;
}

/** Flags that only say that something came twice, early or in the background. */
export const IGNORED_FLAGS: ReadonlySet<string> = new Set([
  'resent',
  'before-call',
  'background',
  'replayed',
  'answered-again',
  'duplicate-answer',
]);

/** Requests to the client. */
export const REQUEST_KINDS: ReadonlySet<EntryKind> = new Set<EntryKind>([
  'approval',
  'question',
  'hook',
  'client-call',
]);

/** Where programs speak, not people or models. */
const OUTPUT_FIELDS = new Set(['result', 'answer', 'reason', 'request']);
const OUTPUT_KINDS = new Set<EntryKind>([
  ...(['log', 'noise', 'notice', 'error', 'other', 'status', 'step-retry', 'process', 'stderr'] as const),
]);

export function maskModeOf(kind: EntryKind, field: string): MaskMode {
  return OUTPUT_FIELDS.has(field) || OUTPUT_KINDS.has(kind) ? 'output' : 'plain';
}

/** `asked`: the prompt on the command line. */
export function contentOf(
  entry: Entry,
  rawOf: (item: Item) => RawContent | undefined,
  commandLinePrompt: string | null,
): EntryContent {
  if (entry.is === 'turn') return turnContent(entry, commandLinePrompt);
  if (isNeverTakenUp(entry)) return neverTakenUpContent(entry as Item);
  if (entry.is === 'step') return stepContent(entry);
  if (entry.call) return callContent(entry);
  if (entry.ask) return askContent(entry);
  return itemContent(entry, rawOf(entry));
}

function turnContent(turn: Turn, commandLinePrompt: string | null): EntryContent {
  const { status, code, cancelled_f, prompt, prompt_f, usage } = turn;
  const fields = withoutEmpty({
    prompt: prompt ? promptIn(prompt) : prompt_f === 0 ? commandLinePrompt : null,
    status: status === null ? 'unfinished' : status,
    code,
    error: prompt?.answer && !prompt.answer.ok ? prompt.answer.text : null,
    flags: prompt ? flagsOf(prompt) : null,
  });
  const isCut = cancelled_f !== null || CUT_STATUS.test(fields.status as string);
  return { kind: 'turn', name: null, fields, volatile: { usage }, keys: ['prompt'], inside: turn.entries, isCut };
}

const CUT_STATUS = /cancel|interrupt|abort|unanswered|unfinished/;

/** A prompt that the agent never took up. */
function isNeverTakenUp(entry: Entry): boolean {
  return entry.is === 'item' && entry.kind === 'prompt' && entry.turn === null && entry.entries.length === 0;
}

/** Like a turn in which nothing happened, so that it can be paired with one. */
function neverTakenUpContent(prompt: Item): EntryContent {
  const { answer } = prompt;
  const fields = withoutEmpty({
    prompt: promptIn(prompt),
    status: answer ? (answer.status ?? (answer.ok ? 'answered at once' : 'error')) : 'not started',
    code: answer?.code ?? null,
    error: answer && !answer.ok ? answer.text : null,
    flags: flagsOf(prompt),
  });
  return { kind: 'turn', name: null, fields, volatile: {}, keys: ['prompt'], inside: [] };
}

/** How many steps came before it depends on what the diff finds. */
function stepContent({ state, usage, entries }: Step): EntryContent {
  const fields = withoutEmpty({ state: state === 'interrupted' ? state : null });
  return { kind: 'step', name: null, fields, volatile: { usage }, keys: [], inside: entries };
}

function callContent(item: Item): EntryContent {
  const { call, blocks, entries } = item;
  const { tool, args, result, state, id, asks } = call!;
  const volatile = withoutEmpty({ id });
  const fields = withoutEmpty({
    tool,
    arguments: withoutTimestamps(argumentsOf(args), volatile, '/arguments'),
    shown: blocksOf(blocks.filter(({ type }) => type !== 'text')),
    result: result
      ? withoutEmpty({
          status: result.ok ? 'ok' : 'error',
          output: outputOf(result.blocks),
          displays: blocksOf(result.displays),
        })
      : withoutEmpty({ status: state === 'running' ? 'none' : state }),
    flags: flagsOf(item),
  });
  const askItems = asks.flatMap((ask) => itemOf(ask) ?? []).filter((one) => !entries.includes(one));
  const inside = askItems.length > 0 ? [...askItems, ...entries] : entries;
  return { kind: 'tool-call', name: tool, fields, volatile, keys: ['tool', 'arguments'], inside };
}

/** What it is about stays on top, what was answered below. */
function askContent(item: Item): EntryContent {
  const ask = item.ask!;
  const { answer, kind } = item;
  const { action, description, options, questions, decision, feedback, answers, edited, target } = ask;
  const tool = toolOf(ask);
  const failed = answer && !answer.ok ? withoutEmpty({ error: answer.text, code: answer.code }) : null;
  const fields = withoutEmpty({
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
    answer: failed ?? (kind === 'client-call' || kind === 'hook' ? textOrNull(answer?.text) : null),
    status: answer?.status ?? null,
    unanswered: !answer && !decision && kind !== 'hook' ? true : null,
    flags: flagsOf(item),
  });
  const keys = ['tool', 'action', 'target', 'description', 'arguments', 'questions'];
  const name = kind === 'hook' ? `${action ?? ''} ${target ?? ''}`.trim() : (action ?? tool);
  return { kind, name, fields, volatile: withoutEmpty({ request: ask.request }), keys, inside: item.entries };
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

function itemContent(item: Item, raw: RawContent | undefined): EntryContent {
  const { kind, name, text, blocks, code, answer, entries, longer } = item;
  const isText = kind === 'text' || kind === 'thinking' || kind === 'steer' || kind === 'prompt';
  if (raw) {
    const fields = withoutEmpty({
      name,
      request: raw.request ?? null,
      answer: raw.answer ?? null,
      flags: flagsOf(item),
    });
    return { kind, name, fields, volatile: raw.volatile ?? {}, keys: ['name', 'request'], inside: entries };
  }
  // The id of a request.
  const isId = kind === 'cancel';
  const fields = withoutEmpty({
    name: isText || isId ? null : name,
    code,
    text: textOrNull(text),
    blocks: blocksOf(isText || text !== '' ? blocks.filter(({ type }) => type !== 'text') : blocks),
    longer: longer > 0 ? longer : null,
    answer: answer
      ? withoutEmpty({
          status: answer.status ?? (answer.ok ? 'ok' : 'error'),
          code: answer.code,
          text: textOrNull(answer.text),
        })
      : null,
    flags: flagsOf(item),
  });
  const volatile = isId ? withoutEmpty({ name }) : {};
  const keys = isText ? ['text', 'blocks'] : ['name', 'text'];
  return { kind, name: isId ? null : name, fields, volatile, keys, inside: entries };
}

/** The text alone, if there is nothing else. */
function promptIn({ text, blocks }: Item): unknown {
  const others = blocksOf(blocks.filter(({ type }) => type !== 'text'));
  return others === null ? text : { text, blocks: others };
}

const textOrNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

function argumentsOf(args: string | null): unknown {
  if (args === null) return '(too long)';
  if (args.trim() === '') return null;
  const value = args.length > MAX_PARSED_ARGS_CHARS ? undefined : parseJson(args);
  return value === undefined ? args : value;
}

/** Longer arguments are compared as text. */
const MAX_PARSED_ARGS_CHARS = 1 << 20;

/** One text, if that is all. Chunks of a result are no difference. */
function outputOf(blocks: Block[]): unknown {
  if (blocks.length === 0) return null;
  if (!blocks.every(({ type }) => type === 'text')) return blocksOf(joinTexts(blocks));
  return blocks.map((block) => (block as { text: string }).text).join('');
}

function joinTexts(blocks: Block[]): Block[] {
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
  const counted = flags.filter((flag) => !IGNORED_FLAGS.has(flag)).sort();
  return counted.length === 0 ? null : counted;
}

/** In the order of the questions, because the keys of an answer may be ids. */
function answersOf(questions: readonly ClientQuestion[], answers: unknown): unknown {
  const choices = questions.map((question) => choiceOf(question, answers));
  if (choices.some((choice) => choice !== null)) return choices;
  return typeof answers === 'object' && answers !== null && Object.keys(answers).length === 0 ? null : answers;
}

/** Without what is null or undefined. */
function withoutEmpty(fields: ContentFields): ContentFields {
  const out: ContentFields = {};
  for (const key in fields) if (fields[key] !== null && fields[key] !== undefined) out[key] = fields[key];
  return out;
}
