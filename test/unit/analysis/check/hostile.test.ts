/** Whatever crosses the pipe, a rule tells of it or is silent: it never throws, and it quotes no more than a line. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Checker } from '../../../../lib/analysis/check/checker.ts';
import type { Finding } from '../../../../lib/dialects/rules/rule.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { cases } from '../../../support/scale.ts';
import { fixtures } from '../../../support/timeline.ts';

const SEED = 7;
/** No stack is high enough to write it, and no word of it is what it seems. */
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const ODD = ['null', 'true', '-1', '1.5', '""', '[]', '{}', '{"toString":1,"valueOf":2}', '[[null]]', deep(20_000)];
const LONG = JSON.stringify('x'.repeat(100_000));

const tapes = [
  'acp',
  'mcp',
  'kimi-stream-json',
  'qwen-rfc',
  'qwen-stream-json-0.15.10',
  'qwen-stream-json-0.24.4',
].flatMap((folder) =>
  readdirSync(join(fixtures, folder))
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl'))
    .map((name) => join(fixtures, folder, name)),
);

/** A line in which one value is another. */
function spoil(frame: Frame, at: number, odd: string): Frame {
  const text = Buffer.from(frame.raw).toString();
  const values = [...text.matchAll(/(?<=":)(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)/g)];
  const value = values[at % Math.max(1, values.length)];
  if (frame.form === 'event' || !value) return frame;
  const spoilt = text.slice(0, value.index) + odd + text.slice(value.index + value[0].length);
  return { ...frame, raw: Buffer.from(spoilt) };
}

function check(command: string[], dialect: string, frames: Frame[]): void {
  const checker = new Checker({ command, dialect, source: 'record' });
  const found: Finding[] = [];
  // Frame by frame: the ledger is as it is after the frame in hand.
  for (const read of new Pass({ command, dialect, frames: () => frames })) found.push(...checker.take(read));
  for (const { rule, message } of [...found, ...checker.end()]) {
    expect(message.length, `${rule}: ${message.slice(0, 200)}`).toBeLessThan(2000);
  }
}

describe('hostile sessions', () => {
  it.each([...ODD, LONG].map((odd) => ({ odd, name: odd.slice(0, 30) })))('$name for any value', ({ odd }) => {
    const spot = fc.record({ tape: fc.nat(), frame: fc.nat(), at: fc.nat(40) });
    fc.assert(
      fc.property(fc.array(spot, { minLength: 1, maxLength: 4 }), (spots) => {
        const { command, frames } = readLineLog(tapes[spots[0]!.tape % tapes.length]!);
        const { dialect } = new Pass({ command, frames: () => frames });
        const spoilt = [...frames];
        for (const { frame, at } of spots) {
          const n = frame % frames.length;
          spoilt[n] = spoil(spoilt[n]!, at, odd);
        }
        check(command, dialect, spoilt);
      }),
      { numRuns: cases(60), seed: SEED },
    );
  });
});
