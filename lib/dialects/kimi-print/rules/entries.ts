/** Explanations of these rules: kimi -p with JSON lines. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const PRINT_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'print-no-answer': {
    means:
      'The run exited with 0, but the final answer of the model is missing. Scripts take the empty answer for a valid one.',
    fix: 'Agent: exit with an error code if there is no answer.',
  },
  'print-exit': {
    means: 'The prompt was answered, but the run exited with an error code.',
    fix: 'Agent: find out what fails after the answer. Script: read the answer before you trust the exit code.',
  },
  'print-two-answers': {
    means: 'The model answered again after its final answer, so scripts do not know which one counts.',
    fix: 'Agent: print one final answer per prompt. Script: use the last one.',
  },
  'print-result-unknown': {
    means: 'The result does not belong to any open call.',
    fix: 'Agent: copy the id of the call, and print each result once.',
  },
  'print-call-open': {
    means: 'The model answered again while a call had no result.',
    fix: 'Agent: print every result before the model goes on.',
  },
};
