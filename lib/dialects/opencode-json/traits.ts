/** What a run of opencode-json has and lacks. */
import { oneShotTraits } from '../common/one-shot-traits.ts';
import type { Traits } from '../traits.ts';

export const opencodeJsonTraits: Traits = {
  ...oneShotTraits('run', [{ mode: 'dangerously-skip-permissions', options: ['--dangerously-skip-permissions'] }], {
    ids: ['sessionID', 'part.callID'],
    volatile: ['timestamp'],
  }),
  promptOptions: [],
};
