/**
 * Changes of a session that `why --watch` follows, line by line: new requests without an answer, why, and those that
 * are settled.
 */

import { CANNOT_TELL } from '../../analysis/why/doubt.ts';
import type { Obligation } from '../../analysis/why/explain.ts';
import { visible } from '../../model/text/text.ts';

export class WhyChanges {
  readonly #known = new Map<string, string>();
  #hasReported = false;

  /** The obligations that are new, or have another cause. What only grows older has not changed. */
  changed(obligations: readonly Obligation[]): Obligation[] {
    return obligations.filter((one) => this.#known.get(nameOf(one)) !== one.rule);
  }

  /** `at`: the time of day. `doubt`: why it is not known whether anything is open. */
  *lines(obligations: readonly Obligation[], at: string, doubt: string | null = null): Generator<string> {
    const now = new Set(obligations.map(nameOf));
    for (const name of this.#known.keys()) if (!now.has(name)) yield `${at} ${name} is no longer owed\n`;
    for (const one of this.changed(obligations)) {
      const { owes, to, f, what, cause, send } = one;
      const subject = f === null ? what : `an answer (f${f}): ${what}`;
      yield visible(`${at} the ${owes} owes the ${to} ${subject}; ${cause}`).concat('\n');
      if (send !== null && one.sender === 'client') yield visible(`${at} send: ${send}`).concat('\n');
    }
    if (obligations.length === 0 && (this.#known.size > 0 || !this.#hasReported))
      yield `${at} ${doubt === null ? 'no open requests' : `${CANNOT_TELL}: ${doubt}`}\n`;
    this.remember(obligations);
  }

  remember(obligations: readonly Obligation[]): void {
    this.#hasReported = true;
    this.#known.clear();
    for (const one of obligations) this.#known.set(nameOf(one), one.rule);
  }
}

function nameOf({ f, owes }: Obligation): string {
  return f === null ? `the line end from the ${owes}` : `f${f}`;
}
