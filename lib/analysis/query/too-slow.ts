/** The message when a regular expression of a user had to be stopped. */
export const SIMPLER = 'avoid nested repetition such as (a+)+';
export const TOOK_TOO_LONG = {
  message: 'a regular expression in the query took too long on one line',
  hint: SIMPLER,
};
