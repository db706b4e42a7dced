/** How a session stands, in one word or two: what `ls` shows, and `state:` takes. */

export interface SessionOutcome {
  readonly state: string;
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
}

/** How an agent that has ended failed: its signal, or `exit 1`. Null if it did not. */
export function failureOf({ state, exit }: SessionOutcome): string | null {
  if (state !== 'ended') return null;
  return exit?.signal ?? (exit?.code ? `exit ${exit.code}` : null);
}
