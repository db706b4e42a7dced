/** The explanation of a rule, for `check --explain` and docs/rules.md. */
export interface RuleExplanation {
  /** What happened, and its consequence. */
  means: string;
  /** What to do, and who has to do it if both sides can. */
  fix: string;
}
