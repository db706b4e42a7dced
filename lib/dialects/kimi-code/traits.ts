/** What a journal of kimi-code has and lacks: it is no conversation, so there is nothing to replay. */
import { traits } from '../traits.ts';

export const kimiCodeTraits = traits({ planIsSeparate: true, linesAreJson: false });
