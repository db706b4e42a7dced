/** What a run of codex-exec has and lacks. */
import { oneShotTraits } from '../common/one-shot-traits.ts';
import type { Traits } from '../traits.ts';

export const codexExecTraits: Traits = {
  ...oneShotTraits(
    'exec',
    [
      { mode: 'yolo', options: ['--yolo', '--dangerously-bypass-approvals-and-sandbox'] },
      { mode: 'danger-full-access', options: ['danger-full-access', '--sandbox=danger-full-access'] },
      { mode: 'full-auto', options: ['--full-auto'] },
    ],
    { ids: ['thread_id', 'item.id'] },
  ),
  folderOptions: ['--cd', '-C'],
  promptOptions: [],
};
