import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { visible } from '../core/text.ts';
import { type ExportFormat, FORMATS } from '../export/index.ts';
import { Failure } from '../failure.ts';
import { metadataOf, withSession } from '../record/open.ts';
import { storeHome } from '../store/home.ts';
import type { Define } from './index.ts';

const HELP = `
Formats:
${FORMATS.map(({ name, summary }) => `  ${name.padEnd(7)} ${summary}`).join('\n')}

Examples:
  $ wiretape export last --format jsonl -o run.jsonl
  $ wiretape export last --format kimi > wire.jsonl
  $ wiretape export login-bug --format kimi -o ~/.kimi/sessions/HASH/ID/wire.jsonl --force

Without -o it goes to stdout. Nothing is redacted.`;

interface Options {
  format: string;
  output?: string;
  force?: boolean;
}

export const define: Define = (command, { io }) => {
  command
    .argument('<session>', 'a session or a tape')
    .requiredOption('-f, --format <format>', FORMATS.map(({ name }) => name).join(', '))
    .option('-o, --output <file>', 'write to this file; an existing one is not touched')
    .option('--force', 'replace an existing file')
    .addHelpText('after', HELP)
    .action(async (word: string, options: Options) => {
      const format = formatOf(options.format);
      await withSession(storeHome(io.env), word, async (session) => {
        metadataOf(session);
        const note = (message: string) => io.say(`wiretape: note: ${visible(message)}`);
        const pieces = format.write(session.tape, note);
        if (options.output !== undefined) return writeFile(options.output, options.force ?? false, pieces);
        for (const piece of pieces) if (!(await io.write(piece))) return;
      });
    });
};

function formatOf(name: string): ExportFormat {
  const format = FORMATS.find((one) => one.name === name);
  if (format) return format;
  throw new Failure(
    `there is no format ${JSON.stringify(name)}`,
    `one of ${FORMATS.map((one) => one.name).join(', ')}`,
  );
}

/** Whole or not at all; over an existing file only by force. */
function writeFile(path: string, force: boolean, pieces: Iterable<string | Uint8Array>): void {
  const draft = force ? `${path}.${process.pid}.tmp` : path;
  const fd = openNew(draft, path);
  try {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    }
    closeSync(fd);
    if (force) renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function openNew(draft: string, path: string): number {
  try {
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Failure(`${path} exists`, 'choose another name, or add --force');
    throw new Failure(`${path} cannot be written: ${message}`);
  }
}
