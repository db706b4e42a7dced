/** Where a call began or something was asked, by which the conversation and the audit know the same thing. */

/** Real lines announce a few calls. */
const MAX_EVENTS_PER_FRAME = 1000;

/** Where a call was announced or something was asked: its frame and the event in it, as one number. */
export const makeEventKey = (f: number, n: number): number =>
  f * MAX_EVENTS_PER_FRAME + Math.min(n, MAX_EVENTS_PER_FRAME - 1);
export const frameOfEventKey = (eventKey: number): number => Math.floor(eventKey / MAX_EVENTS_PER_FRAME);
