/**
 * The tool calls of an ACP session. A call is announced by `tool_call`, or by the permission request that first names
 * it. Later frames replace what earlier ones said, and any of them may contain its name.
 */
import type { Block, Event } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { Recent } from '../../model/recent.ts';
import type { Subject } from '../../model/subject.ts';
import { blockOf, diffOf, textOfBlocks } from '../common/content.ts';
import { jsonText, objectOf, objectsOf, stringOf } from '../common/fields.ts';
import type { Json } from '../dialect.ts';
import { notExecuted } from '../stream-json/ruling.ts';
import { type Speaker, Speakers } from './speakers.ts';
import { closeSubject, isAboutThat, type KnownCall, learnSubject, unknownCall, withInput } from './subject.ts';
import { Outputs, terminalOutput } from './terminals.ts';

interface Call extends KnownCall {
  /** Its arguments came as `rawInput`; from then on, text is output. */
  hasInput: boolean;
  /** They, as the latest frame has them, while the call is open. */
  input: string | null;
  done: boolean;
  turn: number;
  /** The kind that an event has told. */
  told: string | null;
  /** A request was about it, or may have been about it or another. */
  asked: boolean;
  doubtful: boolean;
}

/** A request, the call that it is about, and others that it may be about instead. */
interface Asked {
  call: Call;
  others: string[];
  events: Event[];
  /** The arguments in the request; null if it has none. */
  input: unknown;
}

const WRITERS = new Set(['edit', 'delete', 'move', 'execute']);
/** A request with an id of its own is compared with so many calls. */
const MOST_OPEN = 200;

export class Calls {
  /** The number of the turn. The same id in a later turn is another call. */
  turn = 0;
  readonly speakers = new Speakers();
  readonly #calls = new Recent<string, Call>();
  /** Announced by a frame of their own, and without a result. */
  readonly #open = new Recent<string, Call>(MOST_OPEN);
  readonly #outputs = new Outputs();

  announce(said: Json): Event[] {
    const { call, fresh } = this.#find(said, true);
    const by = this.speakers.of(said);
    if (fresh) this.speakers.called(call.id, said);
    if (call.id !== '') this.#open.set(call.id, call);
    const events: Event[] = [announcement(call, said, fresh, by)];
    if (hasEnded(said)) events.push(this.#result(call, said, by));
    return events;
  }

  update(said: Json): Event[] {
    const { call } = this.#find(said, false);
    const by = this.speakers.of(said);
    const of = { call: idOf(call), tool: call.tool, ...about(call), ...by };
    const shown = terminalOutput(said);
    const added: Event[] = shown === null ? [] : [{ kind: 'progress', ...of, text: shown, delta: true }];
    if (shown !== null) this.#outputs.add(call.id, shown);
    if (hasEnded(said)) return [...added, ...lateArguments(call, said, of), this.#result(call, said, by)];
    const told = this.#goesOn(call, said, of);
    const isOnlyOutput = shown !== null && told.kind === 'tool-args' && told.text === undefined && !told.blocks;
    return isOnlyOutput ? added : [...added, told];
  }

  #goesOn(call: Call, said: Json, of: { call: string | null; tool: string | null } & Speaker): Event {
    const { blocks, displays } = contentOf(said.content);
    const output = outputText(call, said, blocks, displays);
    const input = inputOf(said.rawInput);
    takeInput(call, input);
    if (output !== null) return { kind: 'progress', ...of, text: output, replace: true };
    const text = input ?? (blocks.length > 0 ? textOfBlocks(blocks) : null);
    const shown = displays.length > 0 ? { blocks: displays } : {};
    return { kind: 'tool-args', ...of, ...newKind(call), ...shown, replace: true, ...(text === null ? {} : { text }) };
  }

  #result(call: Call, said: Json, by: Speaker): Event {
    this.speakers.ended(call.id);
    this.#open.delete(call.id);
    closeSubject(call);
    call.input = null;
    return result(call, said, by, this.#outputs.take(call.id));
  }

  /** What a permission request adds to its call, which it may announce. */
  asked(request: Json): Asked {
    const said = this.#hasInput(request) ? request : withInput(request);
    const meant = this.#meant(said);
    if (meant.length > 0) return this.#askedAs(meant, said);
    const { call, fresh } = this.#find(said, true);
    call.asked = true;
    const asked = { call, others: [], input: said.rawInput ?? null };
    if (call.id === '') return { ...asked, events: [] };
    const by = this.speakers.of(said);
    if (fresh) return { ...asked, events: [announcement(call, said, true, by)] };
    const text = inputOf(said.rawInput);
    if (text === null) return { ...asked, events: [] };
    takeInput(call, text);
    return {
      ...asked,
      events: [{ kind: 'tool-args', call: idOf(call), tool: call.tool, ...by, replace: true, text }],
    };
  }

  /** It has an id of its own. The first of the calls that fit is taken; the others may be meant as well. */
  #askedAs([call, ...others]: Call[], said: Json): Asked {
    const isDoubtful = others.length > 0;
    for (const one of others) one.doubtful = true;
    call!.asked = true;
    call!.doubtful ||= isDoubtful;
    const { tool, named } = call!;
    learnSubject(call!, { rawInput: said.rawInput, content: said.content, locations: said.locations }, true);
    Object.assign(call!, { tool, named });
    return { call: call!, others: others.map(({ id }) => id), events: [], input: said.rawInput ?? null };
  }

