/** A line as the terms of a query see it that need one: read as far as they ask, and no further. */

import type { FrameFacts } from '../../../analysis/query/facts.ts';
import type { Frame } from '../../../model/frame.ts';
import { textIn, valueIn } from '../../../model/message.ts';
import {
  containsTerm,
  endsIn,
  type FrameText,
  type PiecePosition,
  pieceAt,
  type TextCollector,
} from '../../../model/text/searchable.ts';
import { fold } from '../../../model/text/text.ts';

/** What columns say about the frame. */
export interface Around {
  place: PiecePosition | null;
  item: number | null;
  isTooLarge: boolean;
}

export class AskedLine implements Pick<FrameFacts, 'message' | 'says'> {
  readonly #frame: Frame;
  readonly #around: Around;
  readonly #texts: TextCollector;
  #line: string | null | undefined;
  #folded: string | null = null;
  #value: { is: unknown } | null = null;
  #text: FrameText | null = null;

  constructor(frame: Frame, around: Around, texts: TextCollector) {
    this.#frame = frame;
    this.#around = around;
    this.#texts = texts;
    // The next piece of this text follows the end of this one, whether it is asked for or not.
    if (around.place !== null) this.text();
  }

  message(): unknown {
    this.#value ??= { is: this.#around.isTooLarge ? undefined : valueIn(this.#frame, this.#read()) };
    return this.#value.is;
  }

  says(term: string | RegExp): boolean {
    // Then it may still end here, in a text whose earlier pieces are in other lines.
    if (typeof term === 'string' && this.#lacks(term)) return endsIn(this.#text?.more ?? null, term);
    return containsTerm(this.text(), term);
  }

  text(): FrameText {
    if (this.#text) return this.#text;
    const { place, item, isTooLarge } = this.#around;
    const value = this.message();
    this.#text = this.#texts.add(this.#frame, value, { piece: place && pieceAt(place, value), item, isTooLarge });
    return this.#text;
  }

  #read(): string | null {
    this.#line ??= textIn(this.#frame);
    return this.#line;
  }

  /**
   * Whether the line as it was sent cannot contain a text. Characters that JSON must escape are not looked for, and if the
   * line has others escaped, they may be anything.
   */
  #lacks(term: string): boolean {
    if (this.#frame.form === 'event' || ESCAPED.test(term)) return false;
    const line = this.#read();
    if (line === null || line.includes('\\u')) return false;
    this.#folded ??= fold(line);
    return !this.#folded.includes(term);
  }
}

const ESCAPED = /["\\/\u0000-\u001f\u007f]/;
