/** Scans files for leaks in a thread: a program, started by `inspection.ts`. */
import type { Leak } from '../../analysis/redact/leak-scan.ts';
import { answerWith } from '../../storage/system/worker-thread.ts';
import { findLeaks, type InspectionTask } from './inspection.ts';

answerWith<InspectionTask, Leak[]>(findLeaks);
