/** A command of the program, run in this process. */
import { main } from '../../lib/cli.ts';
import { exactJson } from '../../lib/model/id.ts';
import type { Io } from '../../lib/output/terminal/io.ts';
import type { Place } from './store.ts';

export interface Ran {
  outcome: Awaited<ReturnType<typeof main>>;
  stdout: string;
  stderr: string;
}

export async function runMain(
  { home }: Pick<Place, 'home'>,
  argv: readonly string[],
  screen: Partial<Pick<Io, 'columns' | 'color'>> = {},
): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  const write = async (chunk: string | Uint8Array) => {
    stdout += Buffer.from(chunk as string).toString();
    return true;
  };
  const io: Io = {
    env: { WIRETAPE_HOME: home },
    ...{ columns: 100, interactive: false, color: false, write },
    json: (value) => write(`${exactJson(value)}\n`),
    say: (line) => {
      stderr += `${line}\n`;
    },
    progress() {},
    page() {},
    async close() {},
    ...screen,
  };
  const outcome = await main(argv, io);
  return { outcome, stdout, stderr };
}

/** The objects that a command prints with `--json`. */
export async function rowsOf(place: Place, ...argv: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await runMain(place, argv);
  return stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
}
