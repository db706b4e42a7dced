/**
 * Searches a session with the query language of the commands, and finds the same. What the facts decide is known at once;
 * texts, patterns and paths need the lines, which are read in slices.
 */
import type { QueryExpr } from '../../../analysis/query/ast.ts';
import { decideForSession } from '../../../analysis/query/decide.ts';
import { QueryError } from '../../../analysis/query/error.ts';
import type { FrameFacts, SessionFacts } from '../../../analysis/query/facts.ts';
import { parseQuery } from '../../../analysis/query/parser.ts';
import { cheapestFirst, compileFrame } from '../../../analysis/query/predicate.ts';
import type { Hits } from '../app.ts';
import { Slices } from '../slices.ts';
import type { FrameSource } from '../source.ts';
import type { AskedLine } from './asked-line.ts';
import { decideColumn } from './columns.ts';
import { scanLines } from './lines.ts';
import { watchedIn } from './slow-regex.ts';
import { grouped, NO, negate, type VerdictNode, verdicts, YES } from './verdict.ts';

/** Milliseconds between two reports of what was found so far, at least; of many hits it takes time to show them. */
const REPORT_MS = 100;
/** For each millisecond that a report takes, so many are searched. */
const SEARCH_MS_PER_REPORT_MS = 4;

export class PageSearch {
  readonly #source: FrameSource;

  constructor(source: FrameSource) {
    this.#source = source;
  }

  /**
   * `onHits` is called with what was found so far, if it takes longer. The result is an error if the query cannot be read or a
   * regular expression takes too long. If `signal` aborts, it is partial: what was found until then.
   */
  async run(query: string, onHits: (hits: Hits) => void, signal: AbortSignal): Promise<Hits | QueryError> {
    let found: Hits = { bytes: new Uint8Array(this.#source.frames.count), count: 0, partial: true };
    const keep = (hits: Hits) => {
      found = hits;
      onHits(hits);
    };
    try {
      return await this.#found(parseQuery(query, Date.now() * 1000), keep, new Slices(signal));
    } catch (error) {
      if (error instanceof QueryError) return error;
      if (signal.aborted) return found;
      throw error;
    }
  }

  async #found(expr: QueryExpr | null, onHits: (hits: Hits) => void, slices: Slices): Promise<Hits> {
    const source = this.#source;
    const { count } = source.frames;
    const left = expr === null || decideForSession(expr, source.head.summary as unknown as SessionFacts);
    if (typeof left === 'boolean') return hitsOf(new Uint8Array(count).fill(left ? YES : NO), false);
    const watched = watchedIn(left);
    const node = await this.#plan(left, slices);
    const bytes = verdicts(node, count);
    if (node.is === 'known') return hitsOf(bytes, false);
    let next = performance.now() + REPORT_MS;
    await scanLines({
      ...{ source, expr: left, node, verdicts: bytes, watched, slices },
      onProgress(share) {
        const start = performance.now();
        if (start < next) return;
        onHits({ ...hitsOf(bytes, true), share });
        const end = performance.now();
        next = end + Math.max(REPORT_MS, SEARCH_MS_PER_REPORT_MS * (end - start));
      },
    });
    return hitsOf(bytes, false);
  }

  /** Decides what facts can decide. */
  async #plan(expr: QueryExpr, slices: Slices): Promise<VerdictNode<AskedLine>> {
    if (expr.is === 'and' || expr.is === 'or') {
      const parts: VerdictNode<AskedLine>[] = [];
      for (const part of cheapestFirst(expr.of)) parts.push(await this.#plan(part, slices));
      return grouped(expr.is, parts);
    }
    if (expr.is === 'not') {
      const of = await this.#plan(expr.of, slices);
      return of.is === 'known' ? { is: 'known', bytes: negate(of.bytes) } : { is: 'not', of };
    }
    if (expr.is === 'field') return { is: 'known', bytes: await decideColumn(this.#source, expr, slices) };
    const predicate = compileFrame(expr);
    return { is: 'line', test: (line) => predicate(line as unknown as FrameFacts) };
  }
}

function hitsOf(bytes: Uint8Array, partial: boolean): Hits {
  const found = new Uint8Array(bytes.length);
  let count = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== YES) continue;
    found[i] = 1;
    count++;
  }
  return { bytes: found, count, partial };
}
