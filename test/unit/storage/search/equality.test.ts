/**
 * One language, whoever answers: the index, the tape, and a session that still runs find the same frames, and a list of
 * sessions has those that the contract says. WIRETAPE_ROUNDS asks for more queries, WIRETAPE_SEED for other ones.
 */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { applyChange, FactReader } from '../../../../lib/analysis/facts/fact-reader.ts';
import type { QueryExpr } from '../../../../lib/analysis/query/ast.ts';
import { decideForSession } from '../../../../lib/analysis/query/decide.ts';
import { QueryError } from '../../../../lib/analysis/query/error.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { compileFrame } from '../../../../lib/analysis/query/predicate.ts';
import { sessionQueries } from '../../../../lib/analysis/query/sessions.ts';
import { containsTerm, TextCollector } from '../../../../lib/model/text/searchable.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { NO_NAMES } from '../../../../lib/session/session.ts';
import { summarise } from '../../../../lib/session/summary.ts';
import { openIndex } from '../../../../lib/storage/index/file.ts';
import { conditionOf } from '../../../../lib/storage/index/sql-conditions.ts';
import type { Database } from '../../../../lib/storage/index/sqlite.ts';
import { LiveSearch } from '../../../../lib/storage/search/live-search.ts';
import { Search } from '../../../../lib/storage/search/search.ts';
import { loadTapeReadersFor } from '../../../../lib/storage/search/tape-readers.ts';
import { readMetadata } from '../../../../lib/storage/tape/read.ts';
import { addOddSessions, framesIn, importTapes, stockOf, type Told, tellAll } from '../../../support/query-store.ts';
import { randomOf, randomQuery, type Stock } from '../../../support/random-query.ts';
import { cases } from '../../../support/scale.ts';
import { sessionOn } from '../../../support/session.ts';
import { makePlace, type Place, removePlace } from '../../../support/store.ts';
import { fitsNaively } from '../../../support/witness.ts';

const ROUNDS = cases(300);
const SEED = Number(process.env.WIRETAPE_SEED ?? 6);

vi.setConfig({ testTimeout: Math.max(180_000, ROUNDS * 200) });

let place: Place;
let told: Told[];
let stock: Stock;
let db: Database;

beforeAll(async () => {
  place = makePlace();
  importTapes(place.home);
  addOddSessions(place.home, randomOf(SEED), 12);
  told = await tellAll(place.home);
  await loadTapeReadersFor([{ key: null }]);
  stock = stockOf(told, SEED);
  db = openIndex(place.home, { patienceMs: 1000, notice() {} });
});

afterAll(async () => {
  db.close();
  await removePlace(place);
});

/** As many queries as there are rounds, each with some sessions. */
function* rounds(
  share: number,
  sessions: number,
  only: 'frame' | 'session' | null = null,
): Generator<{ query: string; expr: QueryExpr | null; some: Told[] }> {
  const random = randomOf(SEED);
  for (let i = 0; i < ROUNDS * share; i++) {
    const query = randomQuery(random, stock, only);
    const some = Array.from({ length: sessions }, () => told[Math.floor(random() * told.length)]!);
    yield { query, expr: parseQuery(query), some };
  }
}

const numbers = (hits: Iterable<{ facts: { f: number } } | null>) =>
  [...hits].flatMap((hit) => (hit ? [hit.facts.f] : []));

/** Looks closer only where they differ: it is done some ten thousand times. */
function expectSame(found: readonly number[], wanted: readonly number[], context: string): void {
  if (found.join() !== wanted.join()) expect(found, context).toEqual(wanted);
}

function expectAmong(found: readonly number[], wanted: readonly number[], context: string): void {
  const all = new Set(found);
  const missing = wanted.filter((f) => !all.has(f));
  if (missing.length > 0) expect(missing, context).toEqual([]);
}

/** By the predicate alone, of all that the tape tells. */
function matching(expr: QueryExpr | null, { frames }: Told): number[] {
  const matches = compileFrame(expr);
  return frames.filter(({ facts }) => matches(facts)).map(({ facts }) => facts.f);
}

