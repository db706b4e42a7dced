/** Every call that wrote or executed has exactly one row of the audit, whoever was asked (rule N2). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Audit } from '../../../lib/analysis/audit/audit.ts';
import type { Call } from '../../../lib/model/ledger/records.ts';
import { TimelineBuilder } from '../../../lib/model/timeline/builder.ts';
import { SessionReader } from '../../../lib/session/reader.ts';
import { everything, shared } from '../../support/timeline.ts';
import { auditOf } from '../../truth/approvals.mjs';
import { dialectOf, readImport } from './pass.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

function tapesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl') && !path.endsWith('.meta.jsonl'))
    .sort()
    .map((path) => join(root, path));
}

/** It shows that it ran: it succeeded, or the command itself failed. */
const hasRun = ({ result }: Call) => result !== null && (result.ok || /\bexit(?:ed with)? code\b/i.test(result.text));

/** The calls of the timeline that ran, and how many rows each has; those with one row are left out. */
function wronglyCounted(path: string): { calls: number; wrong: string[] } {
  const session = readImport(path);
  const { command, frames } = session;
  const dialect = dialectOf(session);
  const reader = new SessionReader(dialect, { command });
  const builder = new TimelineBuilder();
  const reads = frames.map((frame) => {
    const reading = reader.read(frame);
    return { ...reading, where: builder.take(reading), ledger: builder.ledger };
  });
  // The ledger is of the frame in hand, so the audit needs a pass of its own.
  const again = new TimelineBuilder({ keep: false });
  function* pass() {
    for (const read of reads) yield { ...read, where: again.take(read), ledger: again.ledger };
  }
  const rows = auditOf(new Audit({ command, dialect: dialect.name }), pass()).filter(({ kind }) => kind === 'approval');
  // The client of an MCP server calls the tools itself. Only what Codex does in such a call is asked about.
  const unasked = rows.filter(({ decision }) => decision === 'unasked');
  if (dialect.name === 'mcp') return { calls: 0, wrong: unasked.map(({ f }) => `${path} f${f} is a row`) };
  const items = [...everything(builder.timeline.entries)];
  const calls = items.flatMap((entry) => (entry.is === 'item' && entry.call ? [entry.call] : []));
  const ran = calls.filter((call) => call.writes && !call.client_runs && hasRun(call));
  const wrong = ran.flatMap(({ id, f, tool, result }) => {
    const own = rows.filter((row) => row.tool_call_id === id && row.result_f === result!.f);
    const words = own.map(({ decision, by, executed }) => `${decision} by ${by} ${executed}`);
    return own.length === 1 && own[0]!.executed === 'yes'
      ? []
      : [`${path} f${f} ${tool}: ${words.join(', ') || 'none'}`];
  });
  return { calls: ran.length, wrong };
}

describe('a call that wrote or executed', () => {
  it('has one row, on every tape of the suite', () => {
    const found = ['tapes', 'approvals', 'imports', 'audit'].flatMap((name) => tapesIn(join(fixtures, name)));
    const counted = found.map(wronglyCounted);
    expect(counted.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(counted.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(100);
  });

  it.skipIf(!shared)('has one row, on every shared tape', () => {
    expect(tapesIn(shared!).flatMap((path) => wronglyCounted(path).wrong)).toEqual([]);
  });
});
