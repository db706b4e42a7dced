/**
 * All the real sessions there are, against what was counted in them by hand. They are not part of the project.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { wireLegacy } from '../../../lib/dialects/wire-legacy/index.ts';
import type { Event } from '../../../lib/model/event.ts';
import type { DecodedFrame } from '../../../lib/model/read-frame.ts';
import { SessionReader } from '../../../lib/session/reader.ts';
import { readLineLog } from '../../../lib/storage/tape/import/line-log.ts';
import { sharedTapesFolder, skipped } from '../../support/shared-folder.ts';

const folder = sharedTapesFolder;
const isThere = folder !== null;

/** The rows of a table about Wire tapes. */
function rows(name: string): Record<string, string>[] {
  if (!isThere) return [];
  const [head, ...lines] = readFileSync(`${folder}/${name}`, 'utf8').trimEnd().split('\n');
  const keys = head!.split('\t');
  const all = lines.map((line) => Object.fromEntries(line.split('\t').map((cell, index) => [keys[index], cell])));
  return all.filter(({ tape }) => tape!.startsWith('wire-')) as Record<string, string>[];
}

const dialectOf = (tape: string) => (/^wire-0\.(46|58)\//.test(tape) ? wireLegacy : wire);

interface Lines {
  command: string[];
  /** From 1, with what they mean. */
  lines: DecodedFrame[];
}

/** Each tape is read once. */
const known = new Map<string, Lines>();

function read(tape: string): Lines {
  const name = tape.replace(/\.jsonl$/, '');
  const lines = known.get(name) ?? decode(name);
  known.set(name, lines);
  return lines;
}

function decode(tape: string): Lines {
  const { frames, command } = readLineLog(`${folder}/${tape}.jsonl`);
  const reader = new SessionReader(dialectOf(tape), { command });
  const lines = frames.map((frame) => reader.read(frame)).filter(({ frame }) => frame.form !== 'event');
  return { command, lines: [undefined!, ...lines] };
}

const has = (event: Event, word: string) => event.flags?.includes(word) ?? false;

/** As TRUTH.tsv counts: what is replayed or sent again is not there, what is answered after the end decides nothing. */
function count(lines: DecodedFrame[]) {
  const turns = new Set<number>();
  const asked = new Map<string | null, string | null>();
  const settled = new Set<string | null>();
  let tools = 0;
  for (const event of lines.flatMap((line) => line?.events ?? [])) {
    if (has(event, 'replayed')) continue;
    if (event.takes !== undefined) turns.add(event.takes);
    if (event.kind === 'tool-call' && !event.restates) tools++;
    if (event.kind === 'approval' && !has(event, 'resent')) asked.set(event.request, null);
    if (event.kind === 'approval-resolved') settled.add(event.request);
    if (event.kind !== 'approval-answer' || settled.has(event.request)) continue;
    if (asked.get(event.request) === null) asked.set(event.request, event.decision);
  }
  const decided = (decision: string | null) => [...asked.values()].filter((one) => one === decision).length;
  return {
    ...{ turns: turns.size, tools, approvals: asked.size },
    ...{ allow: decided('allow'), always: decided('allow-always'), deny: decided('deny'), other: decided(null) },
  };
}

describe.skipIf(!isThere)(`shared tapes${skipped}`, () => {
  it('have the turns, tools, approvals and decisions that were counted', () => {
    const truth = rows('TRUTH.tsv');
    expect(truth.length).toBeGreaterThan(300);
    for (const { tape, client, agent, stderr, ...counts } of truth) {
      const numbers = Object.fromEntries(Object.entries(counts).map(([key, cell]) => [key, Number(cell)]));
      expect(count(read(tape!).lines), tape).toEqual(numbers);
    }
  });

  it('have approvals whose answers are marked as the audit marks them', () => {
    const seen = ['wrong-request-id', 'no-request-id', 'bad-word', 'bad-shape', 'both', 'background', 'resent'];
    for (const row of rows('APPROVALS.tsv')) {
      if (row.flags!.includes('under-grant') || row.flags!.includes('plan-mode')) continue;
      const { lines } = read(row.tape!);
      const asked = lines[Number(row.line)]!.events[0]!;
      // A call that should have asked has no request.
      if (asked.kind !== 'approval') continue;
      const answer = lines[Number(row.answer_line)]?.events[0];
      const again = row.resent_lines ? lines[Number(row.resent_lines)]!.events[0]! : undefined;
      const flags = [asked, answer, again].flatMap((event) => event?.flags ?? []);
      const expected = row.flags!.split(',').filter((flag) => seen.includes(flag));
      expect([...new Set(flags)].filter((flag) => seen.includes(flag)).sort(), `${row.tape} ${row.line}`).toEqual(
        expected.sort(),
      );
      if (row.by === 'client' && row.decision !== 'cancelled')
        expect(answer, `${row.tape} ${row.line}`).toMatchObject({ decision: row.decision });
    }
  });

  it('hold nothing that is not known, but what is unknown on purpose', () => {
    const others = new Set<string | null>();
    for (const { tape } of rows('TRUTH.tsv'))
      for (const event of read(tape!).lines.flatMap((line) => line?.events ?? []))
        if (event.kind === 'other') others.add(event.name);
    expect([...others].sort()).toEqual(['no_such_method', 'no_such_notification']);
  });

  it('are recognised by their first lines, and by their command where there are none', () => {
    for (const { tape } of rows('TRUTH.tsv')) {
      const { command, lines } = read(tape!);
      const first = lines.slice(1, 9).flatMap(({ frame }) => {
        const value = parse(new TextDecoder().decode(frame.raw));
        return value && (frame.from === 'client' || frame.from === 'agent') ? [{ from: frame.from, value }] : [];
      });
      const isLegacy = dialectOf(tape!) === wireLegacy;
      const sure = [wire, wireLegacy].map((dialect) => dialect.recognise({ command, lines: first }));
      expect(sure[Number(isLegacy)], tape).toBeGreaterThan(sure[Number(!isLegacy)]!);
      expect(sure[Number(isLegacy)], tape).toBeGreaterThan(0.5);
    }
  });
});

function parse(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
