import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { visible } from '../core/text.ts';
import { FORMATS } from '../export/index.ts';
import { Failure } from '../failure.ts';
import { oneNamed } from '../options.ts';
import { storeHome } from '../store/home.ts';
import { metadataOf, withSession } from '../store/open.ts';
import type { Define, Flags } from './index.ts';

const HELP = `
Formats:
${FORMATS.map(({ name, summary }) => `  ${name.padEnd(7)} ${summary}`).join('\n')}

Examples:
  $ wiretape export last --format jsonl -o run.jsonl
  $ wiretape export last --format kimi > wire.jsonl
  $ wiretape export login-bug --format kimi -o wire.jsonl --force

Without -o, the output goes to stdout. Nothing is redacted.`;

interface Options extends Flags<'force'> {
  format: string;
  output?: string;
}

export const define: Define = (command, { io }) => {
  command
    .argument('<session>', 'a session or a tape')
    .requiredOption('-f, --format <format>', FORMATS.map(({ name }) => name).join(', '))
    .option('-o, --output <file>', 'write to this file; fails if it exists')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', HELP)
    .action(async (word: string, options: Options) => {
      const format = oneNamed('format', options.format, FORMATS);
      await withSession(storeHome(io.env), word, async (session) => {
        metadataOf(session);
        const note = (message: string) => io.say(`wiretape: note: ${visible(message)}`);
        const pieces = format.write(session, note);
        if (options.output !== undefined) return writeFile(options.output, options.force ?? false, pieces);
        for (const piece of pieces) if (!(await io.write(piece))) return;
      });
    });
};

/** Leaves no partial file. Overwrites an existing file only with `force`. */
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
    if (code === 'EEXIST') throw new Failure(`${path} already exists`, 'choose another name, or use --force');
    throw new Failure(`cannot write ${path}: ${message}`);
  }
}
