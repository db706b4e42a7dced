/** One frame on one line, safe to print: number, time, sender, message name and content. */
import { type Frame, sizeOf } from '../../model/frame.ts';
import { exactJson } from '../../model/id.ts';
import { joinedOn } from '../../model/json/joined-messages.ts';
import { tooLarge } from '../../model/json/too-large.ts';
import { isObject, readMessage, textOf, toJson } from '../../model/message.ts';
import { clip, humanBytes, pad, visible } from '../../model/text/text.ts';
import { glance, SPEAKER } from './hit-line.ts';
import type { Theme } from './theme.ts';

const LONGEST_ID = 12;
/** Large numbers differ in their last digits. */
const LONGEST_NUMBER = 24;

/** `type`: the message type in the dialect, in addition to the method. */
export function frameLine(frame: Frame, type: string | null, columns: number, theme: Theme): string {
  const head = `${pad(`f${frame.f}`, 6)} ${pad(frame.t.toFixed(6), 11)} `;
  const who = SPEAKER[frame.from];
  const what = frame.form === 'event' ? eventText(frame) : lineText(frame, type, columns);
  const room = columns - head.length - who.length - 1;
  const label = what.label && what.text ? `${what.label} ` : what.label;
  const body = Number.isFinite(room) ? clip(label + what.text, Math.max(8, room)) : label + what.text;
  const painted = theme.strong(body.slice(0, label.length)) + body.slice(label.length);
  return `${theme.dim(head)}${theme.speaker[frame.from](who)} ${painted}\n`;
}

interface Said {
  label: string;
  text: string;
}

function eventText(frame: Frame): Said {
  const detail = Object.entries(frame.detail).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return { label: visible(frame.event ?? ''), text: visible(detail.join(' ')) };
}

function lineText(frame: Frame, type: string | null, columns: number): Said {
  const text = textOf(frame.raw);
  const why = tooLarge(frame, text);
  if (why !== null) return { label: visible(`[${why}]`), text: visible(glance(text ?? '', sizeOf(frame))) };
  if (text === null) return { label: 'bytes', text: `${humanBytes(frame.raw.length)} of invalid UTF-8` };
  const { envelope, method, id, code, body } = readMessage(text);
  if (envelope === 'none') {
    const joined = type === null && frame.form === 'text' && frame.from !== 'stderr' ? joinedOn(frame) : null;
    const label = joined ? `[${joined}]` : (type ?? '');
    return { label: visible(label), text: visible(glance(text, frame.raw.length)) };
  }
  const name = envelope === 'response' ? 'answer' : envelope === 'error' ? `error ${code ?? ''}`.trim() : method!;
  const number = id === null ? '' : ` #${clip(exactJson(id), typeof id === 'bigint' ? LONGEST_NUMBER : LONGEST_ID)}`;
  const said = opened(body, type);
  const content = body === undefined ? '' : visible(glance(toJson(ordered(said.body, columns)), frame.raw.length));
  return { label: visible(`${name}${said.type === null ? '' : ` ${said.type}`}${number}`), text: content };
}

/** Events have an envelope of their own, whose type is part of the name. */
function opened(body: unknown, type: string | null): { type: string | null; body: unknown } {
  if (!isObject(body) || typeof body.type !== 'string' || !('payload' in body) || Object.keys(body).length > 2) {
    return { type, body };
  }
  return { type: body.type, body: body.payload };
}

/** Moves the session id to the end, where the line is cut: it is the same in every line. */
function ordered(body: unknown, columns: number): unknown {
  if (!isObject(body) || !('sessionId' in body) || !Number.isFinite(columns)) return body;
  const { sessionId, ...rest } = body;
  return { ...rest, sessionId };
}
