/** The help of `approvals`: examples, what the words mean, and the legend of the flags. */
import { flagLegend } from './short-flags.ts';

export const APPROVALS_HELP = `
Examples:
  $ wiretape approvals                        all sessions, oldest first
  $ wiretape approvals last --full            with commands and changes
  $ wiretape approvals -q 'approval:unasked'  calls that ran without asking
  $ wiretape approvals -q 'by:mode'           calls that a mode allowed
  $ wiretape approvals -q 'by:grant'          calls under a standing grant
  $ wiretape approvals --since 7d --by project,tool
  $ wiretape approvals last --chain           with the sessions it continues
  $ wiretape approvals --policy rules.txt     what these rules would have done
  $ wiretape approvals -q 'wait:60s..*' --csv > slow.csv
  $ wiretape approvals --json | jq 'select(.by == "nobody")'

decision: allow, allow-always (a standing grant), deny, cancelled, none (never
decided), unasked (a tool that writes or executes ran without a request), or
unknown (the tape does not show it). Questions are answered or dismissed.
by says who decided: the client, a client-error, an invalid answer, a standing
grant (with the frame that gave it), a mode (yolo, acceptEdits, ...), a hook,
the agent, or nobody; hook: no and agent: no mean refused without asking. The
protocol does not say whether a person or a program gave the client's answer.
ran: yes, no, partly (it was stopped) or ? (unknown). yes! means that it ran
although it, or the same action before, was denied.
Times are in UTC. wait is how long the client took to answer, run how long the
tool ran.
Secrets in commands are shown as ***; --json and --csv have them in full.
A query selects rows by the frame of the request. See wiretape help query for
all qualifiers.

flags, where the table shortens them (others are explained in docs/audit.md):
${flagLegend(76)
  .map((line) => `  ${line}`)
  .join('\n')}

Exit codes: 0 rows found, 1 no rows (with --policy: a call differs or cannot be
judged), 2 invalid query or policy, or unreadable session.`;
