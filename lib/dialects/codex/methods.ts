/** What the client asks: the handshake, threads, turns, and everything else that it may do with them. */
import type { Event } from '../../model/event.ts';
import { blocksOf, textOfBlocks } from '../common/content.ts';
import { errorText, handshakeEvent, objectOf, partyOf, stringOf, withText } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { modeOf, settingsIn } from './modes.ts';

/** The first words of methods of 0.166, and the names of those that have only one. */
const KNOWN = new RegExp(
  [
    '^(?:thread|turn|review|model|modelProvider|account|accountSession|config|configRequirements|command|process|fs)/',
    '^(?:skills|hooks|marketplace|plugin|app|environment|mcpServer|mcpServerStatus|project|threadSection|feedback)/',
    '^(?:experimentalFeature|permissionProfile|remoteControl|collaborationMode|externalAgentConfig|fuzzyFileSearch)/',
    '^(?:server|userVerification|memory|rollout|windowsSandbox|mock)/',
    '^(?:getConversationSummary|gitDiffToRemote|getAuthStatus|fuzzyFileSearch)$',
    // Of the protocol before threads.
    '^(?:(?:new|list|resume|archive|fork|interrupt)Conversations?|(?:add|remove)ConversationListener)$',
    '^(?:loginApiKey|loginChatGpt|cancelLoginChatGpt|logoutChatGpt|getUserSavedConfig|setDefaultModel|getUserAgent)$',
    '^(?:userInfo|execOneOffCommand)$',
  ].join('|'),
);

export const isKnownMethod = (method: string): boolean => HANDSHAKES.has(method) || KNOWN.test(method);

export const HANDSHAKES = new Set([
  ...['initialize', 'initialized', 'thread/start', 'thread/resume', 'thread/fork'],
  ...['newConversation', 'resumeConversation', 'forkConversation'],
]);

/** Prompts, and where each has its input. */
export const PROMPTS: Readonly<Record<string, (params: JsonObject) => unknown>> = {
  'turn/start': ({ input }) => input,
  'review/start': ({ target }) => reviewText(objectOf(target)),
  sendUserMessage: ({ items }) => oldInput(items),
  sendUserTurn: ({ items }) => oldInput(items),
};

/** The conversation that a request is about, in either version. */
export function threadIn({ threadId, conversationId }: JsonObject): string | null {
  return stringOf(threadId) ?? stringOf(conversationId);
}

export function promptEvent(input: unknown): Event & { kind: 'prompt' } {
  const blocks = blocksOf(input);
  return { kind: 'prompt', blocks, text: textOfBlocks(blocks) };
}

export function readHandshake(method: string, params: JsonObject): Event {
  if (method === 'initialize') {
    return handshakeEvent({ client: partyOf(params.clientInfo), capabilities: params.capabilities ?? undefined });
  }
  return handshakeEvent({ session: threadIn(params), cwd: stringOf(params.cwd), model: stringOf(params.model) });
}

/** The agent names itself after its client, and only its version is its own: `client/0.166.0 (Linux …) …`. */
const VERSION = /^[^/]*\/(\d[\w.-]*)/;

export function readHandshakeAnswer({ message }: DialectLine, method: string): Event {
  if (message.envelope === 'error') return { kind: 'handshake', about: {}, text: errorText(message.body) ?? '' };
  const result = objectOf(message.body);
  if (method === 'initialize') {
    const version = VERSION.exec(stringOf(result.userAgent) ?? '')?.[1] ?? null;
    return handshakeEvent({ agent: { name: 'codex', version } });
  }
  const { id } = objectOf(result.thread);
  return handshakeEvent({
    session: stringOf(id) ?? stringOf(result.conversationId),
    cwd: stringOf(result.cwd),
    model: stringOf(result.model),
    mode: modeOf(settingsIn(result)),
  });
}

/** A request that is neither a prompt nor about a turn. */
export function readControl(method: string, params: JsonObject): Event {
  if (method === 'thread/compact/start') return { kind: 'compaction', done: false };
  const { command } = params;
  const text = Array.isArray(command) ? command.join(' ') : stringOf(command);
  return withText({ kind: isKnownMethod(method) ? 'control' : 'other', name: method }, text);
}

function reviewText({ type, instructions, branch, sha, title }: JsonObject): string {
  const subject = stringOf(instructions) ?? stringOf(branch) ?? stringOf(title) ?? stringOf(sha);
  return `/review ${subject ?? (type === 'uncommittedChanges' ? 'uncommitted changes' : '')}`.trim();
}

/** `{type: "text", data: {text}}`. */
function oldInput(items: unknown): unknown {
  if (!Array.isArray(items)) return items;
  return items.map((item) => ({ ...objectOf(item), ...objectOf(objectOf(item).data) }));
}