describe('index and tape', () => {
  it('tell the same of every session', () => {
    for (const { target } of told) {
      const { session, tape } = target.summary;
      const whole = summarise(sessionOn(tape, { id: session, dir: dirname(tape) }));
      expect(JSON.parse(JSON.stringify(whole))).toEqual(target.summary);
    }
  });

  it('tell the same of every frame', () => {
    const search = new Search(place.home, null, 100);
    for (const { target, frames } of told) {
      expect(target.key).not.toBeNull();
      const hits = [...search.matchesOf(target)].filter((hit) => hit !== null);
      expect(hits.map(({ facts }) => facts)).toEqual(frames.map(({ found }) => found.facts));
      expect(hits.map(({ frame }) => [frame.f, Buffer.from(frame.raw).toString('latin1')])).toEqual(
        frames.map(({ found: { frame } }) => [frame.f, Buffer.from(frame.raw).toString('latin1')]),
      );
    }
    search.close();
  });

  it(`find the same frames, by ${ROUNDS} queries`, () => {
    let hits = 0;
    for (const { query, expr, some } of rounds(1, 4)) {
      const search = new Search(place.home, expr, 100);
      for (const one of some) {
        const found = numbers(search.matchesOf(one.target));
        expectSame(found, matching(expr, one), `${query} in ${one.target.summary.session}`);
        hits += found.length > 0 && found.length < one.frames.length ? 1 : 0;
      }
      search.close();
    }
    // It would be no proof if nothing ever matched.
    expect(hits).toBeGreaterThan(ROUNDS / 3);
  });

  it('find the same where the tape is read anew', () => {
    for (const { query, expr, some } of rounds(0.04, 4)) {
      const search = new Search(place.home, expr, 100);
      for (const one of some) {
        const fromTape = [...search.matchesOf({ ...one.target, key: null })].filter((hit) => hit !== null);
        expectSame(numbers(fromTape), matching(expr, one), query);
        const around = [...search.matchesWithContext({ ...one.target, key: null }, 1, true, 5)].filter(
          (hit) => hit !== null,
        );
        expectSame(numbers(search.matchesWithContext(one.target, 1, true, 5)), numbers(around), query);
        expect(search.count(one.target), query).toBe(fromTape.length);
      }
      search.close();
    }
  });

  it('leave no file open, also where a regular expression is watched', () => {
    const before = readdirSync('/proc/self/fd').length;
    for (const query of ['from:agent', 'from:agent @id:/./', 'type:/a/']) {
      const search = new Search(place.home, parseQuery(query), 100);
      const targets = told.map(({ target }) => target);
      expect(targets.some((target) => [...search.matchesOf(target)].some((hit) => hit !== null))).toBe(true);
      expect(targets.some((target) => search.matches(target))).toBe(true);
      search.close();
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 2);
  });

  it('find the same in all sessions at once, and count them', () => {
    const all = told.map(({ target }) => target);
    for (const { query, expr } of rounds(0.02, 0)) {
      const search = new Search(place.home, expr, 100);
      const found = all
        .flatMap((target) => [...search.matchesOf(target)])
        .flatMap((hit) => (hit ? [`${hit.target.key} ${hit.facts.f}`] : []));
      const wanted = told.flatMap((one) => matching(expr, one).map((f) => `${one.target.key} ${f}`));
      if (found.join() !== wanted.join()) expect(found, query).toEqual(wanted);
      expect(
        all.reduce((sum, target) => sum + search.count(target), 0),
        query,
      ).toBe(wanted.length);
      search.close();
    }
  });

  it('SQL narrows: no frame that matches is left out', () => {
    for (const { query, expr, some } of rounds(0.5, 3, 'frame')) {
      for (const one of some) {
        const { sql, values, exact } = conditionOf(expr!);
        const rows = db
          .prepare(`SELECT f FROM frames WHERE session = ? AND ${sql} ORDER BY f`)
          .pluck()
          .all(one.target.key, ...values) as number[];
        const wanted = matching(expr, one);
        if (exact) expectSame(rows, wanted, query);
        else expectAmong(rows, wanted, query);
      }
    }
  });
});

