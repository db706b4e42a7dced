/**
 * A page finds what the commands find: random queries over every tape of every dialect and over odd sessions, by columns
 * and lines as the viewer reads them, against the predicate. WIRETAPE_ROUNDS asks for more queries, WIRETAPE_SEED for
 * other ones.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueryError } from '../../../../../lib/analysis/query/error.ts';
import { parseQuery } from '../../../../../lib/analysis/query/parser.ts';
import { compileFrame } from '../../../../../lib/analysis/query/predicate.ts';
import type { Hits } from '../../../../../lib/output/viewer/app.ts';
import { PageSearch } from '../../../../../lib/output/viewer/search/search.ts';
import { memorySource } from '../../../../support/memory-source.ts';
import { addOddSessions, importTapes, stockOf, type Told, tellAll } from '../../../../support/query-store.ts';
import { randomOf, randomQuery, type Stock } from '../../../../support/random-query.ts';
import { cases } from '../../../../support/scale.ts';
import { sessionOn } from '../../../../support/session.ts';
import { makePlace, type Place, removePlace } from '../../../../support/store.ts';

const ROUNDS = cases(400);
const SEED = Number(process.env.WIRETAPE_SEED ?? 18);

let place: Place;
let told: Told[];
let stock: Stock;

beforeAll(async () => {
  place = makePlace();
  importTapes(place.home);
  addOddSessions(place.home, randomOf(SEED), 6);
  told = await tellAll(place.home);
  stock = stockOf(told, SEED);
});

afterAll(() => removePlace(place));

const sources = new Map<Told, ReturnType<typeof memorySource>>();

function sourceOf(one: Told): ReturnType<typeof memorySource> {
  const { summary } = one.target;
  const known = sources.get(one) ?? memorySource(sessionOn(summary.tape, { dialect: summary.dialect }));
  // The names are in the store, not on the tape.
  Object.assign(known.head.summary, JSON.parse(JSON.stringify(summary)));
  sources.set(one, known);
  return known;
}

const run = (one: Told, query: string, tell: (hits: Hits) => void = () => {}) =>
  new PageSearch(sourceOf(one)).run(query, tell, new AbortController().signal);

function wantedBy(query: string, { frames }: Told): number[] {
  const matches = compileFrame(parseQuery(query));
  return frames.filter(({ facts }) => matches(facts)).map(({ facts }) => facts.f);
}

const foundIn = ({ frames }: Told, { bytes }: Hits) =>
  frames.filter((_, i) => bytes[i] === 1).map(({ facts }) => facts.f);

describe('a search in a page', () => {
  it(`finds what the predicate finds, by ${ROUNDS} queries`, async () => {
    const random = randomOf(SEED);
    let some = 0;
    for (let i = 0; i < ROUNDS; i++) {
      const query = randomQuery(random, stock);
      for (let n = 0; n < 4; n++) {
        const one = told[Math.floor(random() * told.length)]!;
        const hits = await run(one, query);
        const context = `${query} in ${one.target.summary.session}`;
        if (hits instanceof QueryError) throw new Error(`${context}: ${hits.message}`);
        const wanted = wantedBy(query, one);
        expect(foundIn(one, hits), context).toEqual(wanted);
        expect(hits).toMatchObject({ count: wanted.length, partial: false });
        some += wanted.length > 0 && wanted.length < one.frames.length ? 1 : 0;
      }
    }
    // It would be no proof if nothing ever matched.
    expect(some).toBeGreaterThan(ROUNDS / 3);
  });

  it('finds every text of the sessions, also across pieces', async () => {
    for (const [i, one] of told.entries()) {
      const text = stock.texts[i % stock.texts.length]!;
      const query = `"${text.replace(/["\\]/g, '\\$&')}"`;
      expect(foundIn(one, (await run(one, query)) as Hits), query).toEqual(wantedBy(query, one));
    }
  });

  it('reads no line if columns decide, and only chunks in which something is undecided', async () => {
    const one = told.find(({ frames }) => frames.length > 60)!;
    const source = sourceOf(one);
    source.read = 0;
    await run(one, 'from:agent -is:delta OR size:1..*');
    expect(source.read).toBe(0);
    await run(one, 'f:1 @id:*');
    expect(source.read).toBe(1);
    source.read = 0;
    await run(one, '@id:*');
    expect(source.read).toBe(source.head.tape.chunks);
  });

  it('says where a query cannot be read', async () => {
    const error = await run(told[0]!, 'from:agent tol:Shell');
    expect(error).toBeInstanceOf(QueryError);
    expect(error).toMatchObject({ at: 11, length: 4 });
  });

  it('refuses a pattern that may take forever', async () => {
    for (const query of ['/(a+)+$/', '@id:/(x|y)*z/', '/(a)\\1/', '/a*b*c*d*e*f*/']) {
      const error = await run(told[0]!, query);
      expect(error, query).toBeInstanceOf(QueryError);
      expect((error as QueryError).message, query).toBe('this regular expression may take too long in a page');
    }
  });

  it('stops when it is no longer wanted, with what it has found', async () => {
    const one = told.find(({ frames }) => frames.length > 5000)!;
    const control = new AbortController();
    const search = new PageSearch(sourceOf(one)).run('@jsonrpc:*', () => {}, control.signal);
    control.abort();
    const hits = (await search) as Hits;
    expect(hits.partial).toBe(true);
    expect(hits.count).toBeLessThan(wantedBy('@jsonrpc:*', one).length);
  });
});
