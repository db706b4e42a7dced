/**
 * What programs say, in words, about what became of a call: whether it was started, refused or failed. Readers of a result
 * look for these, so a session without its texts keeps them.
 */

/** What only a command that was started can end with. */
export const STARTED_PHRASE =
  /\bexit(?:ed)?(?: with)?(?: code| status)?:? *-?\d|\btimed? ?out\b|\bkilled by\b|\bsignal:? *(?:sig[a-z]|\d)|\btool had already completed\b/i;

/** That a call was stopped while it ran. A call that was `cancelled` may not have been started. */
export const STOPPED_PHRASE = /\b(?:interrupt(?:ed)?|abort(?:ed)?|stopped while running|terminated)\b/i;

/** So much of the beginning and the end of a result is looked at. */
const MAX_END_CHARS = 500;
const CANCELLED = /\bcancell?ed\b/i;

/** Whether a result that came after a cancel says that the call was stopped, although it counts as a success. */
export function saysStopped(text: string): boolean {
  const ends =
    text.length <= 2 * MAX_END_CHARS ? text : `${text.slice(0, MAX_END_CHARS)}\n${text.slice(-MAX_END_CHARS)}`;
  return STOPPED_PHRASE.test(ends) || CANCELLED.test(ends);
}

const REFUSALS = [
  ...['error parsing', 'invalid (?:json|argument|param|input|tool)', 'validation ?error', 'plan mode is active'],
  ...['requires permission', 'rejected by', "user (?:refused|declined|doesn't want)", '(?:unknown|no such) tool'],
];
/** With something in between, which is no part of it. */
const WITH_GAPS = ['permission .{0,40}\\b(?:denied|declined|rejected)', 'tool .{0,40} not found'];

/** Why nothing was started, in the words of the agents. */
export const REFUSED_PHRASE = new RegExp([...REFUSALS, ...WITH_GAPS].join('|'), 'i');

/** Of modes, of plans, of rules, of methods, of errors that may pass; parts of the phrases with gaps; and the numbers of HTTP. */
const OTHERS = [
  // Before a command, as in a terminal, and at the end of a granted pattern: `npm run *`, `npm run:*`.
  '(?<=^|\\n)\\$(?= )',
  '(?:(?<= )|:)\\*$',
  ...['\\bpermission mode: \\w+', '\\brequest to call tool denied'],
  // Kimi's slash commands, and how it announces the mode.
  ...['(?<=^\\s*)/(?:yolo|afk)\\b', '\\byou only (?:live|die) once!', '\\bafk mode (?:en|dis)abled'],
  ...['\\bplan (?:approved|rejected|needs revision)', 'wants to revise', '\\buser dismissed', '\\bdeactivated\\b'],
  ...['\\b(?:permission|denied|declined|rejected|not found)\\b', 'specified a rule which prevents'],
  'unknown variant(?: `[\\w$./-]{1,80}`)?',
  ...[
    '\\btool(?= .{0,40} not found)',
    '\\b[45]\\d\\d\\b',
    '\\b(?:overloaded|rate.?limit|too many requests)',
    '\\[?API Error',
  ],
];

/** Every such phrase in a text. */
export const OUTCOME_PHRASES = new RegExp(
  [STARTED_PHRASE.source, STOPPED_PHRASE.source, CANCELLED.source, ...REFUSALS, ...OTHERS].join('|'),
  'gi',
);
