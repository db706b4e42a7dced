import { visible } from '../core/text.ts';
import { writePieces } from '../export/file.ts';
import { FORMATS } from '../export/index.ts';
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
        const pieces = format.write(session, { note, progress: (done, all) => io.progress('exporting', done, all) });
        if (options.output !== undefined)
          return void (await writePieces(options.output, options.force ?? false, pieces));
        for await (const piece of pieces) if (!(await io.write(piece))) return;
      });
    });
};
