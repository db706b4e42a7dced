/** Packs the blocks of a page in a thread: a program, started by `html-blocks.ts`. */
import { answerWith } from '../../storage/system/worker-thread.ts';
import { type Packed, Packer, type PackTask } from './packer.ts';

const packer = new Packer();
answerWith<PackTask, Packed>((task) => packer.pack(task));
