/** Sequences that control a terminal: colours, the cursor, the title of a window. */

/** A string sequence (OSC, DCS, APC, PM, SOS) that is longer is shown, so that nothing long disappears. */
export const SEQUENCE =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

/** Whether there is anything to obey or to hide. */
export const hasSequences = (text: string): boolean => /[\x1b\x90\x98\x9b\x9d-\x9f]/.test(text);

/** What a terminal would show, without colours. */
export const withoutSequences = (text: string): string => (hasSequences(text) ? text.replace(SEQUENCE, '') : text);
