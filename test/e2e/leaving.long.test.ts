/**
 * What leaves the machine: secrets planted in a tape of every dialect are in no file that `export` and `report` write, in
 * nothing embedded or compressed in it, and the tape inside means what the original meant. Files are decoded here by code
 * that shares nothing with what wrote them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { FORMATS } from '../../lib/output/export/index.ts';
import { replaysTheSame } from '../../lib/replay/rehearse-session.ts';
import { Pass } from '../../lib/session/pass.ts';
import { type Session, sessionInMemory } from '../../lib/session/session.ts';
import { withSession } from '../../lib/storage/store/open.ts';
import { tapeLines } from '../../lib/storage/tape/tape-lines.ts';
import { fixtureSessions } from '../support/fixture-sessions.ts';
import { wiretapeHere } from '../support/in-process.ts';
import { KEYS } from '../support/planted.ts';
import { lineOf, meaning, placesIn, plantedIn, readings, WRITTEN, withLine } from '../support/planting.ts';
import { it, type Place } from '../support/store.ts';

const AMONG = 100;

/** Of each dialect the tape with most strings, among those that are soon read. */
const tapes = [
  ...fixtureSessions()
    .reduce((best, one) => {
      const [{ dialect }, frames] = [new Pass(one), [...one.frames()]];
      const strings = frames.length > AMONG ? 0 : placesIn(frames).length;
      if (strings > (best.get(dialect)?.strings ?? 1)) best.set(dialect, { dialect, session: one, strings });
      return best;
    }, new Map<string, { dialect: string; session: Session; strings: number }>())
    .values(),
];

const MARKED = KEYS.find(({ kind }) => kind === 'github-token')!.text;

/** The same secret twice, so that its pseudonym can be compared. */
function markedTwice(session: Session): Session {
  const frames = [...session.frames()];
  const places = placesIn(frames).filter(({ index }, i, all) => all[i - 1]?.index !== index);
  for (const { index, start } of [places[0]!, places.at(-1)!]) {
    const line = lineOf(frames[index]!);
    frames[index] = withLine(frames[index]!, `${line.slice(0, start)}marked ${MARKED} ${line.slice(start)}`);
  }
  return sessionInMemory(session.metadata, frames);
}

const bytesOf = ({ metadata, frames }: Session): Buffer =>
  Buffer.concat([...tapeLines(metadata, frames())].map((piece) => Buffer.from(piece)));

function* filesIn(name: string, bytes: Buffer): Generator<{ name: string; text: string }> {
  if (bytes.readUInt32LE(0) !== 0x04034b50) {
    const text = bytes.toString();
    yield { name, text };
    for (const [, id, block] of text.matchAll(/id="([^"]+)">([A-Za-z0-9+/]{16,}=*)</g))
      yield { name: `${id} in ${name}`, text: gunzipSync(Buffer.from(block!, 'base64')).toString() };
    return;
  }
  let at = bytes.readUInt32LE(bytes.length - 6);
  for (; bytes.readUInt32LE(at) === 0x02014b50; at += 46 + bytes.readUInt16LE(at + 28)) {
    const inner = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28));
    const head = bytes.readUInt32LE(at + 42);
    const begin = head + 30 + bytes.readUInt16LE(head + 26);
    const content = inflateRawSync(bytes.subarray(begin, begin + bytes.readUInt32LE(at + 20)));
    yield* filesIn(`${inner} in ${name}`, content);
  }
}

/** Secrets that are in a file; of long lines, which only the viewer has, as they stand. */
function survivors(path: string, secrets: readonly string[]): string[] {
  const left = new Set<string>();
  for (const { name, text } of filesIn(path, readFileSync(path))) {
    for (const secret of secrets) if (text.includes(secret)) left.add(`${secret} in ${name}`);
    for (const line of text.split('\n')) {
      if (line.length > 100_000) continue;
      for (const reading of readings(line))
        for (const secret of secrets) if (reading.includes(secret)) left.add(`${secret} in ${name}`);
    }
  }
  return [...left];
}

async function outputsOf(place: Place, tape: string): Promise<Record<string, string>> {
  const exported = FORMATS.filter(({ exact }) => !exact).map(({ name }) => name);
  const paths: Record<string, string> = { report: `${tape}.zip`, text: `${tape}.report.md` };
  const commands = [
    ['report', tape, '-o', paths.report!],
    ['report', tape, '--md', '-o', paths.text!],
  ];
  for (const name of exported) {
    paths[name] = `${tape}.${name}`;
    commands.push(['export', tape, '-f', name, '-o', paths[name]]);
  }
  for (const command of commands) {
    const { code, stderr } = await wiretapeHere(place, command);
    expect([command, code, code === 0 ? '' : stderr.toString()]).toEqual([command, 0, '']);
  }
  return paths;
}

describe('what leaves the machine', () => {
  it('is looked at in many dialects', () => {
    expect(tapes.length).toBeGreaterThan(12);
  });

  it('would be found here if it were not redacted', async ({ place }) => {
    const tape = join(place.dir, 'tape.jsonl');
    writeFileSync(tape, bytesOf(markedTwice(tapes[0]!.session)));
    for (const args of [
      ['report', tape, '-o', `${tape}.zip`],
      ['export', tape, '-f', 'html', '-o', `${tape}.html`],
      ['export', tape, '-f', 'md', '-o', `${tape}.md`],
    ]) {
      expect((await wiretapeHere(place, [...args, '--redact', 'none'])).code).toBe(0);
      expect(survivors(args.at(-1)!, [MARKED])).not.toEqual([]);
    }
  });

  it.for(tapes.map((tape, turn) => ({ ...tape, turn })))('$dialect', async ({ session, dialect, turn }, { place }) => {
    const ways = Object.values(WRITTEN);
    const planted = plantedIn(session, ways[turn % ways.length]!, turn * 13);
    const tape = join(place.dir, 'tape.jsonl');
    writeFileSync(tape, bytesOf(markedTwice(planted.session)));
    const secrets = [...planted.secrets, MARKED];
    const paths = await outputsOf(place, tape);
    for (const path of Object.values(paths)) expect(survivors(path, secrets), path).toEqual([]);

    await withSession(place.home, tape, async (original) => {
      const expected = meaning(original, dialect);
      const { same, requests } = await replaysTheSame(original);
      const lines: string[] = [];
      for (const path of [paths.html!, paths.report!])
        await withSession(place.home, path, async (redacted) => {
          expect(meaning(redacted, dialect)).toEqual(expected);
          expect(await replaysTheSame(redacted)).toMatchObject({ same, requests });
          lines.push([...redacted.frames()].map(lineOf).join('\n'));
        });
      // The same names for the same values, in a file and in all of them.
      expect(lines[1]).toBe(lines[0]);
      const names = [...lines[0]!.matchAll(/marked (\S+)/g)].map(([, name]) => name);
      expect(names.length).toBeGreaterThan(1);
      expect(new Set(names).size).toBe(1);
      expect(names[0]).toMatch(/^\[TOKEN_\d+\]/);
    });
    const verified = await wiretapeHere(place, ['verify', paths.html!, paths.report!]);
    expect([verified.code, verified.stderr.toString()]).toEqual([0, 'wiretape: 2 tapes: 2 intact\n']);
  });
});
