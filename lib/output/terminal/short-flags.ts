/**
 * Flags of the audit in a table: short, because the columns of what was asked need the space. `help approvals` has the
 * legend.
 */

/** Flags that are longer than they need to be. An empty word: another column says the same. */
const SHORT_FLAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'before-call': 'early',
    unlinked: 'no-call',
    'outside-turn': 'outside',
    'dead-turn': 'dead',
    subagent: 'sub',
    background: 'bg',
    'too-large': 'large',
    'wrong-request-id': 'wrong-id',
    'no-request-id': 'no-id',
    'answered-again': 'again',
    'duplicate-answer': 'twice',
    'late-answer': 'late',
    feedback: 'text',
    grant: '',
    'client-timeout': 'c-time',
    'turn-cancelled': 'cancel',
    'turn-ended': 'ended',
    'timed-out': 'a-time',
    unresolved: 'open',
    'late-resolved': 'late-res',
    'no-effect': 'nothing',
    'no-result': 'no-res',
    'error-result': 'failed',
    interrupted: 'stopped',
    'ran-although-denied': 'RAN-DENIED',
    'ran-after-deny': 'AFTER-DENY',
    'under-grant': '',
    'plan-mode': 'plan',
    'rule-denied': 'rule',
  }),
);

export function shortFlags(flags: readonly string[]): string {
  const short = flags.filter((flag) => !flag.startsWith('mode:')).map((flag) => SHORT_FLAGS.get(flag) ?? flag);
  return short.filter((word) => word !== '').join(' ');
}

/** Each short flag with the long one, in lines of at most `width` characters. */
export function flagLegend(width: number): string[] {
  const lines: string[] = [];
  for (const [flag, short] of SHORT_FLAGS) {
    if (short === '') continue;
    const pair = `${short} = ${flag}`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + pair.length <= width) lines[lines.length - 1] = `${last}, ${pair}`;
    else lines.push(pair);
  }
  return lines;
}
