/** Explanations of these rules: stream-json. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const STREAM_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'stream-direct-mode': {
    means:
      'The first line was not control_request initialize, so qwen runs in direct mode and ignores control lines, including answers to approvals.',
    fix: 'Client: send control_request initialize as the very first line.',
  },
  'stream-approval-answer': {
    means: 'can_use_tool was answered in a form that the agent does not know. The call is refused, or hangs.',
    fix: 'Client: answer with `{"behavior":"allow","updatedInput":{...}}` or `{"behavior":"deny","message":"..."}` under response.',
  },
  'stream-no-type': {
    means: 'The line has no type, so nobody can tell what it is.',
    fix: 'Put the envelope around it: `{"type":"user","message":{...}}`.',
  },
  'stream-foreign': {
    means: 'The line belongs to the RFC for structured IO, which no released agent reads.',
    fix: 'Send `{"type":"user","message":{"role":"user","content":"..."}}` instead.',
  },
  'stream-error-text': {
    means: 'An error on the control channel does not say what is wrong.',
    fix: 'Send the reason as text under error.',
  },
  'stream-init-first': {
    means: 'The agent sent something before system/init, which names the session, the model and the tools.',
    fix: 'Agent: send system/init first in every turn.',
  },
  'stream-no-result': {
    means: 'The turn ended without a result line. Clients that wait for it hang.',
    fix: 'Agent: send a result on every way out. Client: also stop at the end of the stream.',
  },
  'stream-prompt-ignored': {
    means: 'A user line was never taken up, and the agent ended by itself.',
    fix: 'Agent: read all lines that came before the end of stdin. Client: wait for the result before you close stdin.',
  },
  'stream-result-stray': {
    means: 'A result came while no turn was open. Clients may take it for the end of the next one.',
    fix: 'Agent: send one result per turn.',
  },
  'stream-result-contradicts': {
    means: 'is_error and subtype say different things, so clients disagree on whether the turn failed.',
    fix: 'Agent: set both from the same state. Client: use is_error.',
  },
  'stream-hidden-error': {
    means: 'The result says success, but its text is an error of the model.',
    fix: 'Client: check the text for an API error. Agent: report it as an error.',
  },
  'stream-interrupt': {
    means: 'The interrupt was acknowledged, but the turn went on.',
    fix: 'Agent: stop before you answer the interrupt, and end with a result that is an error.',
  },
  'stream-interrupt-idle': {
    means: 'There was no turn that could be interrupted.',
    fix: 'There is nothing to fix if the result and the interrupt crossed.',
  },
  'stream-session-id': {
    means: 'The session id changed without a new system/init.',
    fix: 'Agent: keep the id for the whole process.',
  },
  'stream-usage-shrinks': {
    means: 'qwen reports usage as a total for the session, but the total got smaller.',
    fix: 'Agent: report the total so far. Client: do not subtract one result from another.',
  },
  'stream-parent-unknown': {
    means: 'parent_tool_use_id names a call that was never made, so it is unknown which subagent the lines belong to.',
    fix: 'Agent: use the id of the tool_use that started the subagent.',
  },
  'stream-result-unknown': {
    means: 'A tool_result names a tool_use that was never made.',
    fix: 'Agent: copy the id of the tool_use.',
  },
  'stream-result-twice': {
    means: 'The tool_use already had a result.',
    fix: 'Agent: send one tool_result per call.',
  },
  'stream-call-open': {
    means: 'The turn succeeded, but a tool_use has no tool_result. Clients show it as running.',
    fix: 'Agent: send a result for every call, also for one that was denied or cancelled.',
  },
  'stream-ask-unknown': {
    means: 'Permission was asked for a call that was not announced, so the client cannot show what it is for.',
    fix: 'Agent: send the assistant line with the tool_use before can_use_tool.',
  },
  'stream-denial-unknown': {
    means: 'permission_denials names a call that was never made.',
    fix: 'Agent: list the ids of calls that were denied.',
  },
};
