import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { visible } from '../core/text.ts';
import { exists, writeFile } from '../export/file.ts';
import { Exit, Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { cannotCombine } from '../options.ts';
import type { RedactOptions } from '../redact/options.ts';
import { piecesOf } from '../redact/scan.ts';
import { type Redacted, redactSession } from '../redact/session.ts';
import { addRedaction, type RedactionFlags, redactionOf, refuseLeaks, sealedAnew } from '../redaction.ts';
import { idOf } from '../session/session.ts';
import { storeHome } from '../store/home.ts';
import { ImportBatch } from '../store/import-batch.ts';
import { metadataOf, type OpenSession, openPlace, using, withSession } from '../store/open.ts';
import { survey } from '../tape/import/survey.ts';
import { madeTape } from '../tape/import/wiretape.ts';
import { tapeLines } from '../tape/tape-lines.ts';
import { verifyTape } from '../tape/verify.ts';
import { plural } from '../terminal/words.ts';
import type { Context, Define, Flags } from './index.ts';

const HELP = `
Examples:
  $ wiretape redact last                        a new session in the store
  $ wiretape redact last -o run.jsonl           a tape to send to somebody
  $ wiretape redact last --scan                 only say what there is
  $ wiretape redact last --redact-text          no text at all, only its shape
  $ wiretape redact last --rule 'TICKET=/ACME-\\d+/' --keep 'dev@example.com'
  $ wiretape redact last --path 'params.env' --env DEPLOY_KEY

Keys and tokens of some 120 kinds, passwords, cookies, private keys, e-mail,
home and work directories, user and host names, private addresses, phone and
card numbers become pseudonyms such as [TOKEN_1], the same for equal values.
The result is scanned for leaks before anything is kept. If there is one,
nothing is written.
Exit codes: 0 done, 1 a leak, or --scan found something, 2 error.`;

type Options = Flags<'force' | 'scan' | 'json'> & RedactionFlags & { output?: string };

export const define: Define = (command, context) => {
  addRedaction(command, false);
  command
    .argument('[session]', 'a session or a tape (default: last)')
    .option('-o, --output <file>', 'write a tape to this file; fails if it exists')
    .option('--force', 'overwrite an existing file')
    .option('--scan', 'only report what would be replaced')
    .option('--json', 'print the manifest as a JSON object')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: Options) => {
      if (options.scan && options.output !== undefined) throw cannotCombine('--scan', '--output');
      const asked = redactionOf(options, context.io.env);
      await withSession(storeHome(context.io.env), word ?? 'last', (session) => run(context, session, options, asked));
    });
};

async function run({ io, exit }: Context, session: OpenSession, options: Options, asked: RedactOptions): Promise<void> {
  metadataOf(session);
  if (session.running) throw new Failure(`session ${session.id} is still being recorded`, 'end it first');
  const { output } = options;
  if (output !== undefined && existsSync(output) && !options.force) throw exists(output);
  const all = verifyTape(session.tape).frames;
  const progress = (frames: number) => io.progress('redacting', Math.min(frames, all - 1), all);
  const redacted = redactSession(session, { ...asked, progress });
  if (options.scan) readAll(redacted);
  const made = options.scan ? null : keep(io, session, redacted, options, asked);
  io.progress('', 0, 0);
  const { mode, kinds } = redacted.manifest();
  if (options.scan && kinds.length > 0) exit(Exit.no);
  if (options.json) return void (await io.json({ session: idOf(session), ...made, mode, frames: all, kinds }));
  for (const { kind, values, places, frames } of kinds) {
    const where = frames.length > 0 ? `  f${frames.join(', f')}${places > frames.length ? ', …' : ''}` : '';
    await io.write(
      `${kind.padEnd(24)} ${plural(values, 'value').padStart(12)} ${plural(places, 'place').padStart(12)}${where}\n`,
    );
  }
  if (options.scan) io.say(kinds.length === 0 ? 'wiretape: nothing to redact' : 'wiretape: nothing was written');
  else io.say(`wiretape: redacted ${plural(all, 'frame')}: ${visible(output ?? made!.redacted!)}`);
}

function readAll({ session }: Redacted): void {
  for (const _ of session.frames());
}

interface Made {
  /** The new session, if it is in the store, and the tape, if it is a file. */
  redacted: string | null;
  tape: string | null;
}

/** The tape is written to a draft and scanned there. Only then does it get its name, or become a session. */
function keep(io: Io, session: OpenSession, redacted: Redacted, options: Options, asked: RedactOptions): Made {
  const output = options.output === undefined ? null : resolve(options.output);
  const folder = mkdtempSync(join(output === null ? tmpdir() : dirname(output), '.wiretape-redact-'));
  const draft = join(folder, 'wire.jsonl');
  try {
    const { metadata, frames } = sealedAnew(session, redacted);
    writeFile(draft, false, tapeLines(metadata, frames()));
    const place = { id: redacted.session.id, dir: null, tape: draft, ours: false };
    using(openPlace(place), (made) => refuseLeaks(piecesOf(made), [redacted], asked));
    if (output !== null) {
      renameSync(draft, output);
      return { redacted: null, tape: output };
    }
    const batch = new ImportBatch({ home: storeHome(io.env), dialect: null });
    try {
      const source = madeTape(draft, `session ${idOf(session)}`);
      return { redacted: batch.add(source, survey(source), redacted.session.names), tape: null };
    } finally {
      batch.settle();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
