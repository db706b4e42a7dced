/** Explanations of the rules of requests, answers and shapes, which several dialects have. */
import type { RuleExplanation } from './entry.ts';

/** By the part of the rule's id after the prefix of the dialect. */
export const COMMON_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'unknown-answer': {
    means: 'The answer has an id that no request had. The real request stays open, and its sender may wait forever.',
    fix: 'Copy the id from the request that you answer, with its JSON type.',
  },
  'answer-id-type': {
    means:
      'The answer has the right id with the wrong JSON type: `1` is not `"1"`. The side that sent the request does not recognise it.',
    fix: 'Copy the id as it is. Do not convert ids to strings or numbers.',
  },
  'answered-twice': {
    means: 'The request was already answered. The second answer is ignored, or taken for an answer to something else.',
    fix: 'Remove a request from the table of open ones when it is answered.',
  },
  'id-in-use': {
    means: 'A second request has the id of one that is still open. Their answers cannot be told apart.',
    fix: 'Count ids up, or use UUIDs.',
  },
  'unanswered-by-agent': {
    means:
      'The agent never answered a request of the client, and nothing made the agent end. The client may wait forever.',
    fix: 'Agent: answer every request, with an error if need be, also when a handler throws.',
  },
  'unanswered-by-client': {
    means: 'The client never answered a request of the agent. The agent waits, and to the user it seems to hang.',
    fix: 'Client: answer every request, with an error if you do not know its method.',
  },
  shape: {
    means:
      'A required field is missing, or a known field has the wrong type. The message names the field and quotes the value. Unknown fields are allowed.',
    fix: 'Send the field as the protocol defines it. If the other side accepts it as it is, the protocol may be newer than this rule.',
  },
};
