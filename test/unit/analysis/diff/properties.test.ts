/** Properties of a diff: runs of one script are the same, a planted change is found and nothing else, sides mirror. */
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type DiffOptions, diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import type { DiffEntry, SessionDiff } from '../../../../lib/analysis/diff/result.ts';
import { cases } from '../../../support/scale.ts';
import {
  CWD,
  PROTOCOLS,
  type Protocol,
  played,
  type Script,
  type ScriptedCall,
  type ScriptedItem,
  TMP,
  UUID,
} from '../../../support/scripted.ts';

const RUNS = 30;
/** Many sessions are made and compared in each. */
const PATIENCE = 120_000;

const words = fc
  .array(
    fc.constantFrom(
      'read',
      'the',
      'file',
      'then',
      'fix',
      'tests',
      'please',
      'now',
      'all',
      'of',
      'them',
      'ok',
      CWD,
      TMP,
      UUID,
      '漢字',
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((list) => list.join(' '));

const call: fc.Arbitrary<ScriptedCall> = fc.record({
  is: fc.constant('call' as const),
  tool: fc.constantFrom('Shell', 'ReadFile', 'WriteFile'),
  args: fc.record({ command: words, path: fc.constantFrom(`${CWD}/a.txt`, `${TMP}/b.txt`), n: fc.nat(3) }),
  asked: fc.constantFrom('approve' as const, 'reject' as const, null),
  result: words,
});
const item: fc.Arbitrary<ScriptedItem> = fc.oneof(fc.record({ is: fc.constant('text' as const), text: words }), call);
const turn = fc.record({
  prompt: words,
  steps: fc.array(fc.array(item, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
});
const script = fc.array(turn, { minLength: 1, maxLength: 3 }).map(separated);
const protocol = fc.constantFrom(...PROTOCOLS);
const style = fc.nat(1_000_000);

/** Texts that follow each other would be one, where steps are not marked: a step ends with a call. */
function separated(made: Script): Script {
  let n = 0;
  const end = (): ScriptedCall => ({
    is: 'call',
    tool: 'Glob',
    args: { pattern: `end ${n++}` },
    asked: null,
    result: 'done',
  });
  return made.map(({ prompt, steps }) => ({
    prompt,
    steps: steps.map((items) => [...items.filter((one, i) => one.is === 'call' || items[i - 1]?.is !== 'text'), end()]),
  }));
}

/** What counts, without frames and paths. */
const told = ({ entries }: SessionDiff) =>
  entries.filter(({ op, masked, section }) => op !== 'same' && !masked && section === 'conversation');

const diff = (a: Script, b: Script, how: Protocol, [one, other]: [number, number], options: DiffOptions = {}) =>
  diffSessions(played(a, how, one), played(b, how, other), options);

vi.setConfig({ testTimeout: PATIENCE });

describe('two runs of one script', () => {
  it('are the same, whatever ids, times, paths, key order, chunks and open order they have', () => {
    fc.assert(
      fc.property(script, protocol, style, style, (made, how, one, other) => {
        const found = diff(made, made, how, [one, other]);
        expect(found.entries.filter(({ masked, section }) => !masked && section === 'conversation')).toEqual([]);
        expect(found.same).toBe(true);
      }),
      { numRuns: cases(RUNS) },
    );
  });

  it('differ if nothing is masked, and the masked differences can be listed', () => {
    const made: Script = [{ prompt: 'go', steps: [[{ is: 'text', text: `at ${CWD}, see ${TMP}/x and ${UUID}` }]] }];
    expect(diff(made, made, 'wire', [1, 2]).same).toBe(true);
    expect(diff(made, made, 'wire', [1, 2], { strict: true }).same).toBe(false);
    const shown = diff(made, made, 'wire', [1, 2], { showMasked: true });
    expect(shown.same).toBe(true);
    const [text] = shown.entries.filter(({ masked, kind }) => masked && kind === 'text');
    expect(text!.changes[0]!.path).toBe('/text');
  });
});

type Plant = (
  made: Script,
  at: number,
) => { script: Script; expected: Pick<DiffEntry, 'op' | 'kind'> & { path?: string } } | null;

const copy = (made: Script): Script => structuredClone(made);
const stepsIn = (made: Script) => made.flatMap(({ steps }) => steps);
const pick = <T>(list: T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
const calls = (made: Script) =>
  stepsIn(made).flatMap((items) => items.filter((one): one is ScriptedCall => one.is === 'call'));

const PLANTS: Record<string, Plant> = {
  'a decision'(made, at) {
    const script = copy(made);
    const one = pick(
      calls(script).filter(({ asked }) => asked === 'approve'),
      at,
    );
    if (!one) return null;
    one.asked = 'reject';
    return { script, expected: { op: 'changed', kind: 'approval', path: '/decision' } };
  },
  'an argument'(made, at) {
    const script = copy(made);
    const one = pick(
      calls(script).filter(({ args }) => 'command' in args),
      at,
    );
    if (!one) return null;
    one.args.command = `${one.args.command} --planted`;
    return { script, expected: { op: 'changed', kind: 'tool-call', path: '/arguments/command' } };
  },
  'a word in a text'(made, at) {
    const script = copy(made);
    const one = pick(
      stepsIn(script).flatMap((items) => items.filter(({ is }) => is === 'text')),
      at,
    );
    if (!one || one.is === 'call') return null;
    one.text = `${one.text} planted`;
    return { script, expected: { op: 'changed', kind: 'text', path: '/text' } };
  },
  'a missing result'(made, at) {
    const script = copy(made);
    const one = pick(
      calls(script).filter(({ tool, asked }) => tool === 'Glob' && asked === null),
      at,
    )!;
    one.result = null;
    return { script, expected: { op: 'changed', kind: 'tool-call', path: '/result/status' } };
  },
  'an extra call'(made, at) {
    const script = copy(made);
    const items = pick(stepsIn(script), at)!;
    items.splice(at % items.length, 0, {
      is: 'call',
      tool: 'Extra',
      args: { planted: true },
      asked: null,
      result: 'x',
    });
    return { script, expected: { op: 'added', kind: 'tool-call' } };
  },
  'a prompt'(made, at) {
    const script = copy(made);
    pick(script, at)!.prompt += ' planted';
    return { script, expected: { op: 'changed', kind: 'turn', path: '/prompt' } };
  },
};

describe('what is the same', () => {
  it('is listed if asked for: then every entry of both sides is there once, and the differences are the same', () => {
    fc.assert(
      fc.property(script, script, protocol, style, style, (made, other, how, one, two) => {
        const options: DiffOptions = { showMasked: true };
        const plain = diff(made, other, how, [one, two], options);
        const whole = diff(made, other, how, [one, two], { ...options, showSame: true });
        expect(whole.entries.filter(({ op }) => op !== 'same')).toEqual(plain.entries);
        expect({ ...whole, entries: [] }).toEqual({ ...plain, entries: [] });
        for (const side of ['a', 'b'] as const) {
          // Of what only one side has, the parts are not listed by themselves.
          const paths = whole.entries
            .filter(({ section, op, masked }) => section === 'conversation' && op !== 'moved' && !masked)
            .flatMap((entry) => entry[side].path ?? []);
          expect(new Set(paths).size).toBe(paths.length);
          const turns = paths.filter((path) => path.split('/').length === 3 && path.startsWith('/turn/'));
          expect(turns.length).toBe(side === 'a' ? made.length : other.length);
        }
      }),
      { numRuns: cases(RUNS) },
    );
  });
});

describe('a planted change', () => {
  it.each(Object.entries(PLANTS))('%s is found, and only it', (_, plant) => {
    fc.assert(
      fc.property(script, protocol, style, style, fc.nat(20), (made, how, one, other, at) => {
        const planted = plant(made, at);
        fc.pre(planted !== null);
        const { script: changed, expected } = planted!;
        const entries = told(diff(made, changed, how, [one, other]));
        const own = entries.filter(({ kind, op }) => kind === expected.kind && op === expected.op);
        // A rejected call has an error for a result, and a change of arguments may be asked about.
        const allowed = new Set(
          ['a decision', 'an argument', 'a missing result'].includes(_) ? ['tool-call', 'approval', 'step'] : [],
        );
        expect(own).toHaveLength(1);
        expect(entries.filter((entry) => entry !== own[0] && !allowed.has(entry.kind))).toEqual([]);
        if (expected.path) expect(own[0]!.changes.map(({ path }) => path)).toContain(expected.path);
        if (allowed.size === 0) expect(own[0]!.changes).toHaveLength(1);
      }),
      { numRuns: cases(RUNS) },
    );
  });

  it('a moved step is found as such', () => {
    const step = (n: number): ScriptedItem[] => [
      { is: 'text', text: `say ${n} of it` },
      { is: 'call', tool: 'Shell', args: { command: `run ${n}` }, asked: null, result: `${n}` },
    ];
    const made: Script = [{ prompt: 'go', steps: [step(1), step(2), step(3), step(4)] }];
    const moved: Script = [{ prompt: 'go', steps: [step(1), step(3), step(4), step(2)] }];
    const entries = told(diff(made, moved, 'wire', [1, 2]));
    expect(entries.map(({ op, kind, a, b }) => [op, kind, a.path, b.path])).toEqual([
      ['moved', 'step', '/turn/1/step/2', '/turn/1/step/4'],
    ]);
  });
});

/** An entry as the other side sees it. */
function mirrored(entry: DiffEntry): unknown {
  const ops: Record<string, string> = { added: 'removed', removed: 'added' };
  const { op, kind, a, b, changes, masked } = entry;
  return {
    ...{ op: ops[op] ?? op, kind, masked, a: b, b: a },
    changes: sorted(changes.map((change) => ({ op: ops[change.op] ?? change.op, a: change.b, b: change.a }))),
  };
}

const plainly = (entry: DiffEntry): unknown => {
  const { op, kind, a, b, changes, masked } = entry;
  return {
    op,
    kind,
    masked,
    a,
    b,
    changes: sorted(changes.map((change) => ({ op: change.op, a: change.a, b: change.b }))),
  };
};
const sorted = (rows: unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

describe('the two sides', () => {
  it('mirror each other, also if they have little in common', () => {
    fc.assert(
      fc.property(script, script, protocol, style, style, (one, other, how, a, b) => {
        const there = diff(one, other, how, [a, b]);
        const back = diff(other, one, how, [b, a]);
        expect(sorted(back.entries.map(plainly))).toEqual(sorted(there.entries.map(mirrored)));
      }),
      { numRuns: cases(RUNS) },
    );
  });

  it('give the same answer if they are read twice, as long sessions are', () => {
    fc.assert(
      fc.property(script, script, protocol, style, style, (one, other, how, a, b) => {
        // A turn that both have.
        const [left, right] = [
          [...one, one[0]!],
          [one[0]!, ...other],
        ];
        const once = diff(left, right, how, [a, b]);
        const twice = diff(left, right, how, [a, b], { short: 1 });
        expect(twice).toEqual(once);
      }),
      { numRuns: cases(RUNS) },
    );
  });
});
