/**
 * `session/update`: what the agent reports while it works. Unknown updates become `other` with their own name. Both versions of
 * the protocol share most updates.
 */
import type { Event } from '../../model/event.ts';
import { blockOf, blocksOf, textOfBlocks } from '../common/content.ts';
import { numberOf, objectOf, objectsOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import type { AcpConversation } from './conversation.ts';
import { modeName, modeOf } from './handshake.ts';
import { linesOf } from './permission-subject.ts';
import { usageOf } from './usage.ts';

type ReadUpdate = (update: JsonObject, conversation: AcpConversation) => Event[];

const UPDATES: ReadonlyMap<string | null, ReadUpdate> = new Map<string, ReadUpdate>([
  ['agent_message_chunk', (update, at) => chunk('text', update, at)],
  ['agent_thought_chunk', (update, at) => chunk('thinking', update, at)],
  ['user_message_chunk', userChunk],
  ['tool_call', (update, { calls }) => calls.announce(update)],
  ['tool_call_update', (update, { calls }) => calls.update(update)],
  ['plan', ({ entries }) => plan(entries)],
  ['current_mode_update', ({ currentModeId, modeId }, at) => changed(at, modeName(currentModeId) ?? modeName(modeId))],
]);

const SHARED_UPDATES: ReadonlyMap<string | null, ReadUpdate> = new Map<string, ReadUpdate>([
  ['plan_update', (update) => plan(objectOf(update.plan).entries)],
  ['plan_removed', () => plan([])],
  ['usage_update', level],
  ['config_option_update', options],
  [
    'available_commands_update',
    ({ availableCommands }) => status('available_commands_update', names(availableCommands)),
  ],
  ['session_info_update', ({ title }) => status('session_info_update', stringOf(title) ?? '')],
  [
    'notice',
    ({ message, content, title, description }) => [
      { kind: 'notice', name: 'notice', text: linesOf(title, description) ?? stringOf(message) ?? textIn(content) },
    ],
  ],
  ['compaction_update', (update) => [compaction(update.status === 'completed', update.summary)]],
  ['compaction_summary_chunk', ({ content }) => [{ ...compaction(false, content), delta: true }]],
]);

export function readUpdate(update: JsonObject, conversation: AcpConversation): Event[] {
  const name = stringOf(update.sessionUpdate);
  return UPDATES.get(name)?.(update, conversation) ?? readSharedUpdate(update, conversation);
}

/** An update that is the same in both versions. */
export function readSharedUpdate(update: JsonObject, conversation: AcpConversation): Event[] {
  const name = stringOf(update.sessionUpdate);
  return SHARED_UPDATES.get(name)?.(update, conversation) ?? [{ kind: 'other', name }];
}

const textIn = (content: unknown): string => textOfBlocks(blocksOf(content));
const status = (name: string, text: string): Event[] => [{ kind: 'status', name, text }];
const compaction = (done: boolean, summary: unknown): Event => ({ kind: 'compaction', done, text: textIn(summary) });

/** Text, and the tokens that qwen sends with it. An empty text with tokens is only usage. */
function chunk(kind: 'text' | 'thinking', update: JsonObject, { calls }: AcpConversation): Event[] {
  const content = objectOf(update.content);
  const by = calls.speakers.of(update);
  const usage = usageOf(objectOf(update._meta).usage);
  if (content.type !== 'text') return [{ kind, delta: true, block: blockOf(update.content), ...by }];
  const text = stringOf(content.text) ?? '';
  if (usage === null) return [{ kind, delta: true, text, ...by }];
  const usageEvent: Event = { kind: 'usage', usage, total: false, context: null, ...by };
  return text === '' ? [usageEvent] : [{ kind, delta: true, text, ...by }, usageEvent];
}

/** The client's own prompt. Outside a replay it only repeats what the client sent. */
function userChunk(update: JsonObject, conversation: AcpConversation): Event[] {
  const blocks = blocksOf(update.content);
  const event: Event = { kind: 'prompt', blocks, delta: true, text: textOfBlocks(blocks) };
  return [conversation.replaying ? event : { ...event, restates: true }];
}

function plan(entries: unknown): Event[] {
  const items = objectsOf(entries).map((entry) => {
    return { title: stringOf(entry.content) ?? '', status: stringOf(entry.status) ?? '' };
  });
  const text = items.map(({ title, status }) => `[${status}] ${title}`).join('\n');
  return [{ kind: 'plan', blocks: [{ type: 'todo', items }], replace: true, text }];
}

function level({ used, size, _meta }: JsonObject, { tally, replaying }: AcpConversation): Event[] {
  if (replaying) tally.loaded(objectOf(_meta));
  const context = { used: numberOf(used), size: numberOf(size), share: null as number | null };
  if (context.used !== null && context.size) context.share = context.used / context.size;
  tally.level = context.used;
  return [{ kind: 'usage', usage: null, total: false, context }];
}

/**
 * Each change sends all options. The mode changed by itself if it differs from the known one and from the one that the
 * client asks for: agents tell that before their answer or after it.
 */
function options(update: JsonObject, conversation: AcpConversation): Event[] {
  const name = stringOf(update.configId);
  const mode = name === 'mode' ? modeName(update.value) : modeOf(update);
  if (mode === null || mode === conversation.mode || mode === conversation.requestedMode)
    return [{ kind: 'status', name: 'config_option_update' }];
  return changed(conversation, mode);
}

function changed(conversation: AcpConversation, mode: string | null): Event[] {
  conversation.mode = mode;
  return [{ kind: 'mode', mode, done: true }];
}

/** Only the names, because qwen sends half a megabyte. */
function names(list: unknown): string {
  return objectsOf(list)
    .map(({ name }) => stringOf(name) ?? '')
    .join(' ');
}
