/**
 * What programs say, in words, about what became of a call: whether it was started, refused or failed. Readers of a result
 * look for these, so a session without its texts keeps them.
 */

/** What only a command that was started can end with. */
export const STARTED =
  /\bexit(?:ed)?(?: with)?(?: code| status)?:? *-?\d|\btimed? ?out\b|\bkilled by\b|\bsignal:? *(?:sig[a-z]|\d)/i;

const REFUSALS = [
  ...['error parsing', 'invalid (?:json|argument|param|input|tool)', 'validation ?error', 'plan mode is active'],
  ...['requires permission', 'rejected by', "user (?:refused|declined|doesn't want)", '(?:unknown|no such) tool'],
];
/** With something in between, which is no part of it. */
const WITH_GAPS = ['permission .{0,40}\\b(?:denied|declined|rejected)', 'tool .{0,40} not found'];

/** Why nothing was started, in the words of the agents. */
export const REFUSED = new RegExp([...REFUSALS, ...WITH_GAPS].join('|'), 'i');

/** Of plans, of rules, of methods, of errors that may pass; parts of the phrases with gaps; and the numbers of HTTP. */
const OTHERS = [
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
export const OUTCOME_PHRASES = new RegExp([STARTED.source, ...REFUSALS, ...OTHERS].join('|'), 'gi');
