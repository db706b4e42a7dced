/**
 * The tool calls of an ACP session. A call is announced by `tool_call`, or by the permission request that first names
 * it. Later frames replace what earlier ones said, and any of them may contain its name.
 */
import type { Block, Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { isObject } from '../../model/message.ts';
import type { CallSubject } from '../../model/subject.ts';
import { blockOf, diffOf, textOfBlocks } from '../common/content.ts';
import { jsonText, objectOf, objectsOf, stringOf } from '../common/fields.ts';
import { filesOfPatch, patchBlocks } from '../common/unified-diff.ts';
import type { JsonObject } from '../dialect.ts';
import { notExecuted } from '../stream-json/ruling.ts';
import { type AcpSpeaker, AcpSpeakers } from './speakers.ts';
import { closeSubject, isAboutThat, type KnownCall, learnSubject, unknownCall, withInput } from './subject.ts';
import { TerminalOutputs, terminalOutput } from './terminals.ts';

interface AcpCall extends KnownCall {
  /** Its arguments came as `rawInput`; from then on, text is output. */
  hasInput: boolean;
  /** They, as the latest frame has them, while the call is open. */
  input: string | null;
  done: boolean;
  turn: number;
  /** The kind that an event has reported. */
  reportedKind: string | null;
  /** A request was about it, or may have been about it or another. */
  isAsked: boolean;
  doubtful: boolean;
}

/** A request, the call that it is about, and others that it may be about instead. */
interface CallRequest {
  call: AcpCall;
  others: string[];
  events: Event[];
  /** The arguments in the request; null if it has none. */
  input: unknown;
}

const WRITERS = new Set(['edit', 'delete', 'move', 'execute']);
/** A request with an id of its own is compared with so many calls. */
const MAX_OPEN_CALLS = 200;

export class AcpCalls {
  /** The number of the turn. The same id in a later turn is another call. */
  turn = 0;
  readonly speakers = new AcpSpeakers();
  readonly #calls = new LimitedMap<string, AcpCall>();
  /** Announced by a frame of their own, and without a result. */
  readonly #open = new LimitedMap<string, AcpCall>(MAX_OPEN_CALLS);
  readonly #outputs = new TerminalOutputs();

  /** A frame has announced it. */
  isKnown(id: string): boolean {
    return id !== '' && this.#calls.get(id) !== undefined;
  }

  /** `commands`: what its terminals run. */
  announce(details: JsonObject, commands: readonly string[] = []): Event[] {
    const { call, fresh } = this.#find(details, true, commands);
    const by = this.speakers.of(details);
    if (fresh) this.speakers.called(call.id, details);
    if (call.id !== '') this.#open.set(call.id, call);
    const events: Event[] = [makeAnnouncement(call, details, fresh, by)];
    if (hasEnded(details)) events.push(this.#readResult(call, details, by));
    return events;
  }

  update(details: JsonObject, commands: readonly string[] = []): Event[] {
    const { call } = this.#find(details, false, commands);
    const by = this.speakers.of(details);
    const of = { call: idOf(call), tool: call.tool, ...about(call), ...by };
    const shown = terminalOutput(details);
    const added: Event[] = shown === null ? [] : [{ kind: 'progress', ...of, text: shown, delta: true }];
    if (shown !== null) this.#outputs.add(call.id, shown);
    if (hasEnded(details)) return [...added, ...lateArguments(call, details, of), this.#readResult(call, details, by)];
    const progressEvent = this.#readProgress(call, details, of);
    const isOnlyOutput =
      shown !== null && progressEvent.kind === 'tool-args' && progressEvent.text === undefined && !progressEvent.blocks;
    return isOnlyOutput ? added : [...added, progressEvent];
  }

  /** ACP 2 streams the content of a call item by item. */
  addContent(details: JsonObject, commands: readonly string[]): Event[] {
    const { call } = this.#find(details, false, commands);
    const { blocks, displays } = contentOf(details.content);
    const of = { call: idOf(call), tool: call.tool, ...about(call), ...this.speakers.of(details) };
    if (displays.length > 0) return [{ kind: 'tool-args', ...of, blocks: displays }];
    return [{ kind: 'progress', ...of, text: textOfBlocks(blocks), delta: true }];
  }

  /** Output of a terminal that the call uses. */
  addOutput(id: string, text: string, isWhole: boolean): Event[] {
    const call = this.#calls.get(id);
    if (isWhole) this.#outputs.take(id);
    if (!call?.done) this.#outputs.add(id, text);
    const how: { replace?: true; delta?: true } = isWhole ? { replace: true } : { delta: true };
    return [{ kind: 'progress', call: id, tool: call?.tool ?? null, text, ...how }];
  }

  #readProgress(
    call: AcpCall,
    details: JsonObject,
    of: { call: string | null; tool: string | null } & AcpSpeaker,
  ): Event {
    const { blocks, displays } = contentOf(details.content);
    const output = outputText(call, details, blocks, displays);
    const input = inputOf(details.rawInput);
    takeInput(call, input);
    if (output !== null) return { kind: 'progress', ...of, text: output, replace: true };
    const text = input ?? (blocks.length > 0 ? textOfBlocks(blocks) : null);
    const shown = displays.length > 0 ? { blocks: displays } : {};
    return { kind: 'tool-args', ...of, ...newKind(call), ...shown, replace: true, ...(text === null ? {} : { text }) };
  }

  #readResult(call: AcpCall, details: JsonObject, by: AcpSpeaker): Event {
    this.speakers.ended(call.id);
    this.#open.delete(call.id);
    closeSubject(call);
    call.input = null;
    return makeResult(call, details, by, this.#outputs.take(call.id));
  }

  /** What a permission request adds to its call, which it may announce. */
  readRequest(request: JsonObject): CallRequest {
    const details = this.#hasInput(request) ? request : withInput(request);
    const meant = this.#findMeant(details);
    if (meant.length > 0) return this.#readOwnIdRequest(meant, details);
    const { call, fresh } = this.#find(details, true);
    call.isAsked = true;
    const asked = { call, others: [], input: details.rawInput ?? null };
    if (call.id === '') return { ...asked, events: [] };
    const by = this.speakers.of(details);
    if (fresh) return { ...asked, events: [makeAnnouncement(call, details, true, by)] };
    const text = inputOf(details.rawInput);
    if (text === null) return { ...asked, events: [] };
    takeInput(call, text);
    return {
      ...asked,
      events: [{ kind: 'tool-args', call: idOf(call), tool: call.tool, ...by, replace: true, text }],
    };
  }

  /** It has an id of its own. The first of the calls that fit is taken; the others may be meant as well. */
  #readOwnIdRequest([call, ...others]: AcpCall[], details: JsonObject): CallRequest {
    const isDoubtful = others.length > 0;
    for (const one of others) one.doubtful = true;
    call!.isAsked = true;
    call!.doubtful ||= isDoubtful;
    const { tool, named } = call!;
    learnSubject(call!, { rawInput: details.rawInput, content: details.content, locations: details.locations }, true);
    Object.assign(call!, { tool, named });
    return { call: call!, others: others.map(({ id }) => id), events: [], input: details.rawInput ?? null };
  }

  #hasInput({ toolCallId }: JsonObject): boolean {
    const known = this.#calls.get(stringOf(toolCallId) ?? '');
    return known?.hasInput === true && known.turn === this.turn && !known.done;
  }

  /** The open calls that a request without a known id may be about: those that nothing was asked about, or else the latest. */
  #findMeant(details: JsonObject): AcpCall[] {
    const id = stringOf(details.toolCallId) ?? '';
    const known = this.#calls.get(id);
    if (id === '' || (known && known.turn === this.turn && !known.done)) return [];
    const request = unknownCall(id);
    learn(request, details, true);
    const isMeant = isAboutThat(request);
    const open = [...this.#open.values()].filter((call) => call.turn === this.turn && isMeant(call));
    const unasked = open.filter(({ isAsked }) => !isAsked);
    return unasked.length > 0 ? unasked : open.slice(-1);
  }

  #find(details: JsonObject, announces: boolean, commands: readonly string[] = []): { call: AcpCall; fresh: boolean } {
    const id = stringOf(details.toolCallId) ?? '';
    let call = this.#calls.get(id);
    const fresh = !call || (announces && (call.done || call.turn !== this.turn));
    if (!call || fresh) {
      call = {
        ...unknownCall(id),
        hasInput: false,
        input: null,
        done: false,
        turn: this.turn,
        reportedKind: null,
        isAsked: false,
        doubtful: false,
      };
      if (id !== '' && announces) this.#calls.set(id, call);
    }
    const [command] = commands;
    if (command !== undefined && !call.done) call.typed ??= command;
    learn(call, details, announces);
    return { call, fresh };
  }

  /** All that its terminals run. What the arguments do not name is what ran, as arguments that come late are. */
  run(id: string, commands: readonly string[]): Event[] {
    const call = this.#calls.get(id);
    const command = commands.join('\n');
    if (!call || call.done || commands.length === 0 || command === (call.command ?? call.typed)) return [];
    const input = { command };
    const text = JSON.stringify(input);
    if (text === call.input) return [];
    learnSubject(call, { rawInput: input }, false);
    takeInput(call, text);
    return [{ kind: 'tool-args', call: id, tool: call.tool, ...about(call), replace: true, text }];
  }
}

