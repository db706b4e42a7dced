/** Where the frames of a session come from: a tape, memory, an import. Pure: the code that opens files implements it. */

import type { SessionInfo } from '../dialects/dialect.ts';
import type { Frame, Metadata, Seal } from '../model/frame.ts';

/** Gets the lines of a tape that are not frames, in order. */
export interface OtherLineObserver {
  seal(seal: Seal): void;
  /** The line is invalid. */
  damaged(): void;
}

export interface Source extends SessionInfo {
  /**
   * The frames, from the start each time. The bytes of a frame are valid until the next one is asked for. A caller that stops
   * early must call `return()`, as `for...of` does.
   */
  frames(others?: OtherLineObserver): Iterable<Frame>;
  /** The dialect's name, if it is given: then it is not detected. */
  dialect?: string | null;
}

/** The dialect that the metadata of a tape names; imports do. */
export function dialectIn({ dialect }: Metadata): string | null {
  return typeof dialect === 'string' ? dialect : null;
}
