import { createReadStream, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Manifest } from '../analysis/redact/session.ts';
import type { Suspect } from '../analysis/redact/suspects.ts';
import type { WholeSession } from '../analysis/why/session-examiner.ts';
import { Failure } from '../model/failure.ts';
import { shellWord } from '../model/text/shell.ts';
import { humanBytes, visible } from '../model/text/text.ts';
import { htmlPage } from '../output/export/html.ts';
import type { ExportPieces } from '../output/export/index.ts';
import { type TapeFile, tapeFileOf } from '../output/export/tape-file.ts';
import { inspectedPieces, writePieces } from '../output/export/write-pieces.ts';
import { reportFacts } from '../output/report/facts.ts';
import { FORMS, type IssueForm, PLAIN_FORM } from '../output/report/forms.ts';
import { gatherReport, type ReportData, readWhole } from '../output/report/gather.ts';
import { renderReport } from '../output/report/render.ts';
import { type ReportLanguage, WORDS } from '../output/report/words.ts';
import { type Io, withStatus } from '../output/terminal/io.ts';
import { keptLines } from '../output/terminal/redaction-view.ts';
import { type Rehearsal, rehearse } from '../replay/rehearsal.ts';
import { idOf } from '../session/session.ts';
import { destinationOf } from '../storage/files/destination.ts';
import { writeFileAt } from '../storage/files/output.ts';
import { temporaryFolder } from '../storage/files/temporary-folder.ts';
import { storeHome } from '../storage/store/home.ts';
import { metadataOf, type OpenSession, withSession } from '../storage/store/open.ts';
import { VERSION } from '../storage/system/installation.ts';
import { verifyTape } from '../storage/tape/verify.ts';
import { zip } from '../storage/tape/zip.ts';
import type { Define, Flags } from './index.ts';
import { cannotCombine, oneNamed } from './shared/options.ts';
import { addRedaction, type OutboundSessions, prepareOutbound, type RedactionFlags } from './shared/redaction.ts';

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

interface ReportOptions extends Flags<'md' | 'html' | 'force'>, RedactionFlags {
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
    .option('--limit <bytes>', 'maximum length of the text', String(PLAIN_FORM.limit))
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', HELP)
    .action(async (word: string, options: ReportOptions) => {
      if (options.md && options.html) throw cannotCombine('--md', '--html');
      await withSession(storeHome(io.env), word, (session) => writeReport(io, word, session, options));
    });
};

const LANGUAGES: readonly ReportLanguage[] = ['en', 'zh'];

async function writeReport(io: Io, word: string, session: OpenSession, options: ReportOptions): Promise<void> {
  metadataOf(session);
  const form = options.for === undefined ? PLAIN_FORM : oneNamed('project', options.for, FORMS);
  const language = oneNamed(
    'language',
    options.lang ?? form.language,
    LANGUAGES.map((name) => ({ name })),
  ).name;
  const around = parseFrame(options.around);
  const limit = parseLimit(options.limit);
  const left = prepareOutbound([session], options, io);
  const tape = tapeFileOf(left.sessions[0]!);
  const rehearsal = options.html ? null : rehearse({ ...tape.session, tape: tape.path });
  try {
    const isStored = session.dir !== null;
    const kept = lazily(() => left.kept?.(tape.session) ?? []);
    const job: ReportJob = { io, options, left, tape, rehearsal, around, limit, form, language, isStored, kept };
    if (options.md) await writeTextOnly(job);
    else if (options.html) await writePageOnly(job);
    else await writeArchive(job);
    reportRedaction(job, word);
  } finally {
    await rehearsal?.stop();
    tape.close();
  }
}

