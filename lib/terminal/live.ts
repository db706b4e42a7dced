/** Prints a running session: one line per frame, and streamed text as it arrives. */
import type { Event } from '../core/event.ts';
import { type Frame, type Metadata, microsOf } from '../core/frame.ts';
import { exactJson } from '../core/id.ts';
import { visible } from '../core/text.ts';
import type { Facts } from '../facts/facts.ts';
import { frameJson } from '../facts/frame-json.ts';
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
  /** Something between two frames that is no frame. */
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