function learn(call: KnownCall & { done?: boolean }, details: JsonObject, announces: boolean): void {
  const meta = objectOf(details._meta);
  const inMeta = stringOf(meta.toolName) ?? stringOf(meta.tool_name) ?? stringOf(objectOf(meta.claudeCode).toolName);
  const name = inMeta ?? stringOf(details.name);
  if (name !== null && !call.named) {
    call.tool = name;
    call.named = true;
  }
  call.tool ??= stringOf(details.title);
  call.kind = stringOf(details.kind) ?? call.kind;
  if (!call.done) learnSubject(call, details, announces);
}

/** What an event says about what its call runs or changes. */
export function about({ subject }: KnownCall): { subject?: CallSubject | null } {
  return subject === undefined ? {} : { subject };
}

/** What the call does, if that was not reported before. */
function newKind(call: AcpCall): { writes?: boolean; action?: string } {
  const { kind } = call;
  if (kind === null || kind === call.reportedKind) return {};
  call.reportedKind = kind;
  return { writes: WRITERS.has(kind), action: kind };
}

function takeInput(call: AcpCall, input: string | null): void {
  if (input === null) return;
  call.hasInput = true;
  call.input = input;
}

/** Arguments that come only with the result, or that are others there: these are what ran. */
function lateArguments(
  call: AcpCall,
  details: JsonObject,
  of: { call: string | null; tool: string | null } & AcpSpeaker,
): Event[] {
  const text = inputOf(details.rawInput);
  return text === null || text === call.input ? [] : [{ kind: 'tool-args', ...of, replace: true, text }];
}

