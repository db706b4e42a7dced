import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { piecesOf } from '../analysis/redact/leak-scan.ts';
import type { RedactOptions } from '../analysis/redact/options.ts';
import { makeReview } from '../analysis/redact/review.ts';
import { type RedactedSession, redactSession } from '../analysis/redact/session.ts';
import { keptValueOf, type Suspect, suspectsIn } from '../analysis/redact/suspects.ts';
import { Exit, Failure } from '../model/failure.ts';
import { shellWord } from '../model/text/shell.ts';
import { visible } from '../model/text/text.ts';
import { openInBrowser } from '../output/export/browser.ts';
import { fileNames } from '../output/export/file-names.ts';
import { reviewPage } from '../output/export/review-page.ts';
import type { ReportLanguage } from '../output/report/words.ts';
import { framesProgress, type Io, writeAll } from '../output/terminal/io.ts';
import { keptLines, replacedLines } from '../output/terminal/redaction-view.ts';
import { plural } from '../output/terminal/words.ts';
import { idOf } from '../session/session.ts';
import { destinationOf } from '../storage/files/destination.ts';
import { writeOutput } from '../storage/files/output.ts';
import { temporaryFolder } from '../storage/files/temporary-folder.ts';
import { storeHome } from '../storage/store/home.ts';
import { ImportBatch } from '../storage/store/import-batch.ts';
import { metadataOf, type OpenSession, openPlace, using, withSession } from '../storage/store/open.ts';
import { surveySource } from '../storage/tape/import/survey.ts';
import { madeTape } from '../storage/tape/import/wiretape.ts';
import { tapeLines } from '../storage/tape/tape-lines.ts';
import { verifyTape } from '../storage/tape/verify.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import { cannotCombine, oneNamed } from './shared/options.ts';
import { addRedaction, parseRedaction, type RedactionFlags, refuseLeaks, resealed } from './shared/redaction.ts';

const HELP = `
Examples:
  $ wiretape redact last                        a new session in the store
  $ wiretape redact last -o run.jsonl           a tape to send to somebody
  $ wiretape redact last --scan                 only list what there is
  $ wiretape redact last --review --open        look at it in a browser
  $ wiretape redact last --redact-text          no text at all, only its shape
  $ wiretape redact last --also 'ac????er'      replace this, too
  $ wiretape redact last --rule 'TICKET=/ACME-\\d+/' --keep 'dev@example.com'
  $ wiretape redact last --path 'params.env' --env DEPLOY_KEY

Keys and tokens of some 120 kinds, passwords, cookies, private keys, e-mail,
home and work directories, user and host names, private addresses, phone and
card numbers become pseudonyms such as [TOKEN_1], the same for equal values.
The result is scanned for leaks before anything is kept. If there is one,
nothing is written. What is kept although it looks private is listed, with the
option that replaces it: --also takes a text, a word with * and ? in it, or
/regex/. --review makes a page of all that, only for you.
Exit codes: 0 done, 1 a leak, or --scan found something, 2 error.`;

type RedactCommandOptions = Flags<'force' | 'scan' | 'json' | 'review' | 'open'> &
  RedactionFlags & { output?: string; lang?: string };

export const define: Define = (command, context) => {
  addRedaction(command, false);
  command
    .argument('[session]', 'a session or a tape (default: last)')
    .option('-o, --output <file>', 'write a tape, or the page, to this file; fails if it exists')
    .option('--force', 'overwrite an existing file')
    .option('--scan', 'only report what would be replaced, and kept')
    .option('--review', 'only make a page of what would be replaced, and kept')
    .option('--open', 'with --review: open the page in a browser; BROWSER names the program')
    .option('--lang <language>', 'with --review: language of the page: en, zh')
    .option('--json', 'print the manifest as a JSON object')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: RedactCommandOptions) => {
      refuseConflicts(options);
      const redaction = parseRedaction(options, context.io.env);
      const named = word ?? 'last';
      await withSession(storeHome(context.io.env), named, (session) =>
        options.review
          ? review(context.io, session, options, redaction)
          : run(context, named, session, options, redaction),
      );
    });
};

function refuseConflicts(options: RedactCommandOptions): void {
  const { scan, review: isReview, json, output, open, lang } = options;
  if (scan && output !== undefined) throw cannotCombine('--scan', '--output');
  if (isReview && scan) throw cannotCombine('--review', '--scan');
  if (isReview && json) throw cannotCombine('--review', '--json');
  if (!isReview && open) throw new Failure('--open needs --review', 'a tape is not for a browser');
  if (!isReview && lang !== undefined) throw new Failure('--lang needs --review', 'only the page has a language');
}

/** Checks that the session has ended and that the output can be written. Returns the number of frames. */
function checkAndCountFrames(session: OpenSession, { output, force }: RedactCommandOptions): number {
  metadataOf(session);
  if (session.running) throw new Failure(`session ${session.id} is still being recorded`, 'end it first');
  // Fail before the work, not after it.
  if (output !== undefined && output !== '-') destinationOf(output, force ?? false);
  return verifyTape(session.tape).frames;
}

