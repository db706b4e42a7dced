/** Packs the blocks of a page in a thread: a program, started by `html-blocks.ts`. */
import { answerWith } from '../../storage/system/thread.ts';
import { type Packed, Packer, type Task } from './packer.ts';

const packer = new Packer();
answerWith<Task, Packed>((task) => packer.pack(task));
