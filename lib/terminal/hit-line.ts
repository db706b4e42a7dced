/** A frame that was found, on one line: number, time, who speaks, what it means, then what it says, made harmless. */
import type { Frame } from '../core/frame.ts';
import { isObject, parseJson, textOf, toJson } from '../core/message.ts';
import { clip, humanBytes, humanSeconds, pad, visible } from '../core/text.ts';
import type { Facts } from '../facts/facts.ts';
import type { Theme } from './theme.ts';

/** All of one width: to measure them would cost more time than to print them. */
const SPEAKER: Record<Frame['from'], string> = {
  client: 'client → ',
  agent: 'agent  ← ',
  stderr: 'stderr ! ',
  proc: 'proc   · ',
};
/** What is looked at of a long line: enough for any screen. */
const GLANCE = 4096;

/** All that stands before what a frame says. */
export function hitHead(facts: Facts, theme: Theme): string {
  const { head, who } = placeOf(facts);
  return `${theme.dim(head)}${theme.speaker[facts.from](who)} `;
}

function placeOf(facts: Facts): { head: string; who: string } {
  return { head: `${pad(`f${facts.f}`, 6)} ${pad(facts.t.toFixed(3), 9)} `, who: SPEAKER[facts.from] };
}

/** `beside`: it only stands beside what was found. */
export function hitLine(frame: Frame, facts: Facts, columns: number, theme: Theme, beside = false): string {
  const { head, who } = placeOf(facts);
  const label = visible(labelOf(facts));
  const rest = visible(contentOf(frame));
  const body = rest === '' ? label : `${label}  ${rest}`;
  const room = columns - head.length - who.length - 1;
  const shown = Number.isFinite(room) ? clip(body, Math.max(16, room)) : body;
  if (beside) return `${theme.dim(`${head}${who} ${shown}`)}\n`;
  const painted = theme.strong(shown.slice(0, label.length)) + shown.slice(label.length);
  return `${hitHead(facts, theme)}${painted}\n`;
}

function labelOf(facts: Facts): string {
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
  ]
    .filter((word) => word !== null)
    .join(' ');
}

function contentOf(frame: Frame): string {
  if (frame.form === 'event') {
    const detail = Object.entries(frame.detail).map(([key, value]) => `${key}=${toJson(value)}`);
    return [frame.event, ...detail].join(' ');
  }
  const text = textOf(frame.raw);
  if (text === null) return `${humanBytes(frame.raw.length)} that are not UTF-8`;
  const value = text.length > GLANCE * 4 ? undefined : parseJson(text);
  const content = value === undefined ? text : toJson(bodyOf(value));
  return content.length > GLANCE ? `${content.slice(0, GLANCE)}… (${humanBytes(frame.raw.length)})` : content;
}

/** Without the envelope, and what dialects wrap around what they say. */
function bodyOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { params, result, error } = value;
  const body = params ?? result ?? error ?? value;
  if (!isObject(body)) return body;
  return body.payload ?? body.update ?? body;
}