interface ReportJob {
  io: Io;
  options: ReportOptions;
  left: OutboundSessions;
  tape: TapeFile;
  /** Null if the report does not show the result of a replay. */
  rehearsal: Rehearsal | null;
  around: number | null;
  /** Bytes. */
  limit: number;
  form: IssueForm;
  language: ReportLanguage;
  isStored: boolean;
  /** Values that were kept although they look private. */
  kept(): Suspect[];
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const manifestIn = ({ left }: ReportJob): Manifest => left.redacted[0]!.manifest();

function gatherFor({ around, language }: ReportJob, whole: WholeSession): ReportData {
  const gathered = gatherReport(whole, around, WORDS[language]);
  const { trouble, end } = gathered;
  if (trouble.f > end) throw new Failure(`there is no f${trouble.f}`, `the last frame is f${end}`);
  return gathered;
}

/** The data of the text is known when the page is complete. */
interface ReportPage {
  pieces: ExportPieces;
  gathered(): ReportData;
}

/** The page opens at the problem, and says how much was replaced. */
function makePage(job: ReportJob): ReportPage {
  const { io, tape, left } = job;
  const { replaced } = left;
  let gathered: ReportData | null = null;
  const pieces = htmlPage([tape.session], {
    focus: (whole) => {
      gathered = gatherFor(job, whole);
      return gathered.trouble.f;
    },
    progress: (done, all) => io.progress('writing the timeline', done, all),
    ...(replaced && { replaced }),
  });
  return { pieces, gathered: () => gathered! };
}

async function writeTextOnly(job: ReportJob): Promise<void> {
  const gathered = gatherFor(job, readWhole(job.tape.session));
  const text = await makeText(job, gathered, 'report.zip');
  await writeOutputFile(job, 'md', [text], () => gathered);
}

async function writePageOnly(job: ReportJob): Promise<void> {
  const { pieces, gathered } = makePage(job);
  await writeOutputFile(job, 'html', pieces, gathered);
}

function parseFrame(word: string | undefined): number | null {
  if (word === undefined) return null;
  const [, digits] = /^f?(\d{1,9})$/.exec(word) ?? [];
  if (digits === undefined) throw new Failure(`invalid frame: ${word}`, 'give the number of a frame, such as f190');
  return Number(digits);
}

function parseLimit(word: string | undefined): number {
  const limit = Number(word);
  if (!Number.isSafeInteger(limit) || limit < 1000)
    throw new Failure(`invalid limit: ${word}`, 'give at least 1000 bytes');
  return limit;
}

/**
 * Lists what was replaced, and what was kept although it looks private, so that the user decides before sending. A text on
 * stdout already contains the former.
 */
function reportRedaction({ io, left, kept: find, options }: ReportJob, word: string): void {
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

async function makeText(job: ReportJob, gathered: ReportData, file: string): Promise<string> {
  const { io, options, tape, rehearsal, form, language } = job;
  // Looked for while the rehearsal runs.
  job.kept();
  const rehearsed = await withStatus(io, 'replaying the tape', rehearsal!.sameness());
  const digest = verifyTape(tape.path).digest ?? '';
  const command = `wiretape report${options.around === undefined ? '' : ` --around f${gathered.trouble.f}`}`;
  const isAttached = !options.md;
  // The name of a file may be private.
  const from = job.isStored ? gathered.summary.session : 'SESSION';
  const made = { version: VERSION, digest, manifest: manifestIn(job), rehearsed, file, isAttached, from, command };
  const words = WORDS[language];
  return renderReport(reportFacts(gathered, made, words), form, words, Math.min(job.limit, form.limit));
}

/** `gathered` may be called when all pieces were read. */
async function writeOutputFile(
  { io, options, left }: ReportJob,
  kind: string,
  pieces: ExportPieces,
  gathered: () => ReportData,
): Promise<void> {
  const { output: path } = options;
  if (path === undefined || path === '-') {
    if (kind === 'html' && io.interactive)
      throw new Failure('a page is not for a terminal', 'write it to a file with -o report.html');
    for await (const piece of inspectedPieces(pieces, left.inspect)) if (!(await io.write(piece))) return;
    return;
  }
  const size = await writePieces(path, options.force ?? false, pieces, left.inspect);
  io.say(`wiretape: wrote ${visible(path)} (${humanBytes(size)}): ${visible(gathered().trouble.verdict)}`);
}

const TAPE_NAME = 'wire.jsonl';

/** Everything, in one file. */
async function writeArchive(job: ReportJob): Promise<void> {
  const { io, options, tape, left } = job;
  const session = idOf(tape.session);
  const path = options.output ?? `report-${session.replace(/[^\w.-]/g, '_').slice(-20)}.zip`;
  destinationOf(path, options.force ?? false);
  const folder = temporaryFolder('wiretape-report-');
  const inspecting = left.inspecting();
  try {
    inspecting.inspect(tape.path, { name: TAPE_NAME });
    const page = join(folder.path, 'report.html');
    const { pieces, gathered: known } = makePage(job);
    await writePieces(page, false, pieces);
    const gathered = known();
    inspecting.inspect(page, { name: basename(page), besides: [tape.path] });
    const text = join(folder.path, 'report.md');
    writeFileAt(text, [await makeText(job, gathered, basename(path))]);
    const manifest = join(folder.path, 'manifest.json');
    writeFileAt(manifest, [`${JSON.stringify(manifestOf(gathered, manifestIn(job)), null, 2)}\n`]);
    const files = [text, page, tape.path, manifest].map((file) => ({
      name: file === tape.path ? TAPE_NAME : basename(file),
      content: bytesOf(file),
    }));
    const size = await writePieces(path, options.force ?? false, zip(files), async (draft) => {
      await withStatus(io, 'scanning for leaks', inspecting.done());
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

function manifestOf({ summary, trouble }: ReportData, { mode, kinds }: Manifest) {
  const { session, dialect, agent, agent_version, client, frames } = summary;
  return {
    wiretape: VERSION,
    ...{ session, dialect, agent, agent_version, client, frames },
    trouble: { f: trouble.f, verdict: trouble.verdict, culprit: trouble.culprit },
    redaction: { mode, kinds },
  };
}
