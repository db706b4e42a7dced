import { createReadStream, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Manifest } from '../analysis/redact/session.ts';
import type { Suspect } from '../analysis/redact/suspects.ts';
import type { WholeSession } from '../analysis/why/judging.ts';
import { Failure } from '../model/failure.ts';
import { shellWord } from '../model/text/shell.ts';
import { humanBytes, visible } from '../model/text/text.ts';
import { inspected, writePieces } from '../output/export/file.ts';
import { htmlPage } from '../output/export/html.ts';
import type { Pieces } from '../output/export/index.ts';
import { type TapeFile, tapeFileOf } from '../output/export/tape-file.ts';
import { reportFacts } from '../output/report/facts.ts';
import { FORMS, type Form, PLAIN } from '../output/report/forms.ts';
import { type Gathered, gather, readWhole } from '../output/report/gather.ts';
import { render } from '../output/report/render.ts';
import { type Language, WORDS } from '../output/report/words.ts';
import { type Io, waitingFor } from '../output/terminal/io.ts';
import { keptLines } from '../output/terminal/redaction-view.ts';
import { type Rehearsal, rehearse } from '../replay/rehearsal.ts';
import { idOf } from '../session/session.ts';
import { destinationOf } from '../storage/files/destination.ts';
import { writeFileAt } from '../storage/files/output.ts';
import { scratchFolder } from '../storage/files/scratch.ts';
import { storeHome } from '../storage/store/home.ts';
import { metadataOf, type OpenSession, withSession } from '../storage/store/open.ts';
import { VERSION } from '../storage/system/installation.ts';
import { verifyTape } from '../storage/tape/verify.ts';
import { zip } from '../storage/tape/zip.ts';
import type { Define, Flags } from './index.ts';
import { cannotCombine, oneNamed } from './shared/options.ts';
import { addRedaction, type Leaving, leaving, type RedactionFlags } from './shared/redaction.ts';

const HELP = `
Writes one file that shows what went wrong and can be sent to a maintainer:
a zip archive with report.md (for the text of an issue), report.html (the
timeline), wire.jsonl (the tape, which wiretape replay plays) and
manifest.json. Everything in it is redacted; look at it before you send it.

What was kept although it looks private is listed when the report is written,
with the option that replaces it.

The report is about the first thing that went wrong: a request that was never
answered, a broken rule of the protocol, a bad exit, a long wait.

Examples:
  $ wiretape report last
  $ wiretape report last --around f190 -o bug.zip
  $ wiretape report last --md --for kimi-cli > issue.md
  $ wiretape report last --html -o report.html
  $ wiretape replay bug.zip                  the recorded agent, from a report
  $ wiretape report last --also 'ac????er'   replace this, too

Forms: ${FORMS.map(({ name }) => name).join(', ')}`;

interface Options extends Flags<'md' | 'html' | 'force'>, RedactionFlags {
  output?: string;
  around?: string;
  for?: string;
  lang?: string;
  limit?: string;
}

export const define: Define = (command, { io }) => {
  addRedaction(command, true);
  command
    .argument('<session>', 'a session or a tape')
    .option('-o, --output <file>', 'write to this file; default: report-ID.zip')
    .option('--around <frame>', 'the frame that the report is about, such as f190')
    .option('--md', 'only the text, in Markdown')
    .option('--html', 'only the timeline')
    .option('--for <project>', "follow this project's form for issues")
    .option('--lang <language>', 'language of the report: en, zh')
    .option('--limit <bytes>', 'maximum length of the text', String(PLAIN.limit))
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', HELP)
    .action(async (word: string, options: Options) => {
      if (options.md && options.html) throw cannotCombine('--md', '--html');
      await withSession(storeHome(io.env), word, (session) => report(io, word, session, options));
    });
};

const LANGUAGES: readonly Language[] = ['en', 'zh'];

