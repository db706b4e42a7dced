/** One noun a concept: no type of lib has the name of another, and names say of what they are the limit. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const lib = fileURLToPath(new URL('../../lib/', import.meta.url));
const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const sources = new Map(files.map((file) => [file, readFileSync(join(lib, file), 'utf8')]));

/** Words that name many things and so none. */
const VAGUE = new Set(
  'Told Place Places Part Parts Face Hands Sound Leaving Telling Rest Debts Voice Hearing Stage Bell Alarm'.split(' '),
);
const TYPE = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;
const CONSTANT = /^(?:export )?const ([A-Z][A-Z0-9_]*)\b/gm;
const TOO_SHORT = /^(?:MOST|LONGEST|LARGEST|SHORTEST|LEAST|FEWEST|DEEPEST|MAX|MIN|R\d+)$/;

const namesIn = (pattern: RegExp): [name: string, file: string][] =>
  [...sources].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(([, name]): [string, string] => [name!, file]),
  );

describe('names in lib', () => {
  it('gives each type a name of its own', () => {
    const byName = new Map<string, string[]>();
    for (const [name, file] of namesIn(TYPE)) byName.set(name, [...(byName.get(name) ?? []), file]);
    expect(byName.size).toBeGreaterThan(900);
    expect([...byName].filter(([, declared]) => declared.length > 1)).toEqual([]);
  });

  it('has types that say what they are', () => {
    expect(namesIn(TYPE).filter(([name]) => VAGUE.has(name))).toEqual([]);
  });

  it('has constants that say what they limit', () => {
    const constants = namesIn(CONSTANT);
    expect(constants.length).toBeGreaterThan(900);
    expect(constants.filter(([name]) => TOO_SHORT.test(name))).toEqual([]);
  });
});
