/** The meaning of each type of record. Records that only keep the agent's state become `statusEvent`. */
import type { Event } from '../../model/event.ts';
import { blocksOf, readable, todoOf } from '../common/content.ts';
import {
  errorText,
  handshakeEvent,
  listOf,
  namesOf,
  numberOf,
  objectOf,
  stringOf,
  tokensOf,
  withText,
} from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { readMessage } from './messages.ts';
import type { JournalTurns } from './turns.ts';

/** The agent whose journal it is. */
export interface JournalSpeaker {
  /** The call that started it. */
  parent: string | null;
  /** Its journal has turns and steps, so messages only repeat them. */
  hasTurns: boolean;
  hasSteps: boolean;
}

/** The position of a record. */
export interface RecordPosition {
  f: number;
  isMain: boolean;
  speaker: JournalSpeaker;
  turns: JournalTurns;
}

export type ReadRecord = (record: JsonObject, position: RecordPosition) => Event[];

/** The first word of every known record name. */
const FAMILIES: ReadonlySet<string> = new Set([
  ...['agent', 'config', 'context', 'cron', 'environment', 'file_history', 'full_compaction', 'goal', 'interaction'],
  ...['interruptionReminder', 'llm', 'mcp', 'permission', 'plan', 'plan_mode', 'plugin', 'profile', 'prompt'],
  ...['runtime', 'staleGuard', 'subagent', 'swarm_mode', 'task', 'token_counting', 'tools', 'tower_mode', 'turn'],
  ...['usage', 'context_size', 'micro_compaction'],
]);

/** Whether a type belongs to this journal, even if it has no meaning here. */
export function isFamiliar(type: unknown): type is string {
  if (typeof type !== 'string') return false;
  const dot = type.indexOf('.');
  return dot < 0 ? type === 'forked' : FAMILIES.has(type.slice(0, dot));
}

export const RECORDS: ReadonlyMap<unknown, ReadRecord> = new Map<unknown, ReadRecord>([
  ['turn.prompt', readTurnPrompt],
  ['turn.ended', readTurnEnd],
  [
    'agent.turn.started',
    (_, { isMain }) => [isMain ? { kind: 'turn-begin', nested: false, restates: true } : repeatedTurn()],
  ],
  ['turn.steer', readTurnSteer],
  ['turn.cancel', ({ reason }) => [withText({ kind: 'cancel', of: null, done: true }, stringOf(reason))]],
  ['turn.step.interrupted', ({ message }) => [withText({ kind: 'step-interrupted' }, stringOf(message))]],
  ['turn.step.retrying', readStepRetry],
  ['context.append_message', ({ message }, position) => readMessage(objectOf(message), position)],
  ['usage.record', readUsage],
  ['token_counting.measured', readTokenCount],
  ['token_counting.rebased', readTokenCount],
  ['token_counting.truncated', readTokenCount],
  ['permission.set_mode', ({ mode }) => [{ kind: 'mode', mode: stringOf(mode), done: true }]],
  ['plan_mode.enter', () => [{ kind: 'mode', mode: 'plan', done: true }]],
  ['plan_mode.exit', () => [modeLeftEvent('plan')]],
  ['plan_mode.cancel', () => [modeLeftEvent('plan')]],
  ['swarm_mode.enter', () => [{ kind: 'mode', mode: 'swarm', done: true }]],
  ['swarm_mode.exit', () => [modeLeftEvent('swarm')]],
  ['tower_mode.enter', () => [{ kind: 'mode', mode: 'tower', done: true }]],
  ['tower_mode.exit', () => [modeLeftEvent('tower')]],
  ['full_compaction.begin', () => [{ kind: 'compaction', done: false }]],
  ['full_compaction.complete', () => [{ kind: 'compaction', done: true }]],
  ['profile.bind', readProfile],
  ['config.update', ({ modelAlias }) => [statusEvent('config.update', stringOf(modelAlias))]],
  ['llm.request', ({ model }) => [statusEvent('llm.request', stringOf(model))]],
  ['llm.tools_snapshot', ({ tools }) => [statusEvent('llm.tools_snapshot', `${listOf(tools).length} tools`)]],
  ['mcp.tools_discovered', ({ serverName }) => [statusEvent('mcp.tools_discovered', stringOf(serverName))]],
  ['goal.create', ({ objective }) => [statusEvent('goal.create', stringOf(objective))]],
  ['tools.update_store', readStoreUpdate],
  ['subagent.spawned', readSubagent],
  ['subagent.completed', ({ resultSummary }) => [statusEvent('subagent.completed', stringOf(resultSummary))]],
  ['subagent.failed', ({ error }) => [statusEvent('subagent.failed', errorText(error))]],
]);

