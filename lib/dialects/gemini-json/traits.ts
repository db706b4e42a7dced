/** What a run of gemini-json has and lacks. */
import { oneShotTraits } from '../common/one-shot-traits.ts';

export const geminiJsonTraits = oneShotTraits(
  'print',
  [
    { mode: 'yolo', options: ['--yolo', '-y', 'yolo', '--approval-mode=yolo'] },
    { mode: 'auto_edit', options: ['auto_edit', '--approval-mode=auto_edit'] },
  ],
  { ids: ['session_id', 'tool_id'], volatile: ['timestamp'] },
);
