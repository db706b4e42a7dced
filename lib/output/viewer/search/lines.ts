/** Terms that need the line of a frame, chunk by chunk. Only lines that may still match are read. */

import { MARK } from '../../../analysis/facts/marks.ts';
import { type QueryExpr, termsOf } from '../../../analysis/query/ast.ts';
import { type PiecePosition, TextCollector } from '../../../model/text/searchable.ts';
import type { Slices } from '../slices.ts';
import type { Column, FrameSource, SourceLine } from '../source.ts';
import { type Around, AskedLine } from './asked-line.ts';
import { tryOn, type Watched } from './slow-regex.ts';
import { holds, MAYBE, NO, type VerdictNode, YES } from './verdict.ts';

export interface Scan {
  source: FrameSource;
  expr: QueryExpr;
  node: VerdictNode<AskedLine>;
  /** Every frame that is `MAYBE` is decided. */
  verdicts: Uint8Array;
  watched: readonly Watched[];
  slices: Slices;
  /** Is called now and then. `share`: of the lines, from 0 to 1. */
  onProgress(share: number): void;
}

/** Lines between two looks at the clock. */
const AT_ONCE = 8;

export async function scanLines({ source, expr, node, verdicts, watched, slices, onProgress }: Scan): Promise<void> {
  const { frames } = source;
  const isAboutText = termsOf(expr).some(({ is }) => is === 'text' || is === 'pattern') || watched.length > 0;
  const around = await aroundIn(source, isAboutText);
  const wanted = isAboutText ? around.withEarlierPieces(verdicts) : verdicts.map((one) => (one === MAYBE ? 1 : 0));
  const texts = new TextCollector();
  const look = ({ frame }: SourceLine) => {
    const index = frames.indexOf(frame.f);
    if (index < 0 || wanted[index] === 0) return;
    const line = new AskedLine(frame, around.at(index), texts);
    if (verdicts[index] !== MAYBE) return;
    if (watched.length > 0) tryOn(line.text(), watched);
    verdicts[index] = holds(node, index, line) ? YES : NO;
  };
  const chunks = chunksOf(source, wanted);
  let done = 0;
  for await (const lines of readAhead(source, chunks)) {
    slices.check();
    for (const [n, line] of lines.entries()) {
      look(line);
      if (n % AT_ONCE !== 0 || !slices.isOver) continue;
      onProgress((done + n / lines.length) / chunks.length);
      await slices.next();
    }
    done++;
  }
}

/** The lines of each of these chunks. The following chunk is unpacked while this one is searched. */
async function* readAhead(source: FrameSource, chunks: readonly number[]): AsyncGenerator<readonly SourceLine[]> {
  const [first, ...others] = chunks;
  let next = first === undefined ? null : source.chunk(first);
  for (const other of others) {
    const lines = await next!;
    next = source.chunk(other);
    yield lines;
  }
  if (next) yield await next;
}

/** The numbers of the chunks that have a line that is wanted, in order. */
function chunksOf(source: FrameSource, wanted: Uint8Array): number[] {
  const chunks: number[] = [];
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === 0) continue;
    const chunk = source.chunkAt(i);
    if (chunks.at(-1) !== chunk) chunks.push(chunk);
  }
  return chunks;
}

const NOTHING_AROUND: Around = { place: null, item: null, isTooLarge: false };

/** What columns say about frames that only matters for their text. */
async function aroundIn({ frames }: FrameSource, isAboutText: boolean) {
  const marks = valuesOf(await frames.column('marks'));
  const isTooLarge = (index: number) => ((marks(index) as number) & MARK['too-large']) !== 0;
  const [place, item] = isAboutText
    ? [valuesOf(await frames.column('piece')), valuesOf(await frames.column('item'))]
    : [() => null, () => null];
  return {
    at(index: number): Around {
      const piece = place(index) as PiecePosition | null;
      if (piece === null && !isTooLarge(index)) return NOTHING_AROUND;
      return { place: piece, item: item(index) as number | null, isTooLarge: isTooLarge(index) };
    },

    /** Frames that are undecided, and the pieces before them of the same text. */
    withEarlierPieces(verdicts: Uint8Array): Uint8Array {
      const wanted = new Uint8Array(verdicts.length);
      const items = new Set<unknown>();
      for (let i = verdicts.length - 1; i >= 0; i--) {
        const isPiece = place(i) !== null && item(i) !== null;
        if (verdicts[i] === MAYBE) {
          wanted[i] = 1;
          if (isPiece) items.add(item(i));
        } else if (isPiece && items.has(item(i))) wanted[i] = 1;
      }
      return wanted;
    },
  };
}

function valuesOf(column: Column): (index: number) => unknown {
  if (column.is === 'coded') {
    const { codes, values } = column;
    return (index) => values[codes[index]!];
  }
  const { numbers } = column;
  return (index) => (Number.isNaN(numbers[index]) ? null : numbers[index]);
}
