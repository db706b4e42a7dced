/** Explanations of these rules: Codex's app-server. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const CODEX_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'codex-initialize-first': {
    means: 'A request was sent before initialize was answered. Codex refuses it: "Not initialized".',
    fix: 'Client: send initialize first, and wait for its answer.',
  },
  'codex-initialize-again': {
    means: 'initialize was sent a second time. Codex refuses it: "Already initialized".',
    fix: 'Client: send it once per process.',
  },
  'codex-method': {
    means: 'The agent refused the request because it has no such method. It may belong to another version.',
    fix: 'Client: find out which methods your version has: `codex app-server generate-ts --out DIR`.',
  },
  'codex-thread': {
    means: 'The turn names a thread that was never opened in this process, so it is refused.',
    fix: 'Client: send thread/start or thread/resume first, and use `thread.id` of the answer.',
  },
  'codex-turn': {
    means:
      'The request names a turn other than the running one, or no turn is running. It is refused, and any running turn goes on.',
    fix: 'Client: use `turn.id` of the answer to turn/start.',
  },
  'codex-turn-over': {
    means: 'The turn had ended before the request arrived. Nothing was steered or interrupted.',
    fix: 'If the request and the end of the turn crossed, there is nothing to fix. Send the message as a new turn.',
  },
  'codex-decision': {
    means: 'The agent cannot read the decision, and treats it as a denial. v1 says `approved`, v2 says `accept`.',
    fix: 'Client: answer with `{"decision":"accept"}`, or `acceptForSession`, `decline`, `cancel`.',
  },
  'codex-answer': {
    means:
      'The answer does not have the form that its request requires. The agent goes on as if nothing had been granted or answered.',
    fix: 'Client: answer in the form that the finding names.',
  },
  'codex-refused': {
    means: 'The client answered with an error. The agent treats that as a denial, and the tool does not run.',
    fix: 'Client: handle every request of the agent; to deny one, answer with `{"decision":"decline"}`.',
  },
  'codex-turn-end': {
    means: 'A turn began, but no message says that it ended. A client that waits for turn/completed waits forever.',
    fix: 'Agent: send turn/completed for every turn. Client: keep stdin open until it comes.',
  },
  'codex-turn-stray': {
    means: 'A turn was completed that was never announced. The client cannot tell which prompt it answers.',
    fix: 'Agent: send turn/started first, with the same id.',
  },
  'codex-item': {
    means: 'An item was updated or completed without item/started. Clients drop it, or show it without its beginning.',
    fix: 'Agent: send item/started first, with the same id.',
  },
  'codex-item-again': {
    means: 'The same item was announced or completed twice. Clients may show it twice.',
    fix: 'Agent: send item/started and item/completed once for each item.',
  },
  'codex-resolved': {
    means: 'The agent resolved a request that it did not make, or had already resolved.',
    fix: 'Agent: send serverRequest/resolved once, with the id of the request.',
  },
};
