/** Packs the blocks of a page in a thread of its own: a program, started by `html-blocks.ts`. */
import { answerWith, stepBack } from '../thread.ts';
import { type Packed, Packer, type Task } from './packer.ts';

stepBack();
const packer = new Packer();
answerWith<Task, Packed>((task) => packer.pack(task));
