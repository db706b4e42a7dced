/** Prints a running session: one line per frame, and streamed text as it arrives. */

import type { Facts } from '../../analysis/facts/facts.ts';
import { frameJson } from '../../analysis/facts/frame-json.ts';
import type { Event } from '../../model/event.ts';
import { type Frame, type Metadata, microsOf } from '../../model/frame.ts';
import { exactJson } from '../../model/id.ts';
import { hidesSecrets } from '../../model/text/mask.ts';
import { visible } from '../../model/text/text.ts';
import { hitHead, hitLine } from './hit-line.ts';
import type { Theme } from './theme.ts';

/** A frame, and what is known of it. */
export interface LiveFrame {
  metadata: Metadata;
  frame: Frame;
  facts: Facts;
  events: readonly Event[];
}

/** Each method returns what to print. */
export interface LivePrinter {
  line(shown: LiveFrame): string;
  /** A remark between two frames. */
  remark(text: string): string;
  end(): string;
}

/** One JSON object per frame, and nothing else. */
export function jsonPrinter(id: string): LivePrinter {
  return {
    line: ({ metadata, frame, facts }) => `${exactJson(frameJson(id, microsOf(metadata.started_at), frame, facts))}\n`,
    remark: () => '',
    end: () => '',
  };
}

/** Lines for people, below the name of the session and its command. */
export function textPrinter(id: string, columns: number, theme: Theme): LivePrinter {
  const view = new LiveView(columns, theme);
  let titled = false;
  return {
    line({ metadata, frame, facts, events }) {
      const title = titled ? '' : `${theme.strong(visible(id))} ${visible(metadata.command.join(' '))}\n`;
      titled = true;
      return title + view.line(frame, facts, events);
    },
    remark: (text) => `${view.end()}${theme.dim(text)}\n`,
    end: () => view.end(),
  };
}

class LiveView {
  readonly #columns: number;
  readonly #theme: Theme;
  /** The streamed text whose line is not finished. */
  #open: string | null = null;
  #isThought = false;
  /** The last word, held back because it may be the start of a secret. */
  #held = '';

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
    const before = this.#open === stream ? '' : `${this.end()}${hitHead(facts, this.#theme)}`;
    this.#open = stream;
    this.#isThought = piece.kind === 'thinking';
    return before + this.#printable(this.#held + piece.text!, hidesSecrets());
  }

  /**
   * The part of a text that can be printed. `isSplit`: a secret may continue in the next piece, so the last word is
   * held back.
   */
  #printable(text: string, isSplit: boolean): string {
    const at = isSplit ? text.length - POSSIBLE_SECRET_START.exec(text.slice(-MAX_HELD_CHARS))![0].length : text.length;
    this.#held = text.slice(at);
    return this.#paint(visible(text.slice(0, at), true).replaceAll('\n', `\n${' '.repeat(INDENT)}`));
  }

  /** Ends an unfinished line. */
  end(): string {
    if (this.#open === null) return '';
    const rest = this.#printable(this.#held, false);
    this.#open = null;
    return `${rest}\n`;
  }

  #paint(text: string): string {
    return this.#isThought ? this.#theme.dim(text) : text;
  }
}

const INDENT = 27;
const MAX_HELD_CHARS = 300;
/** The end of a text that may be the beginning of a secret: its last word, and a name before it. */
const POSSIBLE_SECRET_START =
  /(?:\S{1,60}[:=]\s{0,3}|\b(?:bearer|basic)\s{1,3}|\s-{1,2}[a-z-]{1,30}\s{1,3})?\S{0,200}$/i;
