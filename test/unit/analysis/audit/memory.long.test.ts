/** Floods: what is held stays bounded, and what is let go was told as the end would have it. */
import { describe, expect, it } from 'vitest';
import { Audit } from '../../../../lib/analysis/audit/audit.ts';
import type { ApprovalRow } from '../../../../lib/analysis/audit/row.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import { TimelineBuilder } from '../../../../lib/model/timeline/builder.ts';
import { SessionReader } from '../../../../lib/session/reader.ts';
import * as $ from '../../../support/audit.ts';
import type { Said } from '../../../support/reading.ts';

/** From so many on, everything is full. */
const FULL = 10_500;
const FLOOD = 12_000;

function flood(lines: (i: number) => Said[], count = FLOOD) {
  const audit = new Audit({ command: [], dialect: 'wire' });
  const reader = new SessionReader(wire, { command: [] });
  const builder = new TimelineBuilder({ keep: false });
  const rows = new Map<number, ApprovalRow>();
  let f = 0;
  const held = { early: 0, late: 0 };
  const take = (said: Said[]) => {
    for (const frame of $.sessionOf(said)) {
      const reading = reader.read({ ...frame, f: ++f, t: f });
      for (const row of audit.take({ ...reading, where: builder.take(reading), ledger: builder.ledger }))
        rows.set(row.f, row);
    }
  };
  take([$.prompts('p'), $.begins('p')]);
  for (let i = 0; i < count; i++) {
    take(lines(i));
    const when = i < FULL ? 'early' : 'late';
    if (i % 500 === 0) held[when] = Math.max(held[when], audit.retained + builder.ledger.retained);
  }
  for (const row of audit.end()) rows.set(row.f, row);
  return { rows, held };
}

describe('a flood', () => {
  it('of calls that nobody asked about', () => {
    const { rows, held } = flood((i) => [$.calls(`c${i}`), $.results(`c${i}`)]);
    expect(rows.size).toBe(FLOOD);
    expect(held.late).toBeLessThanOrEqual(held.early);
  });

  it('of calls of tools that nobody knows', () => {
    const { rows, held } = flood((i) => [$.calls(`c${i}`, `tool${i % 500}`), $.results(`c${i}`)]);
    expect(rows.size).toBe(0);
    expect(held.late).toBeLessThanOrEqual(held.early);
  });

  it('of requests that are answered', () => {
    const { rows, held } = flood((i) => [
      ...[$.calls(`c${i}`), $.wants(`r${i}`, `c${i}`), $.decides(`r${i}`, 'approve')],
      ...[$.resolves(`r${i}`, 'approve'), $.results(`c${i}`)],
    ]);
    expect(rows.size).toBe(FLOOD);
    expect([...rows.values()].every((row) => row.decision === 'allow' && row.result === 'ok')).toBe(true);
    expect(held.late).toBeLessThanOrEqual(held.early);
  });

  it('of requests that nobody answers', () => {
    const { rows, held } = flood((i) => [$.wants(`r${i}`, `c${i}`)]);
    expect(rows.size).toBe(FLOOD);
    expect([...rows.values()].filter(({ flags }) => flags.join() !== 'unlinked,unresolved')).toEqual([]);
    expect(held.late).toBeLessThanOrEqual(held.early);
  });

  it('of questions within one call', () => {
    const ask = (i: number) => [
      ...(i === 0 ? [$.calls('c', 'lookup')] : []),
      $.asks(`r${i}`, 'QuestionRequest', { tool_call_id: 'c', questions: [] }),
      $.replies(`r${i}`, { request_id: `r${i}`, answers: { a: 1 } }),
    ];
    const { rows } = flood((i) => (i === 3000 ? [$.results('c')] : ask(i)), 3001);
    expect(rows.size).toBe(3000);
    // Only the latest of them are told of the result.
    expect([...rows.values()].filter(({ result }) => result === 'ok').length).toBe(1000);
  });

  it('of arguments: the oldest are let go', () => {
    const long = { command: 'x'.repeat(1 << 20) };
    const { rows } = flood((i) => (i < 50 ? [$.calls(`c${i}`, 'Shell', long)] : [$.results(`c${i - 50}`)]), 100);
    const kept = [...rows.values()].map((row) => row.arguments !== null);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, false, true]);
  });
});