describe('a session that still runs', () => {
  /** The frames that match at some time, as far as all that was heard until then tells. */
  function ever(expr: QueryExpr | null, { target, frames }: Told): Set<number> {
    const { tape } = target.summary;
    const { command } = readMetadata(tape);
    const dialect = target.summary.dialect!;
    const reader = new FactReader({ command, dialect });
    const listener = new TextCollector();
    const matches = compileFrame(expr);
    const known = new Map<number, Parameters<typeof matches>[0]>();
    const all = new Set<number>();
    const look = (f: number) => {
      if (matches(known.get(f)!)) all.add(f);
    };
    const change = (changes: ReturnType<FactReader['end']>['changes']) => {
      for (const one of changes) {
        applyChange(known.get(one.f) as never, one);
        look(one.f);
      }
    };
    for (const read of new Pass({ command, dialect, frames: () => framesIn({ target, frames }) })) {
      const { facts, changes } = reader.take(read);
      const said = listener.take(read);
      const at = frames[facts.f - 1]!.facts.at;
      const session = target.summary;
      known.set(
        facts.f,
        Object.assign(facts, { session, at, message: () => read.value, says: (t: string) => containsTerm(said, t) }),
      );
      change(changes);
      look(facts.f);
    }
    change(reader.end().changes);
    return all;
  }

  it('tells every frame that the finished one has, once, and only what matched', () => {
    const small = told.filter(({ frames }) => frames.length < 200);
    const random = randomOf(SEED);
    for (const { query, expr } of rounds(0.4, 0, 'frame')) {
      const one = small[Math.floor(random() * small.length)]!;
      const { summary } = one.target;
      const { tape, session: id } = summary;
      const metadata = readMetadata(tape);
      const live = new LiveSearch({ id, dir: null, tape, running: true, names: NO_NAMES, metadata }, expr);
      const hits: number[] = [];
      for (const frame of framesIn(one)) hits.push(...live.take(frame).map(({ frame: { f } }) => f));
      hits.push(...live.end().map(({ frame: { f } }) => f));
      const sorted = [...hits].sort((a, b) => a - b);
      const context = `${query} in ${summary.session}`;
      expect(new Set(hits).size, context).toBe(hits.length);
      expectSame(
        sorted,
        [...ever(expr, one)].sort((a, b) => a - b),
        context,
      );
      expectAmong(sorted, matching(expr, one), context);
    }
  });
});

describe('a list of sessions', () => {
  it('has those that fit, by the words of the contract', () => {
    let fit = 0;
    for (const { query, expr, some } of rounds(0.5, 4)) {
      if (isTooMuch(expr)) continue;
      const search = new Search(place.home, expr, 100);
      const targets = [...new Set(some)];
      const found = targets.filter(({ target }) => search.matches(target)).map(({ target }) => target.summary.session);
      const wanted = targets.filter(({ target, frames }) =>
        fitsNaively(
          expr,
          target.summary,
          frames.map(({ facts }) => facts),
        ),
      );
      expect(found, query).toEqual(wanted.map(({ target }) => target.summary.session));
      if (found.length > 0 && found.length < targets.length) fit++;
      search.close();
    }
    expect(fit).toBeGreaterThan(ROUNDS / 50);
  });

  /** More alternatives than a list takes. */
  function isTooMuch(expr: QueryExpr | null): boolean {
    try {
      sessionQueries(expr);
      return false;
    } catch (error) {
      if (error instanceof QueryError) return true;
      throw error;
    }
  }

  it('decides what a query asks of sessions before it looks at frames', () => {
    for (const { query, expr, some } of rounds(0.5, 3)) {
      for (const one of some) {
        const left = decideForSession(expr ?? parseQuery('f:*')!, one.target.summary);
        const wanted = matching(expr, one);
        if (left === true) expect(wanted, query).toHaveLength(one.frames.length);
        else if (left === false) expect(wanted, query).toEqual([]);
        else expectSame(matching(left, one), wanted, query);
      }
    }
  });
});
