import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../model/failure.ts';
import { humanBytes, visible } from '../model/text/text.ts';
import { fileNames } from '../output/export/file-names.ts';
import { type ExportEvents, type ExportFormat, type ExportPieces, FORMATS } from '../output/export/index.ts';
import type { OtlpSendResult } from '../output/export/otlp-send.ts';
import { inspectedPieces, writePieces } from '../output/export/write-pieces.ts';
import type { Io } from '../output/terminal/io.ts';
import { plural } from '../output/terminal/words.ts';
import type { Session } from '../session/session.ts';
import { fileAt } from '../storage/files/destination.ts';
import { makeFolderAt } from '../storage/files/output.ts';
import { attempt, storeHome } from '../storage/store/home.ts';
import { locate, metadataOf, type OpenSession, openPlace } from '../storage/store/open.ts';
import type { SessionPlace } from '../storage/store/sessions.ts';
import type { Define, Flags } from './index.ts';
import { cannotCombine, frameNumber, oneNamed } from './shared/options.ts';
import {
  addRedaction,
  NO_INSPECTION,
  type OutboundSessions,
  prepareOutbound,
  type RedactionFlags,
} from './shared/redaction.ts';

const HELP = `
Formats:
${FORMATS.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`).join('\n')}

Examples:
  $ wiretape export last --format html --open      look at it in a browser
  $ wiretape export last -f html -o run.html       a page to keep or to send
  $ wiretape export last -f html --open --at f120  begin at a frame
  $ wiretape export A B -f html -o both.html       both, and what differs
  $ wiretape export A B -f html -o pages/          a page for each
  $ wiretape export last -f html -q turn:3 -o t.html
  $ wiretape export last -f otlp --endpoint http://localhost:4318
  $ wiretape export last --format jsonl -o run.jsonl
  $ wiretape export last --format kimi > wire.jsonl

