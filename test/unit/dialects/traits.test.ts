/** What dialects say they have and lack, against the list of dialects and against real lines. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readPath } from '../../../lib/analysis/query/lexer-path.ts';
import { somePathValue } from '../../../lib/analysis/query/path.ts';
import { DIALECTS, traitsOf } from '../../../lib/dialects/index.ts';
import { traits } from '../../../lib/dialects/traits.ts';
import { Pass } from '../../../lib/session/pass.ts';
import { readTape } from '../../support/reading.ts';
import { sessionOn } from '../../support/session.ts';

const root = fileURLToPath(new URL('../../fixtures/tapes/', import.meta.url));
const claude = fileURLToPath(new URL('../../fixtures/claude/', import.meta.url));

const KNOWN = DIALECTS.map((dialect) => ({ ...dialect, traits: traitsOf(dialect.name) }));

/** The JSON lines of all tapes, by dialect. */
function linesByDialect(): Map<string, unknown[]> {
  const all = new Map<string, unknown[]>();
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl'))) {
    const { dialect, readings } = readTape(join(root, file));
    const lines = all.get(dialect) ?? [];
    for (const { value } of readings) if (value !== undefined) lines.push(value);
    all.set(dialect, lines);
  }
  for (const file of readdirSync(claude).filter((name) => name.endsWith('.jsonl'))) {
    for (const { value } of new Pass(sessionOn(join(claude, file)))) all.get('stream-json')!.push(value);
  }
  return all;
}

describe('traits', () => {
  it.each(DIALECTS)('are found by the name of $name', ({ name }) => {
    expect(traitsOf(name)).not.toBe(traitsOf(null));
  });

  it.each([null, '', 'newer-dialect', 'toString', '__proto__'])('are the defaults for the name %j', (name) => {
    expect(traitsOf(name)).toEqual(traits({}));
  });

  it.each(KNOWN.filter(({ traits }) => traits.hints.stringIds))('of $name give a reason only with the fact', (one) => {
    expect(one.traits.idsMustBeStrings).toBe(true);
  });
});

describe('what a replay needs', () => {
  const lines = linesByDialect();
  const places = KNOWN.flatMap(({ name, traits: { replay } }) =>
    [...(replay.ids ?? []), ...(replay.volatile ?? [])].map((path) => ({ name, path })),
  );

  it.each(places)('$name has $path in some tape', ({ name, path }) => {
    const steps = readPath(`@${path}:`, 0).path;
    const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';
    expect(lines.get(name)!.some((line) => somePathValue(line, steps, isScalar))).toBe(true);
  });

  const refusing = KNOWN.filter(({ traits }) => traits.replay.refuse);

  it('includes refusals', () => {
    expect(refusing.map(({ name }) => name)).toEqual([
      ...[
        'wire',
        'wire-legacy',
        'letta',
        'stream-json',
        'pi',
        'codex',
        'acp',
        'mcp',
        'copilot',
        'lsp',
        'dap',
        'jsonrpc',
      ],
    ]);
  });

  it.each(refusing)('a refusal of $name is an error to the request, in its own envelope', ({ envelope, traits }) => {
    expect(envelope(traits.replay.refuse!('r-1', 'no/such'))).toMatchObject({ envelope: 'error', id: 'r-1' });
  });

  it.each(['wire', 'wire-legacy', 'stream-json'])('%s refuses in the words of the real agent', (name) => {
    const words = /"((?:Unexpected|Unknown) [^"]*: )"/.exec(
      JSON.stringify(traitsOf(name).replay.refuse!('r', '')),
    )![1]!;
    expect(lines.get(name)!.some((line) => JSON.stringify(line).includes(words))).toBe(true);
  });
});