function hasEnded({ status }: JsonObject): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function makeAnnouncement(call: AcpCall, details: JsonObject, fresh: boolean, by: AcpSpeaker): Event {
  const args = inputOf(details.rawInput);
  takeInput(call, args);
  call.reportedKind = null;
  const { blocks, displays } = contentOf(details.content);
  const shown = [...blocks.filter((block) => block.type !== 'text' || block.text !== ''), ...displays];
  const title = stringOf(details.title);
  return {
    kind: 'tool-call',
    call: idOf(call),
    tool: call.tool,
    ...about(call),
    args,
    complete: args !== null,
    ...newKind(call),
    ...(shown.length > 0 ? { blocks: shown } : {}),
    ...(title === null ? {} : { text: title }),
    ...by,
    ...(fresh ? {} : { restates: true, replace: true }),
  };
}

/** The input of a call as JSON text; null if there is none. Agents send an empty object before they know the input. */
function inputOf(value: unknown): string | null {
  if (typeof value === 'string') return JSON.stringify(value);
  return isObject(value) && Object.keys(value).length === 0 ? null : jsonText(value);
}

/** `output`: what a terminal has shown, which the result does not repeat. */
function makeResult(call: AcpCall, details: JsonObject, by: AcpSpeaker, output: string | null): Event {
  const again: { replace?: true } = call.done ? { replace: true } : {};
  call.done = true;
  const { blocks, displays } = contentOf(details.content);
  if (blocks.length === 0 && displays.length === 0) blocks.push(...rawOutput(details.rawOutput ?? output));
  const ruling = notExecuted(objectOf(objectOf(details._meta).claudeCode).nonExecutionKind);
  return {
    kind: 'tool-result',
    call: idOf(call),
    tool: call.tool,
    ...about(call),
    ...newKind(call),
    ok: details.status === 'completed',
    blocks,
    displays,
    text: textOfBlocks(blocks),
    ...(ruling === null ? {} : { ruling }),
    ...(details.status === 'cancelled' ? { stopped: true } : {}),
    ...by,
    ...again,
  };
}