Without -o, the output goes to stdout. Secrets and personal data are replaced by
pseudonyms in all formats but jsonl and kimi (see: wiretape help redact), and
what was written is scanned for leaks. A page contains its tape: show, verify,
import, replay and other commands read it, and PAGE@2 is the second session of a
page. With -q, frames keep their numbers.`;

interface ExportCommandOptions extends Flags<'force' | 'open' | 'follow'>, RedactionFlags {
  format: string;
  output?: string;
  query?: string;
  at?: number;
  endpoint?: string;
}

export const define: Define = (command, { io }) => {
  addRedaction(command, true);
  command
    .argument('<sessions...>', 'sessions or tapes; two for a page that compares them')
    .requiredOption('-f, --format <format>', FORMATS.map(({ name }) => name).join(', '))
    .option('-o, --output <path>', 'write to this file, or a file for each session to this folder; - is stdout')
    .option('-q, --query <query>', 'only frames that match (see: wiretape help query)')
    .option('--open', 'open the page in a browser; BROWSER names the program')
    .option('--at <frame>', 'with --open: begin at this frame, such as f120', frameNumber('--at'))
    .option('--endpoint <url>', 'with otlp: send it to this collector')
    .option('--follow', 'with --endpoint: send spans while the session is recorded')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: ExportCommandOptions) => {
      const format = oneNamed('format', options.format, FORMATS);
      const target = chooseTarget(words, format, options, io);
      const home = storeHome(io.env);
      const places = words.map((word) => locate(home, word));
      const sessions: OpenSession[] = [];
      try {
        if (options.follow) return await sendLive(io, places[0]!, options.endpoint!);
        for (const place of places) {
          sessions.push(openPlace(place));
          metadataOf(sessions.at(-1)!);
        }
        const outbound = outboundSessions(sessions, format, options, io);
        const parts =
          options.query === undefined ? outbound.sessions : await selectParts(outbound.sessions, options.query);
        if (options.endpoint !== undefined) await send(io, parts[0]!, options.endpoint);
        else await exportSessions(io, format, parts, target, options, outbound);
      } finally {
        for (const session of sessions) session.close();
      }
    });
};

function outboundSessions(
  sessions: readonly OpenSession[],
  { exact, name }: ExportFormat,
  options: ExportCommandOptions,
  io: Io,
): OutboundSessions {
  if (exact && options.redact !== undefined && options.redact !== 'none')
    throw new Failure(
      `${name} is exact and cannot be redacted`,
      'make a redacted session first: wiretape redact SESSION',
    );
  return exact ? { sessions, redacted: [], ...NO_INSPECTION } : prepareOutbound(sessions, options, io);
}

async function send(io: Io, session: Session, endpoint: string): Promise<void> {
  const [{ sendOtlp, headersIn }, { otlpRequests }] = await Promise.all([
    import('../output/export/otlp-send.ts'),
    import('../output/export/otlp.ts'),
  ]);
  let hasReported = false;
  const onRetry = (reason: string) => {
    if (!hasReported) io.say(`wiretape: ${visible(reason)}; trying again`);
    hasReported = true;
  };
  reportSent(io, await sendOtlp(endpoint, otlpRequests(session), { headers: headersIn(io.env), onRetry }));
}

/** Sends the spans of a session while it is being recorded, until it has ended. */
async function sendLive(io: Io, place: SessionPlace, endpoint: string): Promise<void> {
  const [{ sendWhileRecording: sendWhile }, { follow }, { headersIn }] = await Promise.all([
    import('../output/export/otlp-live.ts'),
    import('../storage/search/follow.ts'),
    import('../output/export/otlp-send.ts'),
  ]);
  let hasReported = false;
  const onTrouble = (message: string) => {
    if (!hasReported) io.say(`wiretape: spans are not sent: ${visible(message)}`);
    hasReported = true;
  };
  const recorded = follow(place, new AbortController().signal);
  reportSent(io, await sendWhile(recorded, place.id, endpoint, onTrouble, { headers: headersIn(io.env) }));
}

function reportSent(io: Io, { spans, rejected, message }: OtlpSendResult): void {
  io.say(`wiretape: sent ${plural(spans, 'span')}${rejected > 0 ? `, of which ${rejected} were rejected` : ''}`);
  if (message !== null) io.say(`wiretape: the collector says: ${visible(message)}`);
}

/** Loads the query reader only if there is a query. */
async function selectParts(sessions: readonly Session[], query: string): Promise<Session[]> {
  const { partOf } = await import('../storage/search/session-part.ts');
  return sessions.map((session) => partOf(session, query));
}

/** Where the output goes. `shown`: a temporary file for the browser. */
type ExportTarget = { is: 'stdout' } | { is: 'file'; path: string } | { is: 'folder'; path: string } | { is: 'shown' };

function chooseTarget(
  words: readonly string[],
  format: ExportFormat,
  options: ExportCommandOptions,
  io: Io,
): ExportTarget {
  const { output, open, at } = options;
  const isPage = format.name === 'html';
  checkEndpoint(words, format, options);
  if (at !== undefined && !open) throw new Failure('--at needs --open', 'a link to a frame is PAGE#f120');
  if (open && !isPage) throw new Failure('--open needs --format html', 'other formats are not for a browser');
  const isFolder = output !== undefined && (output.endsWith('/') || isFolderAt(output));
  if (isFolder && open && words.length > 1) throw cannotCombine('--open', 'several pages');
  if (isFolder) return { is: 'folder', path: output };
  if (words.length > (format.compare ? 2 : 1)) {
    const limit = format.compare ? 'two sessions' : 'one session';
    throw new Failure(
      `a file in format ${format.name} holds at most ${limit}`,
      'add -o FOLDER/ to write one file per session',
    );
  }
  if (output !== undefined && output !== '-') return { is: 'file', path: output };
  if (open) return { is: 'shown' };
  if (isPage && io.interactive)
    throw new Failure('a page is not for a terminal', 'add -o page.html, or --open to look at it');
  return { is: 'stdout' };
}

function checkEndpoint(words: readonly string[], { name }: ExportFormat, options: ExportCommandOptions): void {
  const { endpoint, output, query, follow } = options;
  if (endpoint === undefined) {
    if (follow) throw new Failure('--follow needs --endpoint', 'only a collector takes spans one by one');
    return;
  }
  if (name !== 'otlp') throw new Failure('--endpoint needs --format otlp', 'only spans are sent to a collector');
  if (output !== undefined) throw cannotCombine('--endpoint', '--output');
  if (follow && query !== undefined) throw cannotCombine('--follow', '--query');
  if (words.length > 1) throw new Failure('--endpoint takes one session', 'send them one at a time');
}

function isFolderAt(path: string): boolean {
  // If its status cannot be read, writing fails too, and that error is reported.
  return attempt(() => statSync(path).isDirectory(), false);
}

async function exportSessions(
  io: Io,
  format: ExportFormat,
  sessions: readonly Session[],
  target: ExportTarget,
  options: ExportCommandOptions,
  outbound: OutboundSessions,
): Promise<void> {
  const { force = false } = options;
  if (target.is === 'folder') return await writeAll(io, format, sessions, target.path, options, outbound);
  const [a, b] = sessions as [Session, Session?];
  const write = (events: ExportEvents) => (b ? format.compare!(a, b, events) : format.write(a, events));
  if (target.is === 'stdout') {
    const written = write(exportEvents(io, outbound));
    const pieces = format.exact ? written : inspectedPieces(written, outbound.inspect);
    for await (const piece of pieces) if (!(await io.write(piece))) break;
    return io.progress('', 0, 0);
  }
  const isShown = target.is === 'shown';
  const path = isShown ? join(tmpdir(), `wiretape-${fileNames([a.id], 'html')[0]}`) : target.path;
  await writeFileOf(io, path, format, force || isShown, write, outbound);
  if (options.open) await openPage(io, path, options);
}

/** A file for each. */
async function writeAll(
  io: Io,
  format: ExportFormat,
  sessions: readonly Session[],
  folder: string,
  options: ExportCommandOptions,
  outbound: OutboundSessions,
): Promise<void> {
  const { force = false } = options;
  makeFolderAt(folder);
  const ids = sessions.map(({ id }) => id);
  const paths = fileNames(ids, format.ending ?? format.name).map((name) => join(folder, name));
  // Check all paths first: if one cannot be written, none is.
  for (const path of paths) fileAt(path, force);
  for (const [i, session] of sessions.entries())
    await writeFileOf(io, paths[i]!, format, force, (events) => format.write(session, events), outbound);
  if (options.open) await openPage(io, paths[0]!, options);
}

async function openPage(io: Io, path: string, { at }: ExportCommandOptions): Promise<void> {
  const { openInBrowser } = await import('../output/export/browser.ts');
  await openInBrowser(path, at ?? null, io.env);
}

function exportEvents(io: Io, { replaced }: Pick<OutboundSessions, 'replaced'>): ExportEvents {
  return {
    ...(replaced && { replaced }),
    note: (message) => io.say(`wiretape: note: ${visible(message)}`),
    progress: (done, all) => io.progress('exporting, in MB:', Math.floor(done / 1e6), Math.ceil(all / 1e6)),
  };
}

/** Browsers take long to open larger pages. */
const LARGE_PAGE_BYTES = 50 * 1024 * 1024;

async function writeFileOf(
  io: Io,
  path: string,
  { name }: ExportFormat,
  force: boolean,
  write: (events: ExportEvents) => ExportPieces,
  outbound: OutboundSessions,
): Promise<void> {
  let frames = 0;
  const events = {
    ...exportEvents(io, outbound),
    frames: (count: number) => {
      frames = count;
    },
  };
  const size = await writePieces(path, force, write(events), outbound.inspect).finally(() => io.progress('', 0, 0));
  if (name !== 'html') return;
  io.say(`wiretape: wrote ${visible(path)}: ${plural(frames, 'frame')}, ${humanBytes(size)}`);
  if (size <= LARGE_PAGE_BYTES) return;
  io.say('wiretape: a browser may take several seconds to open a page of this size');
  io.say("hint: export a part of it, such as -q 'turn:3..5' or -q '-is:delta'");
}
