/** The library answers what the commands print, and its page names all that it exports. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { rowJson } from '../../../../lib/analysis/audit/row-json.ts';
import * as library from '../../../../lib/index.ts';
import { microsOf } from '../../../../lib/model/frame.ts';
import { statsRow } from '../../../../lib/session/stats-json.ts';
import { IMPORTS, importOne } from '../../../support/imports.ts';
import { rowsOf } from '../../../support/main.ts';
import { makeSession, smallTalk } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const { openSession } = library;
const page = readFileSync(fileURLToPath(new URL('../../../../docs/library.md', import.meta.url)), 'utf8');
const WIRE = `${IMPORTS}line-logs/wire-1.49.0-subagent_parallel.jsonl`;

function opened(place: Place) {
  importOne(place, WIRE);
  return openSession('last', { home: place.home });
}

describe('openSession', () => {
  it('answers everything in one pass as it does one by one', ({ place }) => {
    const session = opened(place);
    const all = session.ask('summary', 'timeline', 'stats', 'approvals', 'findings', 'obligations');
    expect(all.summary).toEqual(session.summary());
    expect(all.timeline).toEqual(session.timeline());
    expect(all.stats).toEqual(session.stats());
    expect(all.approvals).toEqual(session.approvals());
    expect(all.findings).toEqual(session.findings());
    expect(all.obligations).toEqual(session.obligations());
    session.close();
  });

  it('says what the commands say', async ({ place }) => {
    const session = opened(place);
    const { metadata } = session;
    const printed = (...argv: string[]) => rowsOf(place, ...argv);
    const json = (value: unknown) => JSON.parse(JSON.stringify(value));
    const { summary, stats, timeline, approvals, findings } = session.ask(
      ...(['summary', 'stats', 'timeline', 'approvals', 'findings'] as const),
    );
    expect(json({ ...summary, ...statsRow(stats, timeline) })).toEqual((await printed('stats', '--json'))[0]);
    const startedAt = microsOf(metadata.started_at);
    expect(approvals.map((row) => json({ ...rowJson(session.id, startedAt, row), caveats: [] }))).toEqual(
      await printed('approvals', 'last', '--all', '--json'),
    );
    expect(findings.map(({ rule, f }) => [rule, f])).toEqual(
      (await printed('check', '--json')).map(({ rule, f }) => [rule, f]),
    );
    const query = 'kind:approval,tool-call OR latency:*';
    const rows = await printed('filter', query, 'last', '--json');
    expect(rows.length).toBeGreaterThan(3);
    expect(
      [...session.query(query)].map(({ facts: { f, pair_f, wait, approval } }) => ({ f, pair_f, wait, approval })),
    ).toEqual(rows.map(({ f, pair_f, wait, approval }) => ({ f, pair_f, wait, approval })));
    session.close();
  });

  it('gives frames that may be kept', ({ place }) => {
    const { tape } = makeSession(place.home, smallTalk);
    const session = openSession(tape);
    const frames = [...session.frames()];
    expect(frames.map(({ from, event }) => event ?? from)).toEqual(['spawn', 'client', 'agent', 'exit']);
    expect(library.readMessage(library.textOf(frames[1]!.raw))).toMatchObject({ method: 'prompt', id: 1 });
    expect([...session.query('')].map(({ frame }) => Buffer.from(frame.raw).toString())).toEqual(
      frames.map(({ raw }) => Buffer.from(raw).toString()),
    );
    session.close();
  });

  it('leaves no file open', ({ place }) => {
    makeSession(place.home, smallTalk);
    const before = readdirSync('/proc/self/fd').length;
    for (let i = 0; i < 20; i++) {
      const session = openSession('last', { home: place.home });
      for (const _ of session.frames()) break;
      for (const _ of session.query('f:1')) break;
      session.close();
    }
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });

  it('throws a Failure that says what is wrong', ({ place }) => {
    makeSession(place.home, smallTalk);
    const { home } = place;
    expect(() => openSession('nothing-like-it', { home })).toThrow(library.Failure);
    expect(() => openSession('last', { home, dialect: 'latin' })).toThrow('unknown dialect "latin"');
    expect(() => [...openSession('last', { home }).query('kind:')]).toThrow(library.Failure);
  });
});

describe('docs/library.md', () => {
  it('names every function and class that the library exports, and every member of a session', ({ place }) => {
    makeSession(place.home, smallTalk);
    const session = openSession('last', { home: place.home });
    const members = Object.getOwnPropertyNames(Object.getPrototypeOf(session)).filter((name) => name !== 'constructor');
    for (const name of [...Object.keys(library), ...members]) expect(page).toMatch(new RegExp(`\`${name}\\b`));
    session.close();
  });
});
