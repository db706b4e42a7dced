/** What a run of vibe-json has and lacks. */
import { oneShotTraits } from '../common/one-shot-traits.ts';

export const vibeJsonTraits = oneShotTraits(
  'print',
  [{ mode: 'auto-approve', options: ['auto-approve', '--agent=auto-approve'] }],
  { ids: ['id', 'sessionId', 'turnId'], volatile: ['createdAt', 'updatedAt'] },
);
