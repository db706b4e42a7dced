/** The words of pi's protocol. */

const COMMANDS = new Set([
  ...['prompt', 'steer', 'follow_up', 'abort', 'new_session', 'get_state', 'get_messages', 'get_commands'],
  ...['set_model', 'cycle_model', 'get_available_models', 'set_thinking_level', 'cycle_thinking_level'],
  ...['set_steering_mode', 'set_follow_up_mode', 'compact', 'set_auto_compaction', 'set_auto_retry', 'abort_retry'],
  ...['bash', 'abort_bash', 'get_session_stats', 'export_html', 'switch_session', 'fork', 'clone'],
  ...['get_fork_messages', 'get_last_assistant_text', 'set_session_name'],
]);

export function isCommand(type: string | null): boolean {
  return type !== null && COMMANDS.has(type);
}

/** Requests of an extension that wait for an answer. */
export const DIALOGS: ReadonlySet<string> = new Set(['select', 'confirm', 'input', 'editor']);

export const EVENTS: ReadonlySet<string> = new Set([
  ...['agent_start', 'agent_end', 'turn_start', 'turn_end', 'queue_update', 'compaction_start', 'compaction_end'],
  ...['auto_retry_start', 'auto_retry_end', 'extension_ui_request', 'extension_error'],
  ...['session_info_changed', 'thinking_level_changed'],
]);

/** Errors after which pi tries again by itself, or compacts the conversation first. */
const TRANSIENT_ERRORS = [
  /overloaded|rate.?limit|too many requests|\b(?:429|50[0-4])\b|unavailable|retry delay/i,
  /(?:server|internal|network|connection|websocket|returned).?(?:error|refused|lost|closed)|upstream.?connect/i,
  /fetch failed|side closed|reset before|hang up|ended without|did not get a response|timed? ?out|terminated/i,
  /context|too long|too large|token limit|maximum.{0,20}tokens|exceed/i,
];

export function isTransient(error: string): boolean {
  const text = error.slice(0, 500);
  return TRANSIENT_ERRORS.some((words) => words.test(text));
}
