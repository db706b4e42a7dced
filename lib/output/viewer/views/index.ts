/** The views that there are: a file and a line each. */
import type { MakeView, ViewName } from '../app.ts';
import { makeApprovals } from './approvals.ts';
import { makeConversation } from './conversation.ts';
import { makeDiff } from './diff.ts';
import { makeFindings } from './findings.ts';
import { makeFrames } from './frames.ts';
import { makeStats } from './stats.ts';
import { makeTimeline } from './timeline.ts';

export const MAKE_VIEW: Readonly<Record<ViewName, MakeView>> = {
  timeline: makeTimeline,
  conversation: makeConversation,
  frames: makeFrames,
  approvals: makeApprovals,
  findings: makeFindings,
  stats: makeStats,
  diff: makeDiff,
};
