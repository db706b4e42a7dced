/** A matching frame on one line, safe to print: number, time, sender, meaning and content. */

import type { Facts } from '../../analysis/facts/facts.ts';
import { type Frame, sizeOf } from '../../model/frame.ts';
import { describeJoinedLine } from '../../model/json/joined-messages.ts';
import { describeTooLarge, TOO_LARGE } from '../../model/json/too-large.ts';
import { isObject, parseJson, textOf, toJson } from '../../model/message.ts';
import { maskAndShorten, maskedText, maskedValue } from '../../model/text/mask.ts';
import { stringsIn } from '../../model/text/searchable.ts';
import { clip, fold, humanBytes, humanSeconds, pad, visible } from '../../model/text/text.ts';
import type { Theme } from './theme.ts';

/** All of the same width, because measuring them would take longer than printing them. */
export const SPEAKER: Record<Frame['from'], string> = {
  client: 'client → ',
  agent: 'agent  ← ',
  stderr: 'stderr ! ',
  proc: 'proc   · ',
};

/** The start of the line, before the content. */
export function hitHead(facts: Facts, theme: Theme): string {
  const { head, who } = linePrefix(facts);
  return `${theme.dim(head)}${theme.speaker[facts.from](who)} `;
}

function linePrefix(facts: Facts): { head: string; who: string } {
  return { head: `${pad(`f${facts.f}`, 6)} ${pad(facts.t.toFixed(3), 9)} `, who: SPEAKER[facts.from] };
}

export interface HitLineOptions {
  columns: number;
  theme: Theme;
  /** It does not match, but is shown as context. */
  beside?: boolean | undefined;
  /** The texts of the query, in lower case: the line shows the first of them. */
  terms?: readonly string[];
}

export function hitLine(frame: Frame, facts: Facts, { columns, theme, beside, terms = [] }: HitLineOptions): string {
  const { head, who } = linePrefix(facts);
  const label = visible(labelOf(frame, facts));
  const room = Math.max(16, columns - head.length - who.length - 1);
  const content = isLong(frame, facts) && terms.length === 0 ? beginningOf(frame) : contentOf(frame, facts);
  const rest = visible(
    startWithSize(startNearTerm(maskedText(content), terms, room - label.length - 2), sizeOf(frame)),
  );
  const body = rest === '' ? label : `${label}  ${rest}`;
  const shown = Number.isFinite(room) ? clip(body, room) : body;
  if (beside) return `${theme.dim(`${head}${who} ${shown}`)}\n`;
  const painted = theme.strong(shown.slice(0, label.length)) + shown.slice(label.length);
  return `${hitHead(facts, theme)}${painted}\n`;
}

/** Starts the text shortly before the first term if the term would be cut off. */
function startNearTerm(text: string, terms: readonly string[], room: number): string {
  if (terms.length === 0) return text;
  const folded = fold(text);
  for (const term of terms) {
    const at = folded.indexOf(term);
    if (at < 0) continue;
    const start = at - Math.max(0, Math.floor((room - term.length) / 3));
    return at + term.length > room && start > 0 ? `…${text.slice(start)}` : text;
  }
  return text;
}

/** How much of a long line is shown: enough for any screen. */
const MAX_SHOWN_CHARS = 4096;
/** Longer lines are shown without being parsed. */
const MAX_PARSED_CHARS = 1 << 18;

/** The start of a long text, and the size of its line. */
export function startWithSize(text: string, size: number): string {
  return maskAndShorten(text, MAX_SHOWN_CHARS, `… (${humanBytes(size)})`);
}

function labelOf(frame: Frame, facts: Facts): string {
  const { kinds, tool, subagent, status, code, latency, wait, approval, by } = facts;
  const kind = kinds.join('+') || facts.envelope;
  const name = facts.type ?? facts.method;
  return [
    kind,
    kinds.length === 0 || kinds.includes('other') ? name : null,
    tool,
    subagent === null ? null : `of ${subagent}`,
    status,
    code === null ? null : `code ${code}`,
    approval === null ? null : by === 'client' ? approval : `${approval} by ${by}`,
    wait !== null ? `waited ${humanSeconds(wait)}` : latency !== null ? humanSeconds(latency) : null,
    joinedWords(frame, facts),
  ]
    .filter((word) => word !== null)
    .join(' ');
}

/** `[two messages on one line; …]`: a line that cannot be parsed because a line feed is missing. */
function joinedWords(frame: Frame, { kinds, flags }: Facts): string | null {
  const { form, from } = frame;
  if (form !== 'text' || from === 'stderr' || !kinds.includes('noise') || flags.includes(TOO_LARGE)) return null;
  const joined = describeJoinedLine(frame);
  return joined === null ? null : `[${joined}]`;
}

/** Whether the line is text that is too long to be parsed. */
function isLong({ from, form, raw }: Frame, { flags }: Facts): boolean {
  const isRead = form === 'message' || (form === 'text' && from !== 'stderr');
  return isRead && raw.length > 3 * MAX_PARSED_CHARS && !flags.includes(TOO_LARGE);
}

const utf8 = new TextDecoder();

/** The start of a long line: slightly more than is shown, so that it is marked as continued. */
function beginningOf({ raw }: Frame): string {
  return utf8.decode(raw.subarray(0, 4 * MAX_SHOWN_CHARS));
}

function contentOf(frame: Frame, { tool, tool_call_id }: Facts): string {
  if (frame.form === 'event') {
    const detail = Object.entries(frame.detail).map(([key, value]) => `${key}=${toJson(value)}`);
    return [frame.event, ...detail].join(' ');
  }
  const text = textOf(frame.raw);
  const why = describeTooLarge(frame, text);
  if (why !== null) return text === null ? why : `${why}: ${text}`;
  if (text === null) return `${humanBytes(frame.raw.length)} of invalid UTF-8`;
  const value = text.length > MAX_PARSED_CHARS ? undefined : parseJson(text);
  const body = maskedValue(bodyOf(value));
  const strings = stringsIn(body).filter((one) => one !== tool && one !== tool_call_id && !ID.test(one));
  return value === undefined ? text : strings.length > 0 ? strings.join(' · ') : toJson(body);
}

/** Ids mean nothing to a reader. */
const ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The content without the envelope and the dialect's own wrapper. */
function bodyOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { params, result, error } = value;
  const body = params ?? result ?? error ?? value;
  if (!isObject(body)) return body;
  return body.payload ?? body.update ?? body;
}
