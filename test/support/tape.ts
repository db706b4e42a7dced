/** A tape as a stranger would read it: by the format's description alone, with nothing of lib. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TapeFrame {
  f: number;
  t: number;
  from: 'client' | 'agent' | 'stderr' | 'proc';
  event?: string;
  eol?: string;
  head?: string;
  text?: string;
  bytes?: string;
  [key: string]: unknown;
}

export class Tape {
  readonly dir: string;
  readonly metadata: Record<string, unknown>;
  readonly frames: TapeFrame[] = [];
  readonly seals: Record<string, unknown>[] = [];
  readonly #raw = new Map<TapeFrame, Buffer>();

  constructor(dir: string) {
    this.dir = dir;
    const file = readFileSync(join(dir, 'wire.jsonl'));
    const lines: Buffer[] = [];
    for (let start = 0, lf = 0; start < file.length; start = lf + 1) {
      lf = file.indexOf(10, start);
      if (lf < 0) throw new Error('the tape does not end with a line feed');
      lines.push(file.subarray(start, lf));
    }
    const [metadata, ...rest] = lines;
    this.metadata = JSON.parse(metadata!.toString()) as Record<string, unknown>;
    for (const line of rest) {
      const value = JSON.parse(line.toString()) as TapeFrame;
      if (value.type === 'seal') this.seals.push(value);
      else this.frames.push(value);
      this.#raw.set(value, line);
    }
  }

  events(name?: string): TapeFrame[] {
    return this.frames.filter(({ event }) => event !== undefined && (name === undefined || event === name));
  }

  /** Whether it ends as a tape should. */
  get final(): boolean {
    return this.seals.at(-1)?.final === true;
  }

  /** The exact bytes of one stream. */
  bytesFrom(from: 'client' | 'agent' | 'stderr'): Buffer {
    const parts = this.frames
      .filter((frame) => frame.from === from && frame.event === undefined)
      .flatMap((frame) => {
        const { head, eol } = frame;
        return head === undefined
          ? [this.#content(frame), Buffer.from(eol ?? '\n')]
          : [Buffer.from(head), this.#content(frame)];
      });
    return Buffer.concat(parts);
  }

  #content(frame: TapeFrame): Buffer {
    if (frame.text !== undefined) return Buffer.from(frame.text);
    if (frame.bytes !== undefined) return Buffer.from(frame.bytes, 'base64');
    const line = this.#raw.get(frame)!;
    return line.subarray(line.indexOf('"message":') + '"message":'.length, line.length - 1);
  }
}

/** Folders of the sessions in a store. */
export function sessionsIn(home: string): string[] {
  const sessions = join(home, 'sessions');
  if (!existsSync(sessions)) return [];
  // A name with a dot is a session that is still being made.
  const ids = readdirSync(sessions).filter((name) => !name.startsWith('.'));
  return ids.map((id) => join(sessions, id));
}
