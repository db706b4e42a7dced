/** Looks for leaks in files in a thread of its own: a program, started by `inspection.ts`. */
import type { Leak } from '../../analysis/redact/scan.ts';
import { answerWith } from '../../storage/system/thread.ts';
import { type Inspected, leaksIn } from './inspection.ts';

answerWith<Inspected, Leak[]>(leaksIn);
