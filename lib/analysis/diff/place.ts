/** Where a call began or something was asked, by which the conversation and the audit know the same thing. */

/** Real lines announce a few calls. */
const MOST_EVENTS = 1000;

/** Where a call was announced or something was asked: its frame and the event in it, as one number. */
export const placeOf = (f: number, n: number): number => f * MOST_EVENTS + Math.min(n, MOST_EVENTS - 1);
export const frameAt = (place: number): number => Math.floor(place / MOST_EVENTS);
