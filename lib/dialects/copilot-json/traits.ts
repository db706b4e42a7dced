/** What a run of copilot-json has and lacks. */
import { oneShotTraits } from '../common/one-shot-traits.ts';

export const copilotJsonTraits = oneShotTraits(
  'print',
  [
    { mode: 'yolo', options: ['--yolo', '--allow-all'] },
    { mode: 'allow-all-tools', options: ['--allow-all-tools'] },
  ],
  { ids: ['data.toolCallId'], volatile: ['timestamp'] },
);
