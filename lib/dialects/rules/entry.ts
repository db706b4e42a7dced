/** What people are told of a rule besides what it demands: by `check --explain` and in docs/rules.md. */
export interface Entry {
  /** What happened, and what comes of it. */
  means: string;
  /** What to do, and whose part it is where both have one. */
  fix: string;
}
