/**
 * Every part of the program that keeps books says the same of a session: the timeline (as a tree, and as sums only), the
 * audit, `why`, `check`, the facts of queries, `stats` and `ls`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/scale.ts';
import { shared } from '../../support/timeline.ts';
import { Book, disagreements } from './book.ts';
import { cutsOf, kindOf, LONGEST } from './cuts.ts';
import { MADE } from './made.ts';
import { booksOf, disagreementsIn, eventsIn, readImport } from './pass.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

interface Tape {
  /** As `wire-1.49.0/hooks`; of a session folder of kimi, as `0.68-tools/wire`. */
  name: string;
  path: string;
}

/** The tapes below a folder, by the folder that they are in. */
function tapesIn(root: string): Map<string, Tape[]> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl') && !path.endsWith('.meta.jsonl'))
    .sort();
  const folders = new Map<string, Tape[]>();
  for (const path of paths) {
    const parts = path
      .replace(/\.jsonl$/, '')
      .replace(/^session-folders./, '')
      .split(/[\\/]/);
    const folder = parts[0]!;
    const tape = { name: `${folder}/${parts.at(-1)}`, path: join(root, path) };
    folders.set(folder, [...(folders.get(folder) ?? []), tape]);
  }
  return folders;
}

/** Each tape is read once: most shared tapes are also in the suite. */
const read = new Map<string, { found: string[]; compared: string[] }>();

function readOnce(path: string): { found: string[]; compared: string[] } {
  const key = contentOf(path);
  const known = read.get(key);
  if (known) return known;
  const books = booksOf(readImport(path));
  const made = { found: disagreements(books), compared: comparedIn(books) };
  read.set(key, made);
  return made;
}

/** With what lies beside a log. Of foreign files, others in the folder may count. */
function contentOf(path: string): string {
  if (/imports|session-folders/.test(path)) return path;
  const beside = path.replace(/\.jsonl$/, '.meta.jsonl');
  return readFileSync(path, 'latin1') + (existsSync(beside) ? readFileSync(beside, 'latin1') : '');
}

function foundIn(tapes: readonly Tape[]): string[] {
  return tapes.flatMap(({ name, path }) => readOnce(path).found.map((text) => `${name} ${text}`));
}

const held = ['tapes', 'approvals', 'imports'].flatMap((name) => [...tapesIn(join(fixtures, name))]);

describe('all parts of the program agree', () => {
  it.each(held)('on the tapes of %s', (_, tapes) => {
    expect(foundIn(tapes)).toEqual([]);
  });

  it('on sessions made by hand', () => {
    const found = Object.entries(MADE).flatMap(([name, session]) =>
      disagreementsIn(session).map((text) => `${name}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it('on tapes that are cut short', () => {
    const found = new Set<string>();
    for (const [, tapes] of sample(held, 12)) {
      // The tapes of a folder are of one program: one of each kind is enough.
      const tried = new Set<string>();
      for (const { path } of tapes) for (const kind of kindsOfCuts(path, tried)) found.add(kind);
    }
    expect([...found].sort()).toEqual([]);
  });
});

describe.skipIf(!shared)('all parts of the program agree on all shared tapes', () => {
  it.each(shared ? [...tapesIn(shared)] : [])('of %s', (_, tapes) => {
    expect(foundIn(tapes)).toEqual([]);
  });
});

/** What is found only because the tape is cut. */
function kindsOfCuts(path: string, tried: Set<string>): string[] {
  const session = readImport(path);
  const whole = new Set(readOnce(path).found.map(kindOf));
  return cutsOf(session.frames, eventsIn(session, LONGEST), tried).flatMap(({ name, frames }) =>
    disagreementsIn({ ...session, frames })
      .map(kindOf)
      .filter((kind) => !whole.has(kind))
      .map((kind) => `${name}: ${kind}`),
  );
}

describe('the comparison', () => {
  it('tells what differs, what is missing, and nothing else', () => {
    const one = new Book('one', ['ask']);
    const two = new Book('two', ['ask']);
    const three = new Book('three');
    one.say('ask', 4, { wait: 1, tool: 'Shell' });
    two.say('ask', 4, { wait: 1.0000005, tool: undefined });
    three.say('ask', 4, { wait: null });
    one.say('ask', 12, { wait: 1 });
    expect(disagreements([one, two, three])).toEqual([
      'f4 ask.wait: one 1, two 1.000001, three null',
      'f12 ask: one, not two',
    ]);
    expect(disagreements([one, new Book('none')])).toEqual([]);
  });

  it('has at least two opinions on each of these', () => {
    const onTapes = held.flatMap(([, tapes]) => tapes.flatMap(({ path }) => readOnce(path).compared));
    const compared = new Set([...onTapes, ...Object.values(MADE).flatMap((session) => comparedIn(booksOf(session)))]);
    expect(COMPARED.filter((what) => !compared.has(what))).toEqual([]);
  });
});

const COMPARED = [
  ...['call.tool', 'call.turn', 'call.result', 'call.ok', 'call.subagent', 'call.open'],
  ...['turn.prompt', 'turn.status', 'turn.answer', 'turn.end', 'turn.wait', 'prompt.open'],
  ...['ask.kind', 'ask.call', 'ask.tool', 'ask.turn', 'ask.wait', 'ask.decision', 'ask.by', 'ask.answer'],
  ...[
    'ask.cancel',
    'ask.resolved',
    'ask.verdict',
    'ask.result',
    'ask.ok',
    'ask.run',
    'ask.ran',
    'ask.open',
    'ask.gone',
  ],
  ...['ask.answered', 'ask.unanswered', 'frame.turn'],
  ...['process.ending', 'process.code', 'process.signal', 'process.clientEof', 'process.torn'],
  ...['session.turns', 'session.tools', 'session.approvals', 'session.wait', 'session.allow', 'session.none'],
];

/** What two books or more have an opinion on. */
function comparedIn(books: readonly Book[]): string[] {
  const count = new Map<string, number>();
  for (const { said } of books) {
    for (const [subject, all] of said) {
      for (const [key, one] of all) {
        for (const [field, value] of Object.entries(one)) {
          const what = `${key} ${subject}.${field}`;
          if (value !== undefined) count.set(what, (count.get(what) ?? 0) + 1);
        }
      }
    }
  }
  return [...count].filter(([, times]) => times > 1).map(([what]) => what.slice(what.lastIndexOf(' ') + 1));
}
