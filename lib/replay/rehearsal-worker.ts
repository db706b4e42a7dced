/** Rehearses tapes in a thread of its own: a program, started by `rehearsal.ts`. */
import { TapeSource } from '../tape/tape-source.ts';
import { answerWith } from '../thread.ts';
import type { Rehearsed } from './rehearsal.ts';
import { replaysTheSame, type Sameness } from './same.ts';

answerWith<Rehearsed, Sameness>((about) => {
  const source = new TapeSource(about.tape);
  const beside = { dir: null, running: false, names: { name: null, tags: {} }, metadata: source.metadata };
  return replaysTheSame({ ...about, ...beside, frames: (others) => source.frames(others) });
});
