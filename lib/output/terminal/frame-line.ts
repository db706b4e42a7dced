/** One frame on one line, safe to print: number, time, sender, message name and content. */
import { type Frame, sizeOf } from '../../model/frame.ts';
import { exactJson } from '../../model/id.ts';
import { describeJoinedLine } from '../../model/json/joined-messages.ts';
import { describeTooLarge } from '../../model/json/too-large.ts';
import { isObject, readMessage, textOf, toJson } from '../../model/message.ts';
import { clip, humanBytes, pad, visible } from '../../model/text/text.ts';
import { SPEAKER, startWithSize } from './hit-line.ts';
import type { Theme } from './theme.ts';

const MAX_ID_CHARS = 12;
/** Large numbers differ in their last digits. */
const MAX_NUMBER_CHARS = 24;

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

interface FrameLineText {
  label: string;
  text: string;
}

function eventText(frame: Frame): FrameLineText {
  const detail = Object.entries(frame.detail).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return { label: visible(frame.event ?? ''), text: visible(detail.join(' ')) };
}

function lineText(frame: Frame, type: string | null, columns: number): FrameLineText {
  const text = textOf(frame.raw);
  const why = describeTooLarge(frame, text);
  if (why !== null) return { label: visible(`[${why}]`), text: visible(startWithSize(text ?? '', sizeOf(frame))) };
  if (text === null) return { label: 'bytes', text: `${humanBytes(frame.raw.length)} of invalid UTF-8` };
  const { envelope, method, id, code, body } = readMessage(text);
  if (envelope === 'none') {
    const joined = type === null && frame.form === 'text' && frame.from !== 'stderr' ? describeJoinedLine(frame) : null;
    const label = joined ? `[${joined}]` : (type ?? '');
    return { label: visible(label), text: visible(startWithSize(text, frame.raw.length)) };
  }
  const name = envelope === 'response' ? 'answer' : envelope === 'error' ? `error ${code ?? ''}`.trim() : method!;
  const number =
    id === null ? '' : ` #${clip(exactJson(id), typeof id === 'bigint' ? MAX_NUMBER_CHARS : MAX_ID_CHARS)}`;
  const message = unwrapEvent(body, type);
  const content =
    body === undefined
      ? ''
      : visible(startWithSize(toJson(moveSessionIdLast(message.body, columns)), frame.raw.length));
  return { label: visible(`${name}${message.type === null ? '' : ` ${message.type}`}${number}`), text: content };
}

/** Events have an envelope of their own, whose type is part of the name. */
function unwrapEvent(body: unknown, type: string | null): { type: string | null; body: unknown } {
  if (!isObject(body) || typeof body.type !== 'string' || !('payload' in body) || Object.keys(body).length > 2) {
    return { type, body };
  }
  return { type: body.type, body: body.payload };
}

/** Moves the session id to the end, where the line is cut: it is the same in every line. */
function moveSessionIdLast(body: unknown, columns: number): unknown {
  if (!isObject(body) || !('sessionId' in body) || !Number.isFinite(columns)) return body;
  const { sessionId, ...rest } = body;
  return { ...rest, sessionId };
}