async function report(io: Io, word: string, session: OpenSession, options: Options): Promise<void> {
  metadataOf(session);
  const form = options.for === undefined ? PLAIN : oneNamed('project', options.for, FORMS);
  const language = oneNamed(
    'language',
    options.lang ?? form.language,
    LANGUAGES.map((name) => ({ name })),
  ).name;
  const around = frameIn(options.around);
  const limit = limitIn(options.limit);
  const left = leaving([session], options, io);
  const tape = tapeFileOf(left.sessions[0]!);
  const rehearsal = options.html ? null : rehearse({ ...tape.session, tape: tape.path });
  try {
    const isStored = session.dir !== null;
    const kept = once(() => left.kept?.(tape.session) ?? []);
    const about: About = { io, options, left, tape, rehearsal, around, limit, form, language, isStored, kept };
    if (options.md) await textAlone(about);
    else if (options.html) await pageAlone(about);
    else await archive(about);
    sayRedaction(about, word);
  } finally {
    await rehearsal?.stop();
    tape.close();
  }
}

interface About {
  io: Io;
  options: Options;
  left: Leaving;
  tape: TapeFile;
  /** Null if the report does not show the result of a replay. */
  rehearsal: Rehearsal | null;
  around: number | null;
  /** Bytes. */
  limit: number;
  form: Form;
  language: Language;
  isStored: boolean;
  /** Values that were kept although they look private. */
  kept(): Suspect[];
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const manifestIn = ({ left }: About): Manifest => left.redacted[0]!.manifest();

function gatherFor({ around, language }: About, whole: WholeSession): Gathered {
  const gathered = gather(whole, around, WORDS[language]);
  const { trouble, end } = gathered;
  if (trouble.f > end) throw new Failure(`there is no f${trouble.f}`, `the last frame is f${end}`);
  return gathered;
}

/** The data of the text is known when the page is complete. */
interface Page {
  pieces: Pieces;
  gathered(): Gathered;
}

/** The page opens at the problem, and says how much was replaced. */
function pageOf(about: About): Page {
  const { io, tape, left } = about;
  const { replaced } = left;
  let gathered: Gathered | null = null;
  const pieces = htmlPage([tape.session], {
    focus: (whole) => {
      gathered = gatherFor(about, whole);
      return gathered.trouble.f;
    },
    progress: (done, all) => io.progress('writing the timeline', done, all),
    ...(replaced && { replaced }),
  });
  return { pieces, gathered: () => gathered! };
}

async function textAlone(about: About): Promise<void> {
  const gathered = gatherFor(about, readWhole(about.tape.session));
  const text = await textOf(about, gathered, 'report.zip');
  await output(about, 'md', [text], () => gathered);
}

async function pageAlone(about: About): Promise<void> {
  const { pieces, gathered } = pageOf(about);
  await output(about, 'html', pieces, gathered);
}

function frameIn(word: string | undefined): number | null {
  if (word === undefined) return null;
  const [, digits] = /^f?(\d{1,9})$/.exec(word) ?? [];
  if (digits === undefined) throw new Failure(`invalid frame: ${word}`, 'give the number of a frame, such as f190');
  return Number(digits);
}

function limitIn(word: string | undefined): number {
  const limit = Number(word);
  if (!Number.isSafeInteger(limit) || limit < 1000)
    throw new Failure(`invalid limit: ${word}`, 'give at least 1000 bytes');
  return limit;
}

/**
 * Lists what was replaced, and what was kept although it looks private, so that the user decides before sending. A text on
 * stdout already contains the former.
 */
function sayRedaction({ io, left, kept: find, options }: About, word: string): void {
  const { output: path, md, html } = options;
  const isFile = path === undefined ? !md && !html : path !== '-';
  const { kinds } = left.redacted[0]!.manifest();
  const sum = kinds.map(({ kind, values }) => `${kind} ${values}`).join(', ');
  if (isFile && sum !== '') io.say(`wiretape: replaced: ${visible(sum)}`);
  const [head, ...lines] = keptLines(find());
  if (head === undefined) return;
  io.say(`wiretape: ${head}`);
  for (const line of lines) io.say(line);
  const force = isFile ? ' and --force' : '';
  io.say(
    `hint: replace a value with its --also option${force}, or review all: wiretape redact ${shellWord(word)} --review --open`,
  );
}

async function textOf(about: About, gathered: Gathered, file: string): Promise<string> {
  const { io, options, tape, rehearsal, form, language } = about;
  // Looked for while the rehearsal runs.
  about.kept();
  const rehearsed = await waitingFor(io, 'replaying the tape', rehearsal!.sameness());
  const digest = verifyTape(tape.path).digest ?? '';
  const command = `wiretape report${options.around === undefined ? '' : ` --around f${gathered.trouble.f}`}`;
  const isAttached = !options.md;
  // The name of a file may be private.
  const from = about.isStored ? gathered.summary.session : 'SESSION';
  const made = { version: VERSION, digest, manifest: manifestIn(about), rehearsed, file, isAttached, from, command };
  const words = WORDS[language];
  return render(reportFacts(gathered, made, words), form, words, Math.min(about.limit, form.limit));
}

/** `gathered` may be called when all pieces were read. */
async function output(
  { io, options, left }: About,
  kind: string,
  pieces: Pieces,
  gathered: () => Gathered,
): Promise<void> {
  const { output: path } = options;
  if (path === undefined || path === '-') {
    if (kind === 'html' && io.interactive)
      throw new Failure('a page is not for a terminal', 'write it to a file with -o report.html');
    for await (const piece of inspected(pieces, left.inspect)) if (!(await io.write(piece))) return;
    return;
  }
  const size = await writePieces(path, options.force ?? false, pieces, left.inspect);
  io.say(`wiretape: wrote ${visible(path)} (${humanBytes(size)}): ${visible(gathered().trouble.verdict)}`);
}

const TAPE = 'wire.jsonl';

/** Everything, in one file. */
async function archive(about: About): Promise<void> {
  const { io, options, tape, left } = about;
  const session = idOf(tape.session);
  const path = options.output ?? `report-${session.replace(/[^\w.-]/g, '_').slice(-20)}.zip`;
  destinationOf(path, options.force ?? false);
  const folder = scratchFolder('wiretape-report-');
  const inspecting = left.inspecting();
  try {
    inspecting.inspect(tape.path, { name: TAPE });
    const page = join(folder.path, 'report.html');
    const { pieces, gathered: known } = pageOf(about);
    await writePieces(page, false, pieces);
    const gathered = known();
    inspecting.inspect(page, { name: basename(page), besides: [tape.path] });
    const text = join(folder.path, 'report.md');
    writeFileAt(text, [await textOf(about, gathered, basename(path))]);
    const manifest = join(folder.path, 'manifest.json');
    writeFileAt(manifest, [`${JSON.stringify(manifestOf(gathered, manifestIn(about)), null, 2)}\n`]);
    const files = [text, page, tape.path, manifest].map((file) => ({
      name: file === tape.path ? TAPE : basename(file),
      content: bytesOf(file),
    }));
    const size = await writePieces(path, options.force ?? false, zip(files), async (draft) => {
      await waitingFor(io, 'scanning for leaks', inspecting.done());
      left.inspect(draft, { besides: [tape.path, page] });
    });
    io.say(`wiretape: wrote ${visible(path)} (${humanBytes(size)}): ${visible(gathered.trouble.verdict)}`);
    io.say(`wiretape: the text for an issue is report.md in it (${humanBytes(statSync(text).size)})`);
    io.say(`hint: look at it before you send it: wiretape show ${shellWord(path)}`);
  } finally {
    io.progress('', 0, 0);
    await inspecting.stop();
    folder.remove();
  }
}

/** Opens the file only when its bytes are needed. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(path)) yield piece as Uint8Array;
}

function manifestOf({ summary, trouble }: Gathered, { mode, kinds }: Manifest) {
  const { session, dialect, agent, agent_version, client, frames } = summary;
  return {
    wiretape: VERSION,
    ...{ session, dialect, agent, agent_version, client, frames },
    trouble: { f: trouble.f, verdict: trouble.verdict, culprit: trouble.culprit },
    redaction: { mode, kinds },
  };
}
