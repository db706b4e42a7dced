/** What the tables of a page say is what the commands say, for every recorded session. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../../../lib/dialects/rules/rule.ts';
import { sizeOf } from '../../../../../lib/model/frame.ts';
import { FLAGS } from '../../../../../lib/output/viewer/approvals/flags.ts';
import { type AuditRow, type AuditSum, coveredBy } from '../../../../../lib/output/viewer/approvals/model.ts';
import type { RuleEntry } from '../../../../../lib/output/viewer/findings/model.ts';
import type { FrameSource } from '../../../../../lib/output/viewer/source.ts';
import {
  type StatsJson,
  slowestCalls,
  tokensByTurn,
  trafficByKind,
} from '../../../../../lib/output/viewer/stats/model.ts';
import { fixtureSessions } from '../../../../support/fixture-sessions.ts';
import { sourcesOf } from '../../../../support/page.ts';
import { sample } from '../../../../support/scale.ts';

/** Pages are made of many sessions. */
const PATIENCE = 180_000;

describe('the tables of a page', () => {
  const sources: FrameSource[] = [];

  beforeAll(async () => {
    for (const session of sample(fixtureSessions(), 40)) sources.push(...(await sourcesOf([session])).sources);
  }, PATIENCE);

  const statsOf = ({ head }: FrameSource) => head.stats as unknown as StatsJson;

  const kindsOf = async ({ frames }: FrameSource) => {
    const [from, kind, size, event] = await Promise.all(
      (['from', 'kind', 'size', 'event'] as const).map((name) => frames.column(name)),
    );
    return trafficByKind({ from: from!, kind: kind!, size: size!, event: event! }, frames.count);
  };

  it('have each standing grant with the rows that it decided', async () => {
    let grants = 0;
    for (const source of sources) {
      const rows = (await source.approvals()) as unknown as AuditRow[];
      const audit = (await source.audit()) as unknown as AuditSum;
      const covered = coveredBy(rows);
      expect([...covered.keys()]).toEqual(audit.grants.map(({ f }) => f));
      for (const grant of audit.grants) {
        grants++;
        expect(covered.get(grant.f)!.rows.map((i) => rows[i]!.f)).toEqual(grant.covered);
      }
    }
    expect(grants).toBeGreaterThan(0);
  });

  it('say in one line what every row is about, and what every flag means', async () => {
    let seen = 0;
    for (const source of sources)
      for (const { asked, ran, flags } of (await source.approvals()) as unknown as AuditRow[]) {
        seen++;
        expect(asked + ran).not.toMatch(/[\n\r]/);
        for (const flag of flags) if (!flag.startsWith('mode:')) expect(Object.keys(FLAGS.en)).toContain(flag);
      }
    expect(seen).toBeGreaterThan(30);
  });

  it('explain every rule that was broken, and no other', async () => {
    let broken = 0;
    for (const source of sources) {
      const findings = (await source.findings()) as unknown as Finding[];
      const rules = (await source.rules()) as unknown as RuleEntry[];
      expect(rules.map(({ rule }) => rule).sort()).toEqual([...new Set(findings.map(({ rule }) => rule))].sort());
      for (const { title, means, fix } of rules)
        expect([title, means, fix].every((text) => text.length > 10)).toBe(true);
      broken += rules.length;
    }
    expect(broken).toBeGreaterThan(0);
  });

  it('have the tokens of all turns together', async () => {
    let reported = 0;
    for (const source of sources) {
      const { tokens } = statsOf(source);
      const turns = tokensByTurn(source.head.turns, tokens);
      for (const key of ['input', 'cache_read', 'cache_write', 'output'] as const)
        expect(
          turns.reduce((sum, one) => sum + one[key], 0),
          `${source.head.session} ${key}`,
        ).toBe(tokens[key]);
      reported += turns.length;
    }
    expect(reported).toBeGreaterThan(0);
  });

  it('have the traffic of all kinds together, without line ends and headers', async () => {
    for (const [i, source] of sources.entries()) {
      const kinds = await kindsOf(source);
      const frames = [...sample(fixtureSessions(), 40)[i]!.frames()].filter(({ form }) => form !== 'event');
      const { traffic } = statsOf(source);
      for (const side of ['client', 'agent', 'stderr'] as const) {
        const own = kinds.filter((one) => one.from === side);
        expect(
          own.reduce((sum, { lines }) => sum + lines, 0),
          source.head.session,
        ).toBe(traffic[side].lines);
        const bytes = frames.reduce((sum, frame) => (frame.from === side ? sum + sizeOf(frame) : sum), 0);
        expect(
          own.reduce((sum, one) => sum + one.bytes, 0),
          source.head.session,
        ).toBe(bytes);
      }
    }
  });

  it('count lines on stderr, which are logs, but not its end', async () => {
    let silent = 0;
    for (const source of sources) {
      const { session, counts } = source.head;
      expect(counts.stderr, session).toBe(statsOf(source).traffic.stderr.lines);
      const own = (await kindsOf(source)).filter(({ from }) => from === 'stderr');
      expect(
        own.map(({ kind }) => kind),
        session,
      ).toEqual(counts.stderr > 0 ? ['log'] : []);
      if (counts.stderr === 0) silent++;
    }
    expect(silent).toBeGreaterThan(0);
  });

  it('have the longest run of the tools as the slowest call', async () => {
    let timed = 0;
    for (const source of sources) {
      const longest = Math.max(0, ...statsOf(source).tools.map(({ run }) => run.max ?? 0));
      const calls = { rows: source.rows, body: (row: number) => source.body(row) };
      const all = (await slowestCalls(calls, source.rows.count)).filter(({ isOpen }) => !isOpen);
      expect(all.map(({ run }) => run)).toEqual(all.map(({ run }) => run).toSorted((a, b) => b - a));
      expect(all[0]?.run ?? 0, source.head.session).toBeCloseTo(longest, 5);
      expect(await slowestCalls(calls, 1)).toEqual((await slowestCalls(calls, 5)).slice(0, 1));
      if (all.length > 0) timed++;
    }
    expect(timed).toBeGreaterThan(10);
  });

  it('have what was used, once: the points of usage add up to the tokens of the session', async () => {
    let told = 0;
    for (const source of sources) {
      const { tokens } = statsOf(source);
      const points = await source.usage();
      const sum = points.reduce((all, { output }) => all + (output ?? 0), 0);
      if (sum > 0) told++;
      expect(sum, source.head.session).toBe(tokens.output);
    }
    expect(told).toBeGreaterThan(0);
  });
});
