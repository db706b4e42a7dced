/** Scans files for leaks in a thread: a program, started by `inspection.ts`. */
import type { Leak } from '../../analysis/redact/scan.ts';
import { answerWith } from '../../storage/system/thread.ts';
import { type Inspected, leaksIn } from './inspection.ts';

answerWith<Inspected, Leak[]>(leaksIn);