/** Whether a type is a record of this journal and of nothing else. */
export function isKnown(type: unknown): boolean {
  return RECORDS.has(type) || type === 'context.append_loop_event';
}

function statusEvent(name: string, text: string | null): Event {
  return withText({ kind: 'status', name }, text);
}

/** A turn is reported twice; for a subagent, the first report is enough. */
function repeatedTurn(): Event {
  return { kind: 'status', name: 'agent.turn.started', restates: true };
}

function modeLeftEvent(mode: string): Event {
  return { kind: 'mode', mode: null, done: true, text: `left ${mode} mode` };
}

/** The turn of a subagent is nested. */
function readTurnPrompt({ input, turnId }: JsonObject, { f, isMain, speaker, turns }: RecordPosition): Event[] {
  speaker.hasTurns = true;
  const blocks = blocksOf(input);
  if (!isMain) return [withText({ kind: 'turn-begin', nested: true }, readable(blocks))];
  const event: Event = { kind: 'prompt', blocks };
  if (turns.prompted(turnId, f)) event.takes = f;
  return [withText(event, readable(blocks))];
}

/** For the main agent, this stands for the answer to the prompt. */
function readTurnEnd({ turnId, reason, error }: JsonObject, { isMain, turns }: RecordPosition): Event[] {
  const prompt = isMain ? turns.ended(turnId) : null;
  const message = errorText(error);
  const events: Event[] = message === null ? [] : [{ kind: 'error', code: null, text: message }];
  if (prompt === null) return [...events, { kind: 'turn-end' }];
  return [...events, { kind: 'prompt-answer', prompt, status: stringOf(reason) ?? 'ended', code: null }];
}

function readTurnSteer({ input }: JsonObject): Event[] {
  const blocks = blocksOf(input);
  return [withText({ kind: 'steer', blocks, done: true }, readable(blocks))];
}

function readStepRetry({ step, nextAttempt, maxAttempts, errorName, errorMessage, statusCode }: JsonObject): Event[] {
  const reason = [stringOf(errorName), numberOf(statusCode)].filter((word) => word !== null).join(' ') || null;
  const attempt = `attempt ${numberOf(nextAttempt) ?? '?'} of ${numberOf(maxAttempts) ?? '?'}`;
  const message = stringOf(errorMessage);
  const text = message === null ? attempt : `${attempt}: ${message}`;
  return [{ kind: 'step-retry', n: numberOf(step), reason, text }];
}

/** The usage of one model call of any kind. */
function readUsage({ usage }: JsonObject): Event[] {
  const { inputOther, inputCacheRead, inputCacheCreation, output } = objectOf(usage);
  const tokens = tokensOf(inputOther, inputCacheRead, inputCacheCreation, output);
  return [{ kind: 'usage', usage: tokens, total: false, context: null }];
}

/** The size of the context, which matters only for the main agent. */
function readTokenCount({ tokens }: JsonObject, { isMain }: RecordPosition): Event[] {
  const context = isMain ? { used: numberOf(tokens), size: null, share: null } : null;
  return [{ kind: 'usage', usage: null, total: false, context }];
}

function readProfile(record: JsonObject, { isMain }: RecordPosition): Event[] {
  const { modelAlias, profileName, environmentDisclosure, activeToolNames, disallowedTools } = record;
  if (!isMain) return [statusEvent('profile.bind', stringOf(profileName))];
  const about = {
    agent: { name: 'kimi-code', version: null },
    model: stringOf(modelAlias),
    cwd: stringOf(objectOf(environmentDisclosure).cwd),
    tools: { accepted: namesOf(activeToolNames), refused: namesOf(disallowedTools) },
  };
  return [handshakeEvent(about)];
}

/** The state of tools; the to-do list is a plan. */
function readStoreUpdate({ key, value }: JsonObject): Event[] {
  if (key !== 'todo' || !Array.isArray(value)) return [statusEvent('tools.update_store', stringOf(key))];
  return [{ kind: 'plan', blocks: [todoOf(value)] }];
}

function readSubagent({
  subagentId,
  subagentName,
  parentToolCallId,
  runInBackground,
  description,
}: JsonObject): Event[] {
  const call = stringOf(parentToolCallId);
  const event: Event = { kind: 'subagent', call, name: stringOf(subagentName), background: runInBackground === true };
  if (typeof subagentId === 'string') event.subagent = subagentId;
  if (call !== null) event.parent = call;
  return [withText(event, stringOf(description))];
}
