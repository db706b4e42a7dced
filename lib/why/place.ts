/** Where in a session something was. */
export interface Place {
  f: number;
  t: number;
}
