/** The meaning of each type of record. Records that only keep the agent's state become `status`. */
import type { Event } from '../../model/event.ts';
import { blocksOf, readable, todoOf } from '../common/content.ts';
import { errorText, hello, listOf, namesOf, numberOf, objectOf, say, stringOf, tokensOf } from '../common/fields.ts';
import type { Json } from '../dialect.ts';
import { readMessage } from './messages.ts';
import type { Turns } from './turns.ts';

/** The agent whose journal it is. */
export interface Speaker {
  /** The call that started it. */
  parent: string | null;
  /** Its journal has turns and steps, so messages only repeat them. */
  hasTurns: boolean;
  hasSteps: boolean;
}

/** The position of a record. */
export interface Place {
  f: number;
  isMain: boolean;
  speaker: Speaker;
  turns: Turns;
}

export type Read = (record: Json, place: Place) => Event[];

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

export const RECORDS: ReadonlyMap<unknown, Read> = new Map<unknown, Read>([
  ['turn.prompt', turnPrompt],
  ['turn.ended', turnEnded],
  ['agent.turn.started', (_, { isMain }) => [isMain ? { kind: 'turn-begin', nested: false, restates: true } : again()]],
  ['turn.steer', turnSteer],
  ['turn.cancel', ({ reason }) => [say({ kind: 'cancel', of: null, done: true }, stringOf(reason))]],
  ['turn.step.interrupted', ({ message }) => [say({ kind: 'step-interrupted' }, stringOf(message))]],
  ['turn.step.retrying', stepRetrying],
  ['context.append_message', ({ message }, place) => readMessage(objectOf(message), place)],
  ['usage.record', usageRecord],
  ['token_counting.measured', tokenCounting],
  ['token_counting.rebased', tokenCounting],
  ['token_counting.truncated', tokenCounting],
  ['permission.set_mode', ({ mode }) => [{ kind: 'mode', mode: stringOf(mode), done: true }]],
  ['plan_mode.enter', () => [{ kind: 'mode', mode: 'plan', done: true }]],
  ['plan_mode.exit', () => [modeLeft('plan')]],
  ['plan_mode.cancel', () => [modeLeft('plan')]],
  ['swarm_mode.enter', () => [{ kind: 'mode', mode: 'swarm', done: true }]],
  ['swarm_mode.exit', () => [modeLeft('swarm')]],
  ['tower_mode.enter', () => [{ kind: 'mode', mode: 'tower', done: true }]],
  ['tower_mode.exit', () => [modeLeft('tower')]],
  ['full_compaction.begin', () => [{ kind: 'compaction', done: false }]],
  ['full_compaction.complete', () => [{ kind: 'compaction', done: true }]],
  ['profile.bind', profileBind],
  ['config.update', ({ modelAlias }) => [status('config.update', stringOf(modelAlias))]],
  ['llm.request', ({ model }) => [status('llm.request', stringOf(model))]],
  ['llm.tools_snapshot', ({ tools }) => [status('llm.tools_snapshot', `${listOf(tools).length} tools`)]],
  ['mcp.tools_discovered', ({ serverName }) => [status('mcp.tools_discovered', stringOf(serverName))]],
  ['goal.create', ({ objective }) => [status('goal.create', stringOf(objective))]],
  ['tools.update_store', storeUpdate],
  ['subagent.spawned', subagentSpawned],
  ['subagent.completed', ({ resultSummary }) => [status('subagent.completed', stringOf(resultSummary))]],
  ['subagent.failed', ({ error }) => [status('subagent.failed', errorText(error))]],
]);

/** Whether a type is a record of this journal and of nothing else. */
export function isKnown(type: unknown): boolean {
  return RECORDS.has(type) || type === 'context.append_loop_event';
}

function status(name: string, text: string | null): Event {
  return say({ kind: 'status', name }, text);
}