function rawOutput(value: unknown): Block[] {
  if (value === undefined || value === null) return [];
  return [typeof value === 'string' ? { type: 'text', text: value } : { type: 'unknown', name: 'rawOutput', value }];
}

/**
 * The output so far of a running call, or null if the update is about its arguments. kimi sends partial arguments as
 * text that looks like JSON, until `rawInput` comes.
 */
function outputText(call: AcpCall, details: JsonObject, blocks: Block[], displays: Block[]): string | null {
  if (details.rawOutput !== undefined && details.rawOutput !== null) {
    return blocks.length > 0 ? textOfBlocks(blocks) : (stringOf(details.rawOutput) ?? '');
  }
  if (displays.some((block) => block.type === 'unknown' && block.name === 'terminal')) return textOfBlocks(blocks);
  if (blocks.length === 0 || inputOf(details.rawInput) !== null) return null;
  const text = textOfBlocks(blocks);
  return text === '' || (!call.hasInput && text.startsWith('{')) ? null : text;
}

/** The content of a call, separate from what is meant for display. */
export function contentOf(content: unknown): { blocks: Block[]; displays: Block[] } {
  const blocks: Block[] = [];
  const displays: Block[] = [];
  for (const item of objectsOf(content)) {
    if (item.type === 'content') blocks.push(blockOf(item.content));
    else if (item.type === 'diff') displays.push(...diffsOf(item));
    else displays.push({ type: 'unknown', name: stringOf(item.type) ?? '', value: item });
  }
  return { blocks, displays };
}

/** ACP 1 has the two texts of a file, ACP 2 the changed paths, and perhaps a patch of all of them. */
function diffsOf(item: JsonObject): Block[] {
  if (!Array.isArray(item.changes)) return [diffOf(item.path, item.oldText, item.newText)];
  const changes = objectsOf(item.changes);
  const patch = stringOf(objectOf(item.patch).text) ?? '';
  const parts = changes.length === 1 ? [patch] : filesOfPatch(patch);
  return changes.flatMap(({ path, oldPath, operation }, at): Block[] => {
    const part = parts.length === changes.length ? parts[at]! : '';
    if (part !== '') return patchBlocks(path, part);
    const [before, after] = [stringOf(oldPath) ?? '', stringOf(operation) ?? ''];
    return [{ ...diffOf(path, before, after), summary: true }];
  });
}

function idOf(call: AcpCall): string | null {
  return call.id === '' ? null : call.id;
}
