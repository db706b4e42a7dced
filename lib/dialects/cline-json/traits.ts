/** What a run of cline-json has and lacks. */
import { oneShotTraits } from '../common/one-shot-traits.ts';
import type { Traits } from '../traits.ts';

export const clineJsonTraits: Traits = {
  ...oneShotTraits('json', [{ mode: 'yolo', options: ['--yolo', '-y'] }], {
    ids: ['event.toolCallId'],
    // The last line tells the answer again.
    volatile: ['ts', 'text', 'iterations'],
  }),
  promptOptions: [],
};
