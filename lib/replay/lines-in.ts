/** The lines of a stream, split at line feeds on bytes. */
import type { Readable } from 'node:stream';

const LF = 0x0a;
const CR = 0x0d;

/** Calls `take` with each line, without its line end, and `end` when the stream ends or breaks. */
export function readLines(stream: Readable, take: (line: string) => void, end: () => void): void {
  let held: Buffer[] = [];
  const line = (last: Buffer): string => {
    const whole = held.length === 0 ? last : Buffer.concat([...held, last]);
    held = [];
    return whole.toString('utf8', 0, whole.at(-1) === CR ? whole.length - 1 : whole.length);
  };
  let hasEnded = false;
  const finish = () => {
    if (hasEnded) return;
    hasEnded = true;
    if (held.length > 0) take(line(Buffer.alloc(0)));
    end();
  };
  stream.on('data', (chunk: Buffer | string) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      take(line(bytes.subarray(from, at)));
      from = at + 1;
    }
    if (from < bytes.length) held.push(Buffer.from(bytes.subarray(from)));
  });
  stream.on('end', finish);
  stream.on('close', finish);
  stream.on('error', finish);
}
