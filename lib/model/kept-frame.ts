/** A frame that outlives the buffer it was read from, because readers reuse their buffers. */
import type { Eol, Form, Frame, From } from './frame.ts';

const utf8 = new TextEncoder();

/** `text`: the line as text, null if it is not UTF-8. */
export function keepFrame(frame: Frame, text: string | null): Frame {
  const { cut } = frame;
  if (cut) return { ...headOf(frame), raw: new Uint8Array(frame.raw), text, cut };
  return text === null ? { ...headOf(frame), raw: new Uint8Array(frame.raw), text } : new TextFrame(frame, text);
}

function headOf({ f, t, t0, from, form, head, eol, event, detail }: Frame): Omit<Frame, 'raw' | 'text' | 'cut'> {
  return { f, t, t0, from, form, head, eol, event, detail };
}

/** Keeps only the text and encodes the bytes on demand. */
class TextFrame implements Frame {
  readonly f: number;
  readonly t: number;
  readonly t0: number | null;
  readonly from: From;
  readonly form: Form;
  readonly text: string;
  readonly head: string | undefined;
  readonly eol: Eol;
  readonly event: string | null;
  readonly detail: Record<string, unknown>;

  constructor(frame: Frame, text: string) {
    this.f = frame.f;
    this.t = frame.t;
    this.t0 = frame.t0;
    this.from = frame.from;
    this.form = frame.form;
    this.text = text;
    this.head = frame.head;
    this.eol = frame.eol;
    this.event = frame.event;
    this.detail = frame.detail;
  }

  get raw(): Uint8Array {
    return utf8.encode(this.text);
  }
}
