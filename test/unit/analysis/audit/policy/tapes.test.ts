/**
 * Policies over every tape of the suite, of every agent: what ran is denied by default, and never allowed if a rule denies its
 * command or its path. What a call ran is read from the raw lines here, by nothing of the program.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { comparePolicy } from '../../../../../lib/analysis/audit/policy/compare.ts';
import { readPolicy } from '../../../../../lib/analysis/audit/policy/read.ts';
import type { ApprovalRow } from '../../../../../lib/analysis/audit/row.ts';
import type { Frame } from '../../../../../lib/model/frame.ts';
import { type Audited, auditFile, auditTape } from '../../../../support/audit.ts';

const roots = ['../../../../fixtures/', '../../../../../samples/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Recordings, and logs of lines. The other files of agents have no calls of a pipe, or are broken on purpose. */
function auditOf(path: string): Audited | null {
  const first = readFileSync(path, 'utf8').split('\n', 1)[0]!;
  if (/^\{.*"dir":.*"line":/.test(first)) return auditTape(path);
  return first.startsWith('{"type":"metadata","wiretape":1') ? auditFile(path) : null;
}

const tapes = roots.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl') && !/^(?:broken|disk)\//.test(name))
    .map((name) => ({ name, path: `${root}${name}` })),
);

const verdict = (policy: string, row: ApprovalRow) => comparePolicy(readPolicy(policy), row, '/w').verdict;

// What the raw lines say

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A text may be JSON itself, such as the arguments of a function. */
function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The innermost objects that have this id as a value. A line of a subagent names the call that started it. */
function about(value: unknown, id: string): Json[] {
  if (!isJson(value)) return [];
  const inner = Object.values(value).flatMap((one) => about(one, id));
  if (inner.length > 0) return inner;
  return Object.entries(value).some(([key, one]) => one === id && !/parent/i.test(key)) ? [value] : [];
}

function under(value: unknown, key: RegExp): string[] {
  const plain = opened(value);
  if (!isJson(plain)) return [];
  return Object.entries(plain).flatMap(([name, one]) => {
    if (!key.test(name)) return under(one, key);
    if (typeof one === 'string' && one !== '') return [one];
    return Array.isArray(one) && typeof one[0] === 'string' ? [one.join(' ')] : under(one, key);
  });
}

interface Said {
  commands: string[];
  paths: string[];
}

const RESULTS = /result|output/i;

/** From what the agent says of the call before its result. */
function saidOf({ tool_call_id: id, result_f, kind, action }: ApprovalRow, frames: readonly Frame[]): Said {
  const said: Said = { commands: [], paths: [] };
  if (id === null || kind !== 'approval') return said;
  for (const { f, from, raw } of frames) {
    const text = new TextDecoder().decode(raw);
    if (from !== 'agent' || f >= (result_f ?? Number.POSITIVE_INFINITY) || !text.includes(id)) continue;
    for (const one of about(opened(text), id)) {
      if (RESULTS.test(String(one.type ?? ''))) continue;
      said.commands.push(...under(one, /^(?:command|cmd)$/));
      // The folder in which a command runs is no file of it.
      const folders = under(one, /^cwd$/);
      said.paths.push(...under(one, /^(?:path|file_?path|fileName)$/i).filter((path) => !folders.includes(path)));
      const isTitled =
        action === 'execute' && one.rawInput === undefined && /^(?:\w+: )?\w+ .*[>&|]/.test(String(one.title));
      if (isTitled) said.commands.push(String(one.title).replace(/^\w+: /, ''));
    }
  }
  return { commands: said.commands.filter(isWhole), paths: said.paths.filter(isWhole) };
}

/** Some agents send arguments as far as their model has written them. */
const isWhole = (text: string, _: number, all: readonly string[]) =>
  !all.some((other) => other.length > text.length && other.startsWith(text));

const firstWord = (command: string) => command.trim().split(/\s/, 1)[0]!;
const baseName = (path: string) => path.split('/').at(-1)!;

describe('a policy over every tape', () => {
  const counts = { ran: 0, commands: 0, paths: 0 };

  it.each(tapes)('$name', ({ path }) => {
    const audited = auditOf(path);
    const ran = (audited?.rows ?? []).filter(({ kind, executed }) => kind === 'approval' && executed !== 'no');
    for (const row of ran) {
      counts.ran++;
      expect(verdict('default deny', row), `f${row.f}`).toBe('deny');
      const { commands, paths } = saidOf(row, audited!.frames);
      if (commands.length + paths.length > 0)
        expect(verdict('deny command *\ndeny path *\ndefault allow', row), `f${row.f}`).toBe('deny');
      for (const command of commands) {
        counts.commands++;
        expect(verdict(`deny command ${firstWord(command)}*\ndefault allow`, row), `f${row.f} ${command}`).not.toBe(
          'allow',
        );
      }
      for (const file of paths) {
        counts.paths++;
        expect(verdict(`deny path *${baseName(file)}\ndefault allow`, row), `f${row.f} ${file}`).not.toBe('allow');
      }
    }
  });

  it('has seen calls, and what they ran', () => {
    expect(counts.ran).toBeGreaterThan(150);
    expect(counts.commands).toBeGreaterThan(150);
    expect(counts.paths).toBeGreaterThan(40);
  });
});
