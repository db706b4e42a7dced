/** Rehearses tapes in a thread of its own: a program, started by `rehearsal.ts`. */

import { answerWith } from '../storage/system/thread.ts';
import { TapeSource } from '../storage/tape/tape-source.ts';
import type { Rehearsed } from './rehearsal.ts';
import { replaysTheSame, type Sameness } from './same.ts';

answerWith<Rehearsed, Sameness>((about) => {
  const source = new TapeSource(about.tape);
  const beside = { dir: null, running: false, names: { name: null, tags: {} }, metadata: source.metadata };
  return replaysTheSame({ ...about, ...beside, frames: (others) => source.frames(others) });
});
