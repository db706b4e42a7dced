/** Prints a running session: one line per frame, and streamed text as it arrives. */
import type { Event } from '../core/event.ts';
import type { Frame } from '../core/frame.ts';
import { visible } from '../core/text.ts';
import type { Facts } from '../facts/facts.ts';
import { hitHead, hitLine } from './hit-line.ts';
import type { Theme } from './theme.ts';

export class LiveView {
  readonly #columns: number;
  readonly #theme: Theme;
  /** The streamed text whose line is not finished. */
  #open: string | null = null;

  constructor(columns: number, theme: Theme) {
    this.#columns = columns;
    this.#theme = theme;
  }

  line(frame: Frame, facts: Facts, events: readonly Event[]): string {
    const piece = events.find(
      (event) => event.delta && event.text && (event.kind === 'text' || event.kind === 'thinking'),
    );
    if (!piece) return this.end() + hitLine(frame, facts, { columns: this.#columns, theme: this.#theme });
    const stream = `${facts.item} ${piece.kind}`;
    const text = visible(piece.text!, true).replaceAll('\n', `\n${' '.repeat(INDENT)}`);
    if (this.#open === stream) return this.#paint(piece, text);
    const before = this.end();
    this.#open = stream;
    return `${before}${hitHead(facts, this.#theme)}${this.#paint(piece, text)}`;
  }

  /** Ends an unfinished line. */
  end(): string {
    const end = this.#open === null ? '' : '\n';
    this.#open = null;
    return end;
  }

  #paint({ kind }: Event, text: string): string {
    return kind === 'thinking' ? this.#theme.dim(text) : text;
  }
}

const INDENT = 27;