/** A turn is reported twice; for a subagent, the first report is enough. */
function again(): Event {
  return { kind: 'status', name: 'agent.turn.started', restates: true };
}

function modeLeft(mode: string): Event {
  return { kind: 'mode', mode: null, done: true, text: `left ${mode} mode` };
}

/** The turn of a subagent is nested. */
function turnPrompt({ input, turnId }: Json, { f, isMain, speaker, turns }: Place): Event[] {
  speaker.hasTurns = true;
  const blocks = blocksOf(input);
  if (!isMain) return [say({ kind: 'turn-begin', nested: true }, readable(blocks))];
  const event: Event = { kind: 'prompt', blocks };
  if (turns.prompted(turnId, f)) event.takes = f;
  return [say(event, readable(blocks))];
}

/** For the main agent, this stands for the answer to the prompt. */
function turnEnded({ turnId, reason, error }: Json, { isMain, turns }: Place): Event[] {
  const prompt = isMain ? turns.ended(turnId) : null;
  const message = errorText(error);
  const events: Event[] = message === null ? [] : [{ kind: 'error', code: null, text: message }];
  if (prompt === null) return [...events, { kind: 'turn-end' }];
  return [...events, { kind: 'prompt-answer', prompt, status: stringOf(reason) ?? 'ended', code: null }];
}

function turnSteer({ input }: Json): Event[] {
  const blocks = blocksOf(input);
  return [say({ kind: 'steer', blocks, done: true }, readable(blocks))];
}

function stepRetrying({ step, nextAttempt, maxAttempts, errorName, errorMessage, statusCode }: Json): Event[] {
  const reason = [stringOf(errorName), numberOf(statusCode)].filter((word) => word !== null).join(' ') || null;
  const attempt = `attempt ${numberOf(nextAttempt) ?? '?'} of ${numberOf(maxAttempts) ?? '?'}`;
  const message = stringOf(errorMessage);
  const text = message === null ? attempt : `${attempt}: ${message}`;
  return [{ kind: 'step-retry', n: numberOf(step), reason, text }];
}

/** The usage of one model call of any kind. */
function usageRecord({ usage }: Json): Event[] {
  const { inputOther, inputCacheRead, inputCacheCreation, output } = objectOf(usage);
  const tokens = tokensOf(inputOther, inputCacheRead, inputCacheCreation, output);
  return [{ kind: 'usage', usage: tokens, total: false, context: null }];
}

/** The size of the context, which matters only for the main agent. */
function tokenCounting({ tokens }: Json, { isMain }: Place): Event[] {
  const context = isMain ? { used: numberOf(tokens), size: null, share: null } : null;
  return [{ kind: 'usage', usage: null, total: false, context }];
}

function profileBind(record: Json, { isMain }: Place): Event[] {
  const { modelAlias, profileName, environmentDisclosure, activeToolNames, disallowedTools } = record;
  if (!isMain) return [status('profile.bind', stringOf(profileName))];
  const about = {
    agent: { name: 'kimi-code', version: null },
    model: stringOf(modelAlias),
    cwd: stringOf(objectOf(environmentDisclosure).cwd),
    tools: { accepted: namesOf(activeToolNames), refused: namesOf(disallowedTools) },
  };
  return [hello(about)];
}

/** The state of tools; the to-do list is a plan. */
function storeUpdate({ key, value }: Json): Event[] {
  if (key !== 'todo' || !Array.isArray(value)) return [status('tools.update_store', stringOf(key))];
  return [{ kind: 'plan', blocks: [todoOf(value)] }];
}

function subagentSpawned({ subagentId, subagentName, parentToolCallId, runInBackground, description }: Json): Event[] {
  const call = stringOf(parentToolCallId);
  const event: Event = { kind: 'subagent', call, name: stringOf(subagentName), background: runInBackground === true };
  if (typeof subagentId === 'string') event.subagent = subagentId;
  if (call !== null) event.parent = call;
  return [say(event, stringOf(description))];
}
