/** Explanations of these rules: Kimi Wire. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const WIRE_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'wire-line': {
    means:
      'A line is not a message: not valid JSON, two messages without a line feed between them, not an object, blank, a batch, or an object without an envelope. The other side drops it or refuses it.',
    fix: 'Send one JSON-RPC object per line. Write logs to stderr. For agents up to 0.58, send no other top-level keys.',
  },
  'wire-line-length': {
    means: 'The line is longer than its reader accepts. kimi-cli stops reading, or exits.',
    fix: 'Send large content by path, or in several prompts.',
  },
  'wire-id': {
    means: 'The id is not a string. kimi-cli refuses such a line, with an error that has no id.',
    fix: 'Make ids strings: `"id":"1"`.',
  },
  'wire-no-id': {
    means: 'A request without an id is a notification: the agent does not act on it, and never answers.',
    fix: 'Add an id that is unique among the open requests.',
  },
  'wire-unanswered': {
    means:
      'A request of the client has no answer, or two, although the client neither closed stdin nor stopped the agent.',
    fix: 'Agent: answer each request once, also if the turn fails. Client: look at stderr and at the exit.',
  },
  'wire-initialize': {
    means: 'initialize came while a turn was open, or subscribed the same hook twice.',
    fix: 'Send initialize once, first. Subscribe each hook once.',
  },
  'wire-external-tools': {
    means:
      'An external tool has the name of another, or an invalid schema; or the agent neither accepted nor refused it.',
    fix: 'Use unique names and a JSON schema of type object. Read `external_tools` in the answer before you rely on a tool.',
  },
  'wire-prompt-busy': {
    means: 'A prompt or a replay was sent while one was open. The agent refuses it with -32000.',
    fix: 'Wait for the answer to the open prompt, or cancel it first. To add text to a running turn, use `steer`.',
  },
  'wire-steer': {
    means: 'steer was sent while no turn was open (it is refused), or inside a replay (it is thrown away).',
    fix: 'Steer only between the beginning of a turn and the answer to its prompt.',
  },
  'wire-cancel': {
    means: 'cancel came while nothing was running, or a turn ended as cancelled although nobody cancelled it.',
    fix: 'Cancel only what is open. Agent: report another status if nobody cancelled.',
  },
  'wire-outside-turn': {
    means:
      'The agent sent content, steps or tools outside TurnBegin and TurnEnd, or a turn outside a prompt. Clients do not know what it belongs to.',
    fix: 'Agent: send TurnBegin first and TurnEnd last, both before the answer to the prompt.',
  },
  'wire-turn-end': {
    means: 'The prompt was answered, but its turn has no TurnEnd. Clients that wait for it show the turn as running.',
    fix: 'Agent: send TurnEnd on every way out of the turn. Client: also treat the answer to the prompt as the end.',
  },
  'wire-turn-nesting': {
    means: 'There are more TurnEnds than TurnBegins, so they no longer match.',
    fix: 'Agent: send one TurnEnd for each TurnBegin.',
  },
  'wire-approval-answer': {
    means:
      'An approval was answered with the wrong request_id, a word that the agent does not know, twice, or not at all. The agent treats an invalid answer as a reject.',
    fix: 'Answer with `{"request_id":"<id of the request>","response":"approve"}`, `approve_for_session` or `reject`, under the id of the request.',
  },
  'wire-approval-again': {
    means:
      'The agent asked for an approval although the same action was approved for the session, or although it runs with --yolo.',
    fix: 'Agent: look up standing approvals before you ask. Client: just answer.',
  },
  'wire-reject': {
    means: 'The turn went on after a reject without feedback, which should end it.',
    fix: 'Agent: end the turn. Client: send feedback with the reject if the turn should go on.',
  },
  'wire-question': {
    means:
      'The agent asked a client that did not declare supports_question, or the answer is not one of the options: then it counts as dismissed.',
    fix: 'Client: declare `supports_question` in initialize only if you can ask the user, and answer with the labels offered. Agent: ask only such clients.',
  },
  'wire-external-call': {
    means:
      'The agent called an external tool that was not accepted, or without a ToolCall; or the client did not give a valid answer.',
    fix: 'Client: answer with `{"tool_call_id":...,"return_value":{...}}`. Agent: call only accepted tools.',
  },
  'wire-hook': {
    means:
      'The agent sent a hook to a client that did not subscribe, or the answer is wrong or late. A hook without a valid answer counts as an allow.',
    fix: 'Client: answer with `{"request_id":...,"action":"allow"}` or `block` before the timeout.',
  },
  'wire-early-eof': {
    means: 'The client closed stdin. An agent should then exit with 0; what it was doing is lost.',
    fix: 'Client: wait for the answer to the prompt before you close stdin. Agent: exit with 0.',
  },
  'wire-step-order': {
    means: 'Steps should be numbered 1, 2, 3 and so on, and a StepRetry should name the current step.',
    fix: 'Agent: add 1 for each step of the turn. Start again at 1 only in a new turn.',
  },
  'wire-call-in-step': {
    means: 'A tool was called before the first step of the turn, so clients cannot tell where it belongs.',
    fix: 'Agent: send StepBegin before the first ToolCall.',
  },
  'wire-result': {
    means:
      'A ToolResult belongs to no call, or a call of a finished turn has no result. Clients show that call as running.',
    fix: 'Agent: send one ToolResult per ToolCall, with the same tool_call_id, also for a call that failed.',
  },
  'wire-step-interrupted': {
    means: 'A step was interrupted by a fatal error, but the prompt was answered as finished.',
    fix: 'Agent: answer the prompt with an error, or do not send StepInterrupted.',
  },
  'wire-compaction': {
    means: 'CompactionEnd came without CompactionBegin, or the other way round.',
    fix: 'Agent: send both, in that order, also if the compaction fails.',
  },
  'wire-mcp-loading': {
    means: 'MCPLoadingEnd came without MCPLoadingBegin, or the other way round.',
    fix: 'Agent: send both, in that order, also if a server fails to load.',
  },
  'wire-bracket': {
    means: 'BtwEnd or HookResolved came without the BtwBegin or HookTriggered that it belongs to.',
    fix: 'Agent: send the two with the same id, in that order.',
  },
  'wire-subagent': {
    means: 'A SubagentEvent contains a request instead of an event, or names no call that started a subagent.',
    fix: 'Agent: send requests of subagents at the top level, and set parent_tool_call_id to the call of the subagent.',
  },
  'wire-replay': {
    means:
      'The client answered a request that was only replayed, or the numbers that a replay reports differ from what it sent.',
    fix: 'Client: show replayed requests, do not answer them. Agent: count what is really sent.',
  },
  'wire-max-steps': {
    means: 'The answer max_steps_reached reports a wrong number of steps.',
    fix: 'Agent: report the steps of this turn.',
  },
  'wire-model-error': {
    means: 'The model failed within a step, but the agent did not send StepInterrupted before the answer.',
    fix: 'Agent: send StepInterrupted, then the error.',
  },
  'wire-deaf': {
    means: 'Agents up to 0.58 read nothing while a run is open, so answers to approvals and interrupts come too late.',
    fix: 'Use kimi-cli 0.59 or later.',
  },
  'wire-id-in-use': {
    means: 'A request has the id of one that is still open. The answers cannot be told apart.',
    fix: 'Use a new id for each request.',
  },
  'wire-method': {
    means:
      'The method is not one of this version of the protocol. The agent refuses it with -32601, the client ignores it.',
    fix: 'Check the version in the answer to initialize. `run` and `interrupt` belong to agents up to 0.58, `prompt` and `cancel` to later ones.',
  },
  'wire-unknown-answer': {
    means: 'The client answered a request that the agent never sent. The real request stays open.',
    fix: 'Copy the id of the request, and answer each request once.',
  },
  'wire-exit-failure': {
    means: 'Nobody stopped the agent and its last turn succeeded, but it exited with an error code.',
    fix: 'Agent: find out what fails after the turn. Client: look at the last lines of stderr.',
  },
  'wire-content-part': {
    means: 'The prompt has a part of a type that kimi-cli does not know. It exits when it reads it.',
    fix: 'Send parts of type text, image_url, audio_url or video_url only.',
  },
  'wire-handshake': {
    means:
      'The client did not send initialize. Since kimi-cli 1.25 the agent then sends no approvals, and the turn waits forever.',
    fix: 'Client: send initialize, and wait for its answer, before the first prompt. Or start the agent with --yolo.',
  },
};
