/** The views that there are: a file and a line each. */
import type { MakeView, ViewName } from '../app.ts';
import { makeFrames } from './frames.ts';

export const MAKE: Partial<Record<ViewName, MakeView>> = {
  frames: makeFrames,
};