  #hasInput({ toolCallId }: Json): boolean {
    const known = this.#calls.get(stringOf(toolCallId) ?? '');
    return known?.hasInput === true && known.turn === this.turn && !known.done;
  }

  /** The open calls that a request without a known id may be about: those that nothing was asked about, or else the latest. */
  #meant(said: Json): Call[] {
    const id = stringOf(said.toolCallId) ?? '';
    const known = this.#calls.get(id);
    if (id === '' || (known && known.turn === this.turn && !known.done)) return [];
    const request = unknownCall(id);
    learn(request, said, true);
    const isMeant = isAboutThat(request);
    const open = [...this.#open.values()].filter((call) => call.turn === this.turn && isMeant(call));
    const unasked = open.filter(({ asked }) => !asked);
    return unasked.length > 0 ? unasked : open.slice(-1);
  }

  #find(said: Json, announces: boolean): { call: Call; fresh: boolean } {
    const id = stringOf(said.toolCallId) ?? '';
    let call = this.#calls.get(id);
    const fresh = !call || (announces && (call.done || call.turn !== this.turn));
    if (!call || fresh) {
      call = {
        ...unknownCall(id),
        hasInput: false,
        input: null,
        done: false,
        turn: this.turn,
        told: null,
        asked: false,
        doubtful: false,
      };
      if (id !== '' && announces) this.#calls.set(id, call);
    }
    learn(call, said, announces);
    return { call, fresh };
  }
}

function learn(call: KnownCall & { done?: boolean }, said: Json, announces: boolean): void {
  const meta = objectOf(said._meta);
  const inMeta = stringOf(meta.toolName) ?? stringOf(meta.tool_name) ?? stringOf(objectOf(meta.claudeCode).toolName);
  const name = inMeta ?? stringOf(said.name);
  if (name !== null && !call.named) {
    call.tool = name;
    call.named = true;
  }
  call.tool ??= stringOf(said.title);
  call.kind = stringOf(said.kind) ?? call.kind;
  if (!call.done) learnSubject(call, said, announces);
}

/** What an event says about what its call runs or changes. */
export function about({ subject }: KnownCall): { subject?: Subject | null } {
  return subject === undefined ? {} : { subject };
}

/** What the call does, if that was not told before. */
function newKind(call: Call): { writes?: boolean; action?: string } {
  const { kind } = call;
  if (kind === null || kind === call.told) return {};
  call.told = kind;
  return { writes: WRITERS.has(kind), action: kind };
}

function takeInput(call: Call, input: string | null): void {
  if (input === null) return;
  call.hasInput = true;
  call.input = input;
}

/** Arguments that come only with the result, or that are others there: these are what ran. */
function lateArguments(call: Call, said: Json, of: { call: string | null; tool: string | null } & Speaker): Event[] {
  const text = inputOf(said.rawInput);
  return text === null || text === call.input ? [] : [{ kind: 'tool-args', ...of, replace: true, text }];
}

function hasEnded({ status }: Json): boolean {
  return status === 'completed' || status === 'failed';
}

function announcement(call: Call, said: Json, fresh: boolean, by: Speaker): Event {
  const args = inputOf(said.rawInput);
  takeInput(call, args);
  call.told = null;
  const { blocks, displays } = contentOf(said.content);
  const shown = [...blocks.filter((block) => block.type !== 'text' || block.text !== ''), ...displays];
  const title = stringOf(said.title);
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
function result(call: Call, said: Json, by: Speaker, output: string | null): Event {
  const again: { replace?: true } = call.done ? { replace: true } : {};
  call.done = true;
  const { blocks, displays } = contentOf(said.content);
  if (blocks.length === 0 && displays.length === 0) blocks.push(...rawOutput(said.rawOutput ?? output));
  const ruling = notExecuted(objectOf(objectOf(said._meta).claudeCode).nonExecutionKind);
  return {
    kind: 'tool-result',
    call: idOf(call),
    tool: call.tool,
    ...about(call),
    ...newKind(call),
    ok: said.status === 'completed',
    blocks,
    displays,
    text: textOfBlocks(blocks),
    ...(ruling === null ? {} : { ruling }),
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
function outputText(call: Call, said: Json, blocks: Block[], displays: Block[]): string | null {
  if (said.rawOutput !== undefined && said.rawOutput !== null) {
    return blocks.length > 0 ? textOfBlocks(blocks) : (stringOf(said.rawOutput) ?? '');
  }
  if (displays.some((block) => block.type === 'unknown' && block.name === 'terminal')) return textOfBlocks(blocks);
  if (blocks.length === 0 || inputOf(said.rawInput) !== null) return null;
  const text = textOfBlocks(blocks);
  return text === '' || (!call.hasInput && text.startsWith('{')) ? null : text;
}

/** The content of a call, separate from what is meant for display. */
export function contentOf(content: unknown): { blocks: Block[]; displays: Block[] } {
  const blocks: Block[] = [];
  const displays: Block[] = [];
  for (const item of objectsOf(content)) {
    if (item.type === 'content') blocks.push(blockOf(item.content));
    else if (item.type === 'diff') displays.push(diffOf(item.path, item.oldText, item.newText));
    else displays.push({ type: 'unknown', name: stringOf(item.type) ?? '', value: item });
  }
  return { blocks, displays };
}

function idOf(call: Call): string | null {
  return call.id === '' ? null : call.id;
}
