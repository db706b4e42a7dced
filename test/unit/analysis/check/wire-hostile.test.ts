/** Real Wire sessions in which values are not what they should be: rules tell of them or are silent, and never throw. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { fixtures } from '../../../support/timeline.ts';
import { check } from '../../../support/wire-check.ts';

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const ODD = ['null', '-1.5', '[]', '{}', '{"toString":1,"valueOf":2}', '"constructor"', `"${'x'.repeat(5000)}"`, DEEP];
const VALUE = /(?<=":)(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)/g;

const tapes = readdirSync(fixtures)
  .filter((name) => name.startsWith('wire-'))
  .flatMap((name) => readdirSync(join(fixtures, name)).map((tape) => join(fixtures, name, tape)))
  .filter((path) => path.endsWith('.jsonl') && !path.endsWith('.meta.jsonl'))
  .map((path) => {
    const { command, frames } = readLineLog(path);
    return { command, frames: frames.slice(0, 150), dialect: new Pass({ command, frames: () => frames }).dialect };
  });

/** The line with one of its values, the one at hand, as another. */
function spoilt(frame: Frame, at: number, odd: string): Frame {
  const text = Buffer.from(frame.raw).toString();
  const values = frame.form === 'event' ? [] : [...text.matchAll(VALUE)];
  const value = values[at % Math.max(1, values.length)];
  if (!value) return frame;
  return { ...frame, raw: Buffer.from(text.slice(0, value.index) + odd + text.slice(value.index + value[0].length)) };
}

it.each(ODD.map((odd) => ({ odd, name: odd.slice(0, 30) })))('$name for any value', ({ odd }) => {
  for (const [n, { command, frames, dialect }] of tapes.entries()) {
    // Every seventh line, each time at another value and from another line on.
    const lines = frames.map((frame, i) => (i % 7 === n % 7 ? spoilt(frame, i + n, odd) : frame));
    const longest = check(lines, { command, dialect }).reduce((most, { message }) => Math.max(most, message.length), 0);
    expect(longest).toBeLessThan(1100);
  }
});
