/** A row in words: its name, what stands at its bar, and a sentence for those who do not see the bar. */
import { humanSeconds } from '../../../model/text/text.ts';
import { ROW_MARK, type RowTable } from '../../page/page.ts';
import type { TimelineModel } from './model.ts';
import { isAsked, isBracket, kindOf, lacksEnd, severityOf, stateOf } from './rows.ts';
import { type BarSegment, endOf, partsOf, sumOf } from './segments.ts';

/** Turns and steps have numbers; messages need no name; the rest is called by its kind, unless its text names it. */
export function nameOf({ rows, steps, words, kinds }: TimelineModel, row: number, label: string): string {
  const kind = kindOf(rows, row);
  if (kind === 'turn') return words.turn(rows.turn[row]!);
  if (kind === 'step') return words.step(steps[row]!);
  if (label === '' || NAMED.has(kind)) return kinds[kind];
  return '';
}

/** Kinds whose text does not say what they are. */
const NAMED = new Set<string>([
  ...['approval', 'question', 'hook', 'mode', 'steer', 'cancel', 'compaction', 'usage', 'status', 'notice'],
  ...['control', 'handshake', 'process', 'plan', 'error', 'step-retry', 'client-call'],
]);

/** What stands at the bar, longest first: the first that has room is drawn. */
export function barTexts(
  { rows, words, duration }: TimelineModel,
  row: number,
  parts: readonly BarSegment[],
): string[] {
  const whole = endOf(rows, row, duration) - rows.t[row]!;
  const state = stateOf(rows, row);
  if (lacksEnd(rows, row)) {
    const missing = missingIn(rows, row, words);
    return [`${missing} · ${humanSeconds(whole)}`, missing];
  }
  const ending = state === 'done' || state === 'error' ? '' : ` · ${words.states[state]}`;
  const waited = sumOf(parts, 'waiting');
  // What comes after the answer to a request is no part of its wait.
  const took = isAsked(rows, row) ? waited : whole;
  if (took < 0.0005) return state === 'done' || state === 'error' ? [''] : [words.states[state]];
  const isSplit = waited >= 0.0005 && !isAsked(rows, row);
  const running = sumOf(parts, 'running');
  // Neither its arguments nor a queue are part of what `show` and `stats` say that it ran.
  const ran = humanSeconds(isSplit || running >= 0.0005 ? running : took);
  const short = ending === '' ? ran : words.states[state];
  // A call that ran no time at all took as long as its arguments.
  if (!isSplit && sumOf(parts, 'args') === whole) return [`${ran} · ${words.parts.args}${ending}`, short];
  if (!isSplit) return [`${ran}${ending}`, short];
  const before = running > 0 ? `${ran} · ` : '';
  const long = `${before}${words.waited(humanSeconds(waited))}`;
  return [`${long}${ending}`, long, before === '' ? humanSeconds(waited) : short];
}

function missingIn(rows: RowTable, row: number, words: TimelineModel['words']): string {
  if (isBracket(rows, row)) return words.noEnd;
  return kindOf(rows, row) === 'tool-call' ? words.noResult : words.noAnswer;
}

/** `f123, tool call, Shell npm test, waited 48.1 s, ran 8.50 s, error`. */
export function sentenceOf(model: TimelineModel, row: number): string {
  const { rows, words, kinds, duration, source } = model;
  const label = source.label(row) ?? '';
  const kind = kindOf(rows, row);
  const name = isBracket(rows, row) ? nameOf(model, row, label) : kinds[kind];
  const phrases = [`f${rows.f[row]}`, name];
  if (label !== '') phrases.push(label);
  if (rows.agent[row]! > 0) phrases.push(words.subagent(source.head.agents[rows.agent[row]!] ?? ''));
  const parts = partsOf(rows, row, duration);
  const whole = endOf(rows, row, duration) - rows.t[row]!;
  const waited = sumOf(parts, 'waiting');
  const ran = sumOf(parts, 'running');
  if (waited > 0) phrases.push(words.waited(humanSeconds(waited)));
  if (ran > 0) phrases.push(words.ran(humanSeconds(ran)));
  if (waited === 0 && ran === 0 && whole > 0) phrases.push(words.took(humanSeconds(whole)));
  if (lacksEnd(rows, row)) phrases.push(missingIn(rows, row, words));
  if (stateOf(rows, row) !== 'done') phrases.push(words.states[stateOf(rows, row)]);
  phrases.push(...marksIn(model, row));
  return phrases.join(', ');
}

/** Findings and other marks, in words. */
export function marksIn({ rows, words, app, source }: TimelineModel, row: number): string[] {
  const phrases: string[] = [];
  const severity = severityOf(rows, row);
  const bits = rows.marks[row]!;
  if (severity) phrases.push(words.finding(words.severities[severity]));
  if (bits & ROW_MARK.unasked) phrases.push(words.unasked);
  if (bits & ROW_MARK.again) phrases.push(words.again);
  if (bits & ROW_MARK.background) phrases.push(words.background);
  if (isBookmarked(app.state.value.bookmarks, source.rows, row)) phrases.push(words.bookmarked);
  return phrases;
}

export function isBookmarked(bookmarks: readonly number[], rows: RowTable, row: number): boolean {
  return !isBracket(rows, row) && bookmarks.some((f) => f === rows.f[row]);
}
