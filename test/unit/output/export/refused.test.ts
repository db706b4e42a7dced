/** A leak in what was written: nothing is there afterwards, and the message does not repeat it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import { prepareOutbound, refuseLeaks } from '../../../../lib/commands/shared/redaction.ts';
import { Exit, type Failure } from '../../../../lib/model/failure.ts';
import { piecesIn } from '../../../../lib/output/export/artefact.ts';
import { inspectedPieces, writePieces } from '../../../../lib/output/export/write-pieces.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { zip } from '../../../../lib/storage/tape/zip.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { pageOf } from '../../../support/page.ts';
import { KEYS } from '../../../support/planted.ts';
import { sessionOn } from '../../../support/session.ts';
import { it } from '../../../support/store.ts';

const SECRET = KEYS.find(({ kind }) => kind === 'github-token')!.text;
const line = (text: string) => ({
  ...{ f: 1, t: 1, t0: null, from: 'agent', form: 'message', eol: '\n', event: null, detail: {} },
  raw: Buffer.from(JSON.stringify({ text })),
});
const session = (text: string) => sessionInMemory(metadataFor('leak'), [line(text) as never]);

/** A redaction that replaced another value, so that what is written has a leak. */
function inspect(path: string): void {
  refuseLeaks(piecesIn(path), [redactSession(sessionOn('samples/tapes/hang.jsonl'))], {});
}

async function* once(bytes: Uint8Array | string): AsyncGenerator<Uint8Array | string> {
  yield bytes;
}

const failureOf = (promise: Promise<unknown>): Promise<Failure> =>
  promise.then(
    () => Promise.reject(new Error('it was written')),
    (error: Failure) => error,
  );

describe('a leak', () => {
  it('in a text, a page or an archive leaves no file', async ({ place }) => {
    const page = await pageOf([session(`a ${SECRET} b`)]);
    const archived: Buffer[] = [];
    for await (const piece of zip([{ name: 'report.html', content: [page] }])) archived.push(piece);
    for (const bytes of [`# text\n${SECRET}\n`, JSON.stringify({ a: `x ${SECRET}` }), page, Buffer.concat(archived)]) {
      const path = join(place.dir, 'out');
      const failure = await failureOf(writePieces(path, false, once(bytes), inspect));
      expect(failure.exitCode).toBe(Exit.no);
      expect(failure.message).toMatch(/found in what was redacted/);
      expect(`${failure.message} ${failure.hint} ${failure.lines}`).not.toContain(SECRET.slice(0, 12));
      expect(String(failure.lines)).toMatch(/token|key/);
      expect(readdirSync(place.dir).filter((name) => name.startsWith('out'))).toEqual([]);
    }
  });

  it('keeps the file that --force would have replaced', async ({ place }) => {
    const path = join(place.dir, 'out');
    writeFileSync(path, 'before');
    await failureOf(writePieces(path, true, once(SECRET), inspect));
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(place.dir).filter((name) => name.startsWith('out'))).toEqual(['out']);
  });

  it('prints nothing', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('wiretape-export-'));
    const printed: unknown[] = [];
    const print = async () => {
      for await (const piece of inspectedPieces(once(`fine\n${SECRET}`), inspect)) printed.push(piece);
    };
    await failureOf(print());
    expect(printed).toEqual([]);
    for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith('wiretape-export-')))
      expect(before.includes(name) || !existsSync(join(tmpdir(), name, 'draft'))).toBe(true);
  });

  it('is allowed by --keep, and a value that was replaced is none in another place', async ({ place }) => {
    const path = join(place.dir, 'out');
    const keeps = (value: string) => value === SECRET;
    const allow = (draft: string) => refuseLeaks(piecesIn(draft), [redactSession(session('x'))], { keeps });
    expect(await writePieces(path, false, once(SECRET), allow)).toBe(SECRET.length);
  });

  it('is refused by a scan beside other work, too', async ({ place }) => {
    const left = prepareOutbound(
      [sessionOn('samples/tapes/hang.jsonl')],
      {},
      { env: {}, say: () => {}, progress: () => {} },
    );
    const path = join(place.dir, 'wire.jsonl');
    writeFileSync(path, `a line\n{"text":"${SECRET}"}\n`);
    const inspecting = left.inspecting();
    inspecting.inspect(path, { name: 'wire.jsonl' });
    const failure = await failureOf(inspecting.done());
    await inspecting.stop();
    expect([failure.exitCode, failure.lines]).toEqual([
      Exit.no,
      expect.arrayContaining([expect.stringContaining('wire.jsonl, line 2')]),
    ]);
    expect(JSON.stringify([failure.message, failure.hint, failure.lines])).not.toContain(SECRET);
  });
});
