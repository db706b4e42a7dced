/** What the rules of this family mean, and what to do: Agent Client Protocol. */
import type { Entry } from '../../rules/entry.ts';

export const ACP_ENTRIES: Readonly<Record<string, Entry>> = {
  'acp-initialize-first': {
    means: 'Something was sent before initialize and its answer. The two sides have not agreed on a version yet.',
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
      'A side called one of its own methods: agents are prompted, clients are asked for permission, files and terminals.',
    fix: 'Check the direction of the method in the specification.',
  },
  'acp-envelope': {
    means:
      'A method that is answered was sent without an id, or a notification with one. The sender waits for an answer that never comes, or gets none.',
    fix: 'Send session/cancel and session/update without an id, everything else with one.',
  },
  'acp-extension': {
    means: 'The method is not in ACP. The other side may refuse it with -32601.',
    fix: 'Begin names of extensions with an underscore, and say in _meta that you have them.',
  },
  'acp-batch': {
    means: 'Several messages came as one array. ACP has no batches, and most readers reject the line.',
    fix: 'Send one message per line.',
  },
  'acp-client-capability': {
    means: 'The agent used files or terminals that the client did not offer. The client refuses, and the tool fails.',
    fix: 'Agent: look at clientCapabilities before you ask. Client: say in initialize what you have.',
  },
  'acp-agent-capability': {
    means: 'The client called a method that the agent did not offer.',
    fix: 'Client: look at agentCapabilities in the answer to initialize.',
  },
  'acp-prompt-capability': {
    means: 'The prompt has content that the agent did not say it can take, such as images or embedded resources.',
    fix: 'Client: look at promptCapabilities; send a link or text instead.',
  },
  'acp-mcp-capability': {
    means: 'An MCP server was given by a transport that the agent does not have.',
    fix: 'Client: look at mcpCapabilities; stdio always works.',
  },
  'acp-auth-method': {
    means: 'The client authenticates by a method that the agent did not offer.',
    fix: 'Client: choose an id from authMethods.',
  },
  'acp-session-unknown': {
    means: 'A message names a session that nobody opened in this process, or a typing mistake in its id.',
    fix: 'Send session/new or session/load first, and use the sessionId of the answer.',
  },
  'acp-session-closed': {
    means: 'The session was closed before.',
    fix: 'Open a new session, or load the old one again.',
  },
  'acp-prompt-busy': {
    means:
      'A second prompt came before the first one of this session was answered. Agents differ in what they do then.',
    fix: 'Wait for the answer, or send session/cancel and wait.',
  },
  'acp-stop-reason': {
    means: 'The stop reason is none that ACP has, so that the client cannot tell how the turn ended.',
    fix: 'Agent: use end_turn, max_tokens, max_turn_requests, refusal or cancelled.',
  },
  'acp-cancel': {
    means:
      'The turn was cancelled, but its prompt was not answered with the stop reason cancelled. The client cannot tell whether the cancel worked.',
    fix: 'Agent: catch the abort and answer with `{"stopReason":"cancelled"}`.',
  },
  'acp-cancel-idle': {
    means: 'Nothing was open that could be cancelled. It is ignored.',
    fix: 'Nothing need be done: the answer may have crossed the cancel.',
  },
  'acp-mode-unknown': {
    means: 'The mode is none of those that the agent offered for this session.',
    fix: 'Use an id from availableModes.',
  },
  'acp-permission-options': {
    means: 'The request offers no options, or two with the same id. The client cannot answer it properly.',
    fix: 'Agent: offer at least one option, each with its own optionId.',
  },
  'acp-permission-answer': {
    means:
      'The permission was answered with an option that was not offered, or in another form. Most agents take that for a refusal.',
    fix: 'Client: answer with `{"outcome":{"outcome":"selected","optionId":"<one of the options>"}}` or `{"outcome":{"outcome":"cancelled"}}`.',
  },
  'acp-permission-idle': {
    means: 'Permission was asked while no prompt of that session was open. The client may have nowhere to show it.',
    fix: 'Agent: ask within the turn, before its prompt is answered.',
  },
  'acp-permission-cancelled': {
    means: 'The client cancelled the turn, and then answered an open permission with a choice instead of cancelled.',
    fix: 'Client: after session/cancel, answer everything that is open with the outcome cancelled.',
  },
  'acp-call-unknown': {
    means: 'A tool call was updated that was never announced. Clients drop the update, or show a call without a title.',
    fix: 'Agent: send tool_call first, then tool_call_update with the same toolCallId.',
  },
  'acp-call-again': {
    means: 'The same tool call was announced twice. Clients may show it twice.',
    fix: 'Agent: send tool_call once and tool_call_update from then on; use a new id for a new call.',
  },
  'acp-call-status': {
    means: 'The status went back: a call that had ended goes on, or one that ran is pending again.',
    fix: 'Agent: send pending, in_progress, then completed or failed, and nothing after.',
  },
  'acp-call-open': {
    means: 'The turn ended, and a tool call has neither completed nor failed. Clients show it as running.',
    fix: 'Agent: end every call before the answer to the prompt, also when it was cancelled.',
  },
  'acp-path': {
    means: 'A path is not absolute. The two sides may have different working directories.',
    fix: 'Send absolute paths.',
  },
  'acp-line-number': {
    means: 'Lines are counted from 1; line 0 is none.',
    fix: 'Agent: add one to a zero-based line number.',
  },
  'acp-terminal-unknown': {
    means: 'The terminal was never created, or was released before.',
    fix: 'Agent: use the terminalId of terminal/create, and release it last.',
  },
  'acp-terminal-kept': {
    means: 'The terminal was never released, so that the client keeps its process and output.',
    fix: 'Agent: send terminal/release when you are done, also after terminal/kill.',
  },
};
