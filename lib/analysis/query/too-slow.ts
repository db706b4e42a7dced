/** The message when a regular expression of a user had to be stopped. */
export const SIMPLER_REGEX_HINT = 'avoid nested repetition such as (a+)+';
export const REGEX_TOO_SLOW = {
  message: 'a regular expression in the query took too long on one line',
  hint: SIMPLER_REGEX_HINT,
};
