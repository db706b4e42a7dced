/** What whoever runs a query says of a regular expression that it had to stop. */
export const TOOK_TOO_LONG = {
  message: 'a regular expression in the query took too long on one line',
  hint: 'avoid nested repetition such as (a+)+',
};
