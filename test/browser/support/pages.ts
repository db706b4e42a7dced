/**
 * Pages of real sessions: three of each dialect, exported by the built program. Where fewer are recorded, what one of them
 * had said when half of it was over is another one: a session that was cut off.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Summary } from '../../../lib/session/summary.ts';
import { IMPORTS } from '../../support/imports.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import type { TestJournal } from '../../support/journal.ts';
import { OddTalk } from '../../support/odd-session.ts';
import { randomOf } from '../../support/random-query.ts';
import { wiretape } from '../../support/run.ts';
import { makeSession, rpc } from '../../support/session.ts';
import type { Place } from '../../support/store.ts';
import { FIXTURES } from '../../support/stream-lines.ts';

const OF_EACH = 3;

export interface Exported {
  summary: Summary;
  file: string;
}

/** What a command prints as JSON, a line each or one for all. */
export async function asked<T = Record<string, unknown>>(place: Place, ...args: string[]): Promise<T[]> {
  const { stdout, stderr, code } = await wiretapeHere(place, [...args, '--json']);
  if (code !== 0 && code !== 1) throw new Error(`${args.join(' ')}: exit ${code}: ${stderr}`);
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** As it was recorded: for tests that compare pages with tapes. */
export const UNREDACTED = ['--redact', 'none'];

/** Exports a session, or two that are compared, to a file. */
export async function exportPage(
  place: Place,
  sessions: readonly string[],
  name: string,
  ...more: string[]
): Promise<string> {
  const file = join(place.dir, `${name}.html`);
  const { stderr, code } = await wiretape(place, ['export', ...sessions, '--format', 'html', '-o', file, ...more]);
  expect({ code, stderr: `${stderr}` }).toMatchObject({ code: 0 });
  return file;
}

/** Three pages of every dialect, by its name. */
export async function pagesOfDialects(place: Place): Promise<Map<string, Exported[]>> {
  await fillStore(place);
  const byDialect = new Map<string, Summary[]>();
  for (const summary of await asked<Summary>(place, 'ls', '--limit', '1000')) {
    const known = byDialect.get(summary.dialect!) ?? [];
    if (known.length < OF_EACH) byDialect.set(summary.dialect!, [...known, summary]);
  }
  const pages = new Map<string, Exported[]>();
  for (const [dialect, all] of byDialect)
    pages.set(
      dialect,
      await Promise.all(all.map(async (summary) => ({ summary, file: await exportHere(place, summary) }))),
    );
  return pages;
}

/** Without a process of its own, because there are so many. */
async function exportHere(place: Place, { session }: Summary): Promise<string> {
  const file = join(place.dir, `${session}.html`);
  const { stderr, code } = await wiretapeHere(place, [
    'export',
    session,
    '--format',
    'html',
    '-o',
    file,
    '--redact',
    'none',
  ]);
  expect({ code, stderr: `${stderr}` }).toMatchObject({ code: 0 });
  return file;
}

async function fillStore(place: Place): Promise<void> {
  const logs = join(place.dir, 'logs');
  mkdirSync(logs);
  const names = (readdirSync(FIXTURES, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl'))
    .sort();
  for (const folder of new Set(names.map((name) => name.split('/')[0]!))) {
    const own = names.filter((name) => name.startsWith(`${folder}/`)).slice(0, OF_EACH);
    for (const name of own) copyLog(name, logs, 1);
    if (own.length < OF_EACH) copyLog(own[0]!, logs, 0.5);
    if (own.length < OF_EACH - 1) copyLog(own[0]!, logs, 0.75);
  }
  await asked(place, 'import', logs);
  makeOdd(place);
  await asked(place, 'import', join(IMPORTS, 'kimi-code-2.1.0-shell'));
  await importParts(place, 'kimi-code', [0.5, 0.75], logs);
}

/** What no real program of ours speaks: JSON-RPC that nobody knows, and lines that are no protocol. */
function makeOdd(place: Place): void {
  for (let i = 0; i < OF_EACH; i++) {
    const rpcTalk = (journal: TestJournal) => {
      for (let n = 0; n < 5 + 10 * i; n++) {
        journal.data('client', n * 3000, rpc({ id: n, method: `custom/${n % 3}`, params: { text: `问 ${n} <i>` } }));
        if (n % 4 !== 3)
          journal.data(
            'agent',
            n * 3000 + 1000,
            rpc(n % 4 ? { id: n, result: [n] } : { id: n, error: { code: -1, message: 'no' } }),
          );
      }
      journal.exit(1_000_000, { code: i, signal: null });
    };
    const lines = (journal: TestJournal) => {
      for (let n = 0; n <= 20 * i; n++)
        journal.data(n % 2 ? 'agent' : 'client', n * 1000, `plain line ${n} <b>\u001b[3${n % 8}m\n`);
      journal.exit(1_000_000);
    };
    makeSession(place.home, rpcTalk, { id: `20261116T00000${i}-rpc${i}`, about: { command: ['own'] } });
    makeSession(place.home, lines, { id: `20261116T00001${i}-lin${i}`, about: { command: ['cat'] } });
  }
  makeSession(place.home, (journal) => new OddTalk(randomOf(1), journal).play('wire', 60), {
    id: '20991116T000020-oddw',
  });
}

/** The first parts of a tape of a dialect that only imports have. */
async function importParts(place: Place, dialect: string, shares: readonly number[], into: string): Promise<void> {
  const all = await asked<Summary>(place, 'ls', '--limit', '1000');
  const { tape } = all.find((one) => one.dialect === dialect)!;
  const lines = readFileSync(tape, 'utf8').split('\n');
  for (const share of shares) {
    const path = join(into, `part-${share}.jsonl`);
    writeFileSync(path, `${lines.slice(0, Math.ceil(lines.length * share)).join('\n')}\n`);
    await asked(place, 'import', path);
  }
}

/** The first part of a log, with what is known about its program. */
function copyLog(name: string, into: string, share: number): void {
  const [from, to] = [
    join(FIXTURES, name),
    join(into, `${name.replace('/', '-').replace('.jsonl', '')}-${share * 100}`),
  ];
  const lines = readFileSync(from, 'utf8').split('\n');
  writeFileSync(`${to}.jsonl`, `${lines.slice(0, Math.ceil(lines.length * share)).join('\n')}\n`);
  const about = readFileSync(from.replace('.jsonl', '.meta.jsonl'), 'utf8').split('\n');
  writeFileSync(`${to}.meta.jsonl`, about.filter((line) => share === 1 || line.includes('"spawn"')).join('\n'));
}
