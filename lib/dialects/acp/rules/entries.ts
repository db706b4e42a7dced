/** Explanations of these rules: Agent Client Protocol. */
import type { RuleExplanation } from '../../rules/entry.ts';

export const ACP_ENTRIES: Readonly<Record<string, RuleExplanation>> = {
  'acp-initialize-first': {
    means: 'Something was sent before initialize was answered. The two sides have not agreed on a version yet.',
    fix: 'Send initialize first, and wait for its answer.',
  },
  'acp-initialize-again': {
    means: 'initialize was sent a second time. Capabilities may change under open sessions.',
    fix: 'Send it once per process.',
  },
  'acp-version': {
    means:
      'The agent offered another version than the client asked for, and the client went on although it may not know that version.',
    fix: 'Client: close the connection if you do not support the version in the answer.',
  },
  'acp-direction': {
    means:
      'A side called one of its own methods: clients send prompts, and agents ask for permission, files and terminals.',
    fix: 'Check the direction of the method in the specification.',
  },
  'acp-envelope': {
    means:
      'A request was sent without an id, so it gets no answer; or a notification was sent with one, so its sender waits for an answer that never comes.',
    fix: 'Send session/cancel and session/update without an id, everything else with one.',
  },
  'acp-extension': {
    means: 'The method is not in ACP. The other side may refuse it with -32601.',
    fix: 'Begin the names of extensions with an underscore, and declare them in _meta.',
  },
  'acp-batch': {
    means: 'Several messages came as one array. ACP has no batches, and most readers reject the line.',
    fix: 'Send one message per line.',
  },
  'acp-client-capability': {
    means: 'The agent used files or terminals that the client did not offer. The client refuses, and the tool fails.',
    fix: 'Agent: look at clientCapabilities before you ask. Client: declare in initialize what you have.',
  },
  'acp-agent-capability': {
    means: 'The client called a method that the agent did not offer.',
    fix: 'Client: look at agentCapabilities in the answer to initialize.',
  },
  'acp-prompt-capability': {
    means: 'The prompt has content of a type that the agent did not declare, such as images or embedded resources.',
    fix: 'Client: look at promptCapabilities; send a link or text instead.',
  },
  'acp-mcp-capability': {
    means: 'An MCP server was passed with a transport that the agent does not have.',
    fix: 'Client: look at mcpCapabilities; stdio always works.',
  },
  'acp-auth-method': {
    means: 'The client authenticates with a method that the agent did not offer.',
    fix: 'Client: choose an id from authMethods.',
  },
  'acp-session-unknown': {
    means: 'A message names a session that was never opened in this process, or misspells its id.',
    fix: 'Send session/new or session/load first, and use the sessionId of the answer.',
  },
  'acp-session-closed': {
    means: 'The session had already been closed.',
    fix: 'Open a new session, or load the old one again.',
  },
  'acp-prompt-busy': {
    means:
      'A second prompt came before the first one of this session was answered. Agents differ in what they do then.',
    fix: 'Wait for the answer, or send session/cancel and wait.',
  },
  'acp-stop-reason': {
    means: 'ACP does not have this stop reason, so the client cannot tell how the turn ended.',
    fix: 'Agent: use end_turn, max_tokens, max_turn_requests, refusal or cancelled.',
  },
  'acp-cancel': {
    means:
      'The turn was cancelled, but its prompt was not answered with the stop reason cancelled. The client cannot tell whether the cancel worked.',
    fix: 'Agent: catch the abort and answer with `{"stopReason":"cancelled"}`.',
  },
  'acp-cancel-idle': {
    means: 'No prompt was open that could be cancelled. The cancel is ignored.',
    fix: 'There is nothing to fix if the answer and the cancel crossed.',
  },
  'acp-mode-unknown': {
    means: 'The mode is not one of those that the agent offered for this session.',
    fix: 'Use an id from availableModes.',
  },
  'acp-permission-options': {
    means: 'The request offers no options, or two with the same id. The client cannot give a valid answer.',
    fix: 'Agent: offer at least one option, each with its own optionId.',
  },
  'acp-permission-answer': {
    means:
      'The permission request was answered with an option that was not offered, or in another form. Most agents treat that as a refusal.',
    fix: 'Client: answer with `{"outcome":{"outcome":"selected","optionId":"<one of the options>"}}` or `{"outcome":{"outcome":"cancelled"}}`.',
  },
  'acp-permission-idle': {
    means:
      'The agent asked for permission while no prompt of that session was open. The client may have nowhere to show it.',
    fix: 'Agent: ask within the turn, before its prompt is answered.',
  },
  'acp-permission-cancelled': {
    means:
      'The client cancelled the turn, and then answered an open permission request with an option instead of cancelled.',
    fix: 'Client: after session/cancel, answer everything that is open with the outcome cancelled.',
  },
  'acp-call-unknown': {
    means: 'A tool call was updated, but never announced. Clients drop the update, or show a call without a title.',
    fix: 'Agent: send tool_call first, then tool_call_update with the same toolCallId.',
  },
  'acp-call-again': {
    means: 'The same tool call was announced twice. Clients may show it twice.',
    fix: 'Agent: send tool_call once and tool_call_update from then on; use a new id for a new call.',
  },
  'acp-call-status': {
    means: 'The status went backwards: a call went on after it had ended, or was pending again after it had started.',
    fix: 'Agent: send pending, in_progress, then completed or failed, and nothing after.',
  },
  'acp-call-open': {
    means: 'The turn ended, but a tool call has neither completed nor failed. Clients show it as running.',
    fix: 'Agent: end every call before the answer to the prompt, also when it was cancelled.',
  },
  'acp-path': {
    means: 'A path is not absolute. The two sides may have different working directories.',
    fix: 'Send absolute paths.',
  },
  'acp-line-number': {
    means: 'Lines are counted from 1; there is no line 0.',
    fix: 'Agent: add one to a zero-based line number.',
  },
  'acp-terminal-unknown': {
    means: 'The terminal was never created, or had already been released.',
    fix: 'Agent: use the terminalId of terminal/create, and release it last.',
  },
  'acp-terminal-kept': {
    means: 'The terminal was never released, so the client keeps its process and output.',
    fix: 'Agent: send terminal/release when you are done, also after terminal/kill.',
  },
  'acp-version-method': {
    means:
      'A method or an update of the other version of ACP was used. The peer does not know it, or reads it otherwise.',
    fix: 'Use what the version has that initialize agreed on.',
  },
  'acp-state-running': {
    means:
      'In ACP 2, the answer to a prompt only says that it was inserted. The agent did not report that it works on it, so a client cannot tell whether it does.',
    fix: 'Agent: send state_update running when work begins, and idle when it ends.',
  },
  'acp-state-requires-action': {
    means: 'The agent said that it waits for the user, but it had asked the client for nothing. Nobody can answer.',
    fix: 'Agent: send the permission request or the elicitation with requires_action.',
  },
  'acp-state-reason': {
    means: 'The work ended without a reason, so a client cannot tell an end from a failure.',
    fix: 'Agent: add stopReason to the idle state that ends work.',
  },
  'acp-state-cancelled': {
    means: 'The client cancelled, and the agent said that the work ended in another way.',
    fix: 'Agent: end cancelled work with the stop reason cancelled.',
  },
  'acp-state-resumed': {
    means: 'The client does not know whether the resumed session works on something.',
    fix: 'Agent: send state_update after the history and before the answer to session/resume.',
  },
  'acp-prompt-repeated': {
    means: 'The client knows the id of its message, but not where the message stands in the conversation.',
    fix: 'Agent: send user_message with the messageId of the answer.',
  },
  'acp-cancel-offered': {
    means: 'The client cancelled something whose capabilities do not have cancel. The agent answers with -32602.',
    fix: 'Client: look at capabilities of the call or the terminal first.',
  },
};
