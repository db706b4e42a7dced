/** What a command prints, run in this process. */
import { main } from '../../lib/cli.ts';
import type { Io } from '../../lib/output/terminal/io.ts';

export async function answerOf(home: string, argv: readonly string[]): Promise<string> {
  let out = '';
  const write = async (chunk: string | Uint8Array) => {
    out += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  const io: Io = {
    env: { ...process.env, WIRETAPE_HOME: home },
    ...{ columns: 1000, interactive: false, color: false },
    write,
    json: (value) => write(`${JSON.stringify(value)}\n`),
    ...{ say: () => {}, progress: () => {}, page: () => {}, close: async () => {} },
  };
  await main(argv, io);
  return out;
}
