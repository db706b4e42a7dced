/** The traits of the kimi-code journal. It is not a conversation, so there is nothing to replay. */
import { traits } from '../traits.ts';

export const kimiCodeTraits = traits({ planIsSeparate: true });
