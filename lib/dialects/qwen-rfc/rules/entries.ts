/** Explanations of these rules: the RFC for structured IO of qwen. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const RFC_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'rfc-unanswered': {
    means:
      'A hint, heartbeat, cancel or command has no result/* line. The client does not know whether the agent read it.',
    fix: 'Agent: answer each with its result line.',
  },
  'rfc-turn-open': {
    means: 'The prompt never ended with a finish_reason, a command result, a cancel or a fatal error.',
    fix: 'Agent: end every prompt with one of them.',
  },
  'rfc-stray-result': {
    means: 'This result/* answers no request.',
    fix: 'Agent: send results only as answers to requests; only heartbeats may come without one.',
  },
  'rfc-approval-answer': {
    means: 'can_use_tool was answered with a behavior that is neither approve nor deny.',
    fix: 'Client: answer with `"behavior":"approve"` or `"deny"`.',
  },
  'rfc-control-error': {
    means: 'A callback failed without saying why.',
    fix: 'Client: send error.message.',
  },
  'rfc-tool-response': {
    means: 'A tool_response does not name its call or its prompt, so the agent cannot use it.',
    fix: 'Client: send tool_call_id and the prompt_id of the turn.',
  },
  'rfc-tool-unknown': {
    means: 'tool_call_id names a call that was never made.',
    fix: 'Copy the id of the call.',
  },
  'rfc-introduction': {
    means: 'The first completion does not introduce the protocol.',
    fix: 'Agent: add protocol_version, input_format, output_format and capabilities to its metadata.',
  },
  'rfc-chunk-role': {
    means: 'The first chunk of an answer has no role.',
    fix: 'Agent: send `"delta":{"role":"assistant"}` first.',
  },
  'rfc-chunk-end': {
    means: 'The last chunk of an answer has no finish_reason, so the client waits for more.',
    fix: 'Agent: send finish_reason in the last chunk.',
  },
  'rfc-finish-reason': {
    means: 'The finish_reason and the calls contradict each other.',
    fix: 'Agent: end with tool_calls if there are calls, else with stop.',
  },
  'rfc-fatal': {
    means: 'After a fatal error the agent went on, or exited with 0.',
    fix: 'Agent: exit with an error code.',
  },
  'rfc-format': {
    means: 'The session mixes whole completions and chunks.',
    fix: 'Agent: send chunks only in stream-chunk-json.',
  },
};
