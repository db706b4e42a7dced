/** What the rules of this family mean, and what to do: kimi -p with JSON lines. */
import type { Entry } from '../../rules/entry.ts';

export const PRINT_ENTRIES: Readonly<Record<string, Entry>> = {
  'print-no-answer': {
    means: "The run ended with 0, but the model's last word is missing. Scripts take an empty answer for a good one.",
    fix: 'Agent: exit with a failure if there is no answer.',
  },
  'print-exit': {
    means: 'The prompt was answered, but the run exited with a failure.',
    fix: 'Agent: see what fails after the answer. Script: read the answer before you trust the exit code.',
  },
  'print-two-answers': {
    means: 'The model spoke again after its last answer, so that scripts do not know which one counts.',
    fix: 'Agent: print one last answer per prompt. Script: take the last.',
  },
  'print-result-unknown': {
    means: 'A result belongs to no open call.',
    fix: 'Agent: copy the id of the call, and print each result once.',
  },
  'print-call-open': {
    means: 'The model spoke again while a call had no result.',
    fix: 'Agent: print every result before the model goes on.',
  },
};
