/** Rehearses tapes in a thread of its own: a program, started by `rehearsal.ts`. */

import { answerWith } from '../storage/system/worker-thread.ts';
import { TapeSource } from '../storage/tape/tape-source.ts';
import type { RehearsalInput } from './rehearsal.ts';
import { replaysTheSame, type Sameness } from './rehearse-session.ts';

answerWith<RehearsalInput, Sameness>((about) => {
  const source = new TapeSource(about.tape);
  const beside = { dir: null, running: false, names: { name: null, tags: {} }, metadata: source.metadata };
  return replaysTheSame({ ...about, ...beside, frames: (others) => source.frames(others) });
});