async function run(
  { io, exit }: CommandContext,
  word: string,
  session: OpenSession,
  options: RedactCommandOptions,
  redaction: RedactOptions,
): Promise<void> {
  const all = checkAndCountFrames(session, options);
  const redacted = redactSession(session, { ...redaction, progress: framesProgress(io, 'redacting', all) });
  const made = options.scan ? null : await keepCopy(io, session, redacted, options, redaction, all);
  const suspectOptions = { keeps: redaction.keeps, progress: framesProgress(io, 'checking what is kept', all) };
  const kept = made?.kept ?? suspectsIn(redacted.session, suspectOptions);
  io.progress('', 0, 0);
  const { mode, kinds } = redacted.manifest();
  if (options.scan && kinds.length > 0) exit(Exit.no);
  const { redacted: id = null, tape = null } = made ?? {};
  if (options.json) {
    const place = made && { redacted: id, tape };
    return void (await io.json({
      session: idOf(session),
      ...place,
      mode,
      frames: all,
      kinds,
      kept: kept.map(keptValueOf),
    }));
  }
  const [above, below] = [replacedLines(kinds), keptLines(kept)];
  const lines = [...above, ...(above.length > 0 && below.length > 0 ? [''] : []), ...below];
  await writeAll(
    io,
    lines.map((line) => `${line}\n`),
  );
  if (options.scan) io.say(kinds.length === 0 ? 'wiretape: nothing to redact' : 'wiretape: nothing was written');
  else io.say(`wiretape: redacted ${plural(all, 'frame')}: ${visible(options.output ?? id!)}`);
  if (below.length > 0)
    io.say(
      `hint: add the --also option of each value that should not be sent, or review all: wiretape redact ${shellWord(word)} --review --open`,
    );
}

interface RedactedCopy {
  /** The new session, if it is in the store, and the tape, if it is a file. */
  redacted: string | null;
  tape: string | null;
  kept: Suspect[];
}

/** The tape is written to a draft and scanned there. Only then does it get its name, or become a session. */
async function keepCopy(
  io: Io,
  session: OpenSession,
  redacted: RedactedSession,
  { output, force = false }: RedactCommandOptions,
  redaction: RedactOptions,
  all: number,
): Promise<RedactedCopy> {
  const { metadata, frames } = resealed(verifyTape(session.tape), redacted);
  const lines = () => tapeLines(metadata, withProgress(frames(), framesProgress(io, 'writing', all)));
  let kept: Suspect[] = [];
  const inspect = (tape: string) => {
    const place = { id: redacted.session.id, dir: null, tape, ours: false };
    kept = using(openPlace(place), (made) => {
      refuseLeaks(withProgress(piecesOf(made), framesProgress(io, 'scanning for leaks', all)), [redacted], redaction);
      return suspectsIn(made, { keeps: redaction.keeps, progress: framesProgress(io, 'checking what is kept', all) });
    });
  };
  if (output !== undefined) {
    await writeOutput(output, lines(), { force, inspect });
    return { redacted: null, tape: resolve(output), kept };
  }
  const scratch = temporaryFolder('wiretape-redact-');
  try {
    const draft = join(scratch.path, 'wire.jsonl');
    await writeOutput(draft, lines(), { inspect });
    const batch = new ImportBatch({ home: storeHome(io.env), dialect: null });
    try {
      const source = madeTape(draft, `session ${idOf(session)}`);
      return { redacted: batch.add(source, surveySource(source), redacted.session.names), tape: null, kept };
    } finally {
      batch.settle();
    }
  } finally {
    scratch.remove();
  }
}

function* withProgress<T>(items: Iterable<T>, progress: (count: number) => void): Generator<T> {
  let count = 0;
  for (const item of items) {
    progress(++count);
    yield item;
  }
}

const LANGUAGES: readonly ReportLanguage[] = ['en', 'zh'];

/** Writes the review page, which contains private data. */
async function review(
  io: Io,
  session: OpenSession,
  options: RedactCommandOptions,
  redaction: RedactOptions,
): Promise<void> {
  const { output, open, force = false, lang = 'en' } = options;
  const { name: language } = oneNamed(
    'language',
    lang,
    LANGUAGES.map((name) => ({ name })),
  );
  if (output === undefined && !open && io.interactive)
    throw new Failure('a page is not for a terminal', 'add -o review.html, or --open to look at it');
  const all = checkAndCountFrames(session, options);
  const redacted = redactSession(session, { ...redaction, progress: framesProgress(io, 'redacting', all) });
  const progress = framesProgress(io, 'checking what is kept', all);
  const seen = makeReview(redacted, { keeps: redaction.keeps, progress });
  io.progress('', 0, 0);
  const pieces = reviewPage(seen, { session: idOf(session), frames: all, language });
  if (output === '-' || (output === undefined && !open)) return await writeAll(io, pieces);
  const path = output ?? join(tmpdir(), `wiretape-review-${fileNames([idOf(session)], 'html')[0]}`);
  await writeOutput(path, pieces, { force: force || output === undefined });
  io.say(
    `wiretape: wrote ${visible(path)}: ${plural(seen.replaced.length, 'value')} replaced, ${seen.kept.length} kept although ${seen.kept.length === 1 ? 'it looks' : 'they look'} private`,
  );
  io.say('hint: it contains private data: do not send it');
  if (open) await openInBrowser(path, null, io.env);
}
