/** Timelines of tapes and of lines, and as text that a person can compare. */
import { fileURLToPath } from 'node:url';
import { DialectDetector } from '../../lib/dialects/detect.ts';
import type { Dialect } from '../../lib/dialects/dialect.ts';
import type { Frame } from '../../lib/model/frame.ts';
import type { DecodedFrame } from '../../lib/model/read-frame.ts';
import { TimelineBuilder, type Where } from '../../lib/model/timeline/builder.ts';
import type { Entry, Item, Step, Timeline, Turn } from '../../lib/model/timeline/entries.ts';
import { itemOf } from '../../lib/model/timeline/item.ts';
import { SessionReader } from '../../lib/session/reader.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';
import { framesOf, type Said } from './reading.ts';
import { sharedTapesFolder } from './shared-folder.ts';

export const fixtures = fileURLToPath(new URL('../fixtures/tapes/', import.meta.url));
/** All tapes there are, where they are at hand; else null. */
export const shared = sharedTapesFolder;

export interface Built {
  dialect: string;
  timeline: Timeline;
  readings: DecodedFrame[];
  wheres: Where[];
}

export function buildTape(path: string): Built {
  const { command, frames } = readLineLog(path);
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  return build(detector.best.dialect, frames, command);
}

/** A tape of test/fixtures/tapes, as `acp/kimi-allow`. */
export const buildFixture = (name: string): Built => buildTape(`${fixtures}${name}.jsonl`);

export function build(dialect: Dialect, frames: Frame[], command: string[] = []): Built {
  const reader = new SessionReader(dialect, { command });
  const builder = new TimelineBuilder();
  const readings = frames.map((frame) => reader.read(frame));
  const wheres = readings.map((reading) => builder.take(reading));
  return { dialect: dialect.name, timeline: builder.timeline, readings, wheres };
}

/** Lines, a second apart. */
export const buildSaid = (dialect: Dialect, said: Said[]): Built => build(dialect, framesOf(said));

export function* everything(entries: Entry[]): Generator<Entry> {
  for (const entry of entries) {
    yield entry;
    if (entry.is === 'turn' && entry.prompt) yield entry.prompt;
    yield* everything(entry.entries);
  }
}

export const itemsOf = ({ timeline }: Built): Item[] =>
  [...everything(timeline.entries)].filter((entry) => entry.is === 'item');
export const stepsOf = (entries: Entry[]): Step[] => [...everything(entries)].filter((entry) => entry.is === 'step');
export const turnsOf = ({ timeline }: Built): Turn[] => timeline.entries.filter((entry) => entry.is === 'turn');
export const callsOf = (built: Built): Item[] => itemsOf(built).filter(({ call }) => call !== null);

export function callOf(built: Built, id: string): Item & { call: NonNullable<Item['call']> } {
  const found = callsOf(built).filter(({ call }) => call!.id === id);
  if (found.length !== 1) throw new Error(`${found.length} calls ${id}`);
  return found[0] as ReturnType<typeof callOf>;
}

/** The item that begins with this frame. */
export function itemAt(built: Built, f: number): Item {
  const found = itemsOf(built).filter((item) => item.f === f);
  if (found.length !== 1) throw new Error(`${found.length} items begin with f${f}`);
  return found[0]!;
}

/** A timeline as text: one line a turn, step or item. */
export function golden({ dialect, timeline }: Built): string {
  const { counts, usage, context, wait } = timeline;
  const sums = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  const tokens = `tokens ${Object.values(usage).join('/')}`;
  const level = context ? ` context ${context.used ?? '-'}/${context.size ?? '-'}` : '';
  const lines = [`${dialect}: ${sums.join(', ')}, wait ${ms(wait)}, ${tokens}${level}`];
  for (const [i, entry] of timeline.entries.entries()) {
    // History sent again is one line, however long.
    if (isReplayed(entry) && isReplayed(timeline.entries[i - 1])) continue;
    const end = timeline.entries.slice(i).findIndex((one) => !isReplayed(one));
    const last = timeline.entries[end < 0 ? timeline.entries.length - 1 : i + end - 1];
    if (isReplayed(entry)) lines.push(`f${entry.f}-${last!.f} replayed`);
    else lines.push(...linesOf(entry, ''));
  }
  return `${lines.join('\n')}\n`;
}

const isReplayed = (entry: Entry | undefined) => entry?.is === 'item' && entry.flags.includes('replayed');

function* linesOf(entry: Entry, indent: string): Generator<string> {
  yield `${indent}f${entry.f}${entry.f_end > entry.f ? `-${entry.f_end}` : ''} ${words(entry)}`.trimEnd();
  if (entry.is === 'turn' && entry.prompt) yield* linesOf(entry.prompt, `${indent}  `);
  for (const inner of entry.entries) yield* linesOf(inner, `${indent}  `);
}

function words(entry: Entry): string {
  if (entry.is === 'turn') {
    const { n, status, code, cancelled_f, usage, hidden, wait } = entry;
    const cancelled = cancelled_f === null ? '' : ` cancelled f${cancelled_f}`;
    const behind = hidden ? ` hidden ${Object.values(hidden).join('/')}` : '';
    return `TURN ${n} ${status}${code === null ? '' : ` ${code}`}${cancelled} wait ${ms(wait)} tokens ${Object.values(usage).join('/')}${behind}`;
  }
  if (entry.is === 'step') {
    const shown = entry.shown === null ? '' : ` (${entry.shown})`;
    return `STEP ${entry.n}${shown} ${entry.state} tokens ${Object.values(entry.usage).join('/')}`;
  }
  return itemWords(entry);
}

function itemWords(item: Item): string {
  const { kind, turn, step, call, ask, answer, flags, parts, name, subagent, text, code } = item;
  const out = [kind, `${turn ?? '-'}/${step ?? '-'}`];
  if (subagent !== null) out.push(`by ${subagent}`);
  if (name !== null) out.push(name);
  if (code !== null) out.push(`${code}`);
  if (parts > 1) out.push(`x${parts}`);
  if (call) {
    const status = call.result ? `${call.result.ok ? 'ok' : 'error'} f${call.result.f}` : call.state;
    out.push(`${call.tool} ${call.id} ${status} queue ${ms(call.queue)} wait ${ms(call.wait)} run ${ms(call.run)}`);
    if (call.asks.length > 0) out.push(`asked ${call.asks.map(({ f }) => `f${f}`).join(' ')}`);
  }
  if (ask) {
    const resolved = ask.resolved ? ` resolved f${ask.resolved.f} ${ask.resolved.decision}` : '';
    out.push(
      `${ask.tool} ${ask.call_id} ${ask.decision}${resolved} wait ${ms(ask.wait)}${ask.bound ? '' : ' unbound'}`,
    );
  }
  if (answer)
    out.push(`answer f${answer.f}${answer.ok ? '' : ` error ${answer.code}`} ${answer.status ?? ''}`.trimEnd());
  if (flags.length > 0) out.push(`[${flags.join(' ')}]`);
  const said = call ? (call.args ?? '') : text;
  if (said !== '') out.push(JSON.stringify([...said].slice(0, 60).join('')));
  return out.join(' ');
}

const ms = (seconds: number | null) => (seconds === null ? '-' : seconds.toFixed(3));

/** The items of what held up a call. */
export const askItems = ({ call }: Item): Item[] => call!.asks.map((ask) => itemOf(ask)!);
