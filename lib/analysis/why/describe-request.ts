/** One-line descriptions of requests and calls: `approval of Shell (rm -rf x)`, `prompt 2`. */

import type { Traits } from '../../dialects/traits.ts';
import { changedPaths } from '../../model/changed-paths.ts';
import type { Event } from '../../model/event.ts';
import { sizeOf } from '../../model/frame.ts';
import { exactJson, type Id } from '../../model/id.ts';
import { isObject, parseJson } from '../../model/message.ts';
import type { DecodedFrame, ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import { MAX_KEPT_LINE_BYTES } from './send.ts';

const MAX_WORDS_CHARS = 120;
const PATH_KEYS = ['file_path', 'path', 'absolute_path', 'filePath', 'notebook_path'];

/** A request from the client that cannot be answered because it has no id. */
export function isRequestWithoutId(traits: Traits, { frame, message }: ReadFrame): boolean {
  if (frame.from !== 'client' || message.method === null || message.id !== null) return false;
  if (message.envelope !== 'notification' && message.envelope !== 'request') return false;
  return traits.requestsNeedingIds?.test(message.method) ?? false;
}

/** `prompt`: the number of the prompt. For a long line the text is made at once, so that the line need not be kept. */
export function requestDescriber({ frame, events, message }: DecodedFrame, prompt: number): () => string {
  const [event] = events;
  const name = message.method ?? message.type ?? 'a request';
  if (sizeOf(frame) <= MAX_KEPT_LINE_BYTES) return () => describeRequest(event, name, prompt);
  const words = describeRequest(event, name, prompt);
  return () => words;
}

function describeRequest(event: Event | undefined, name: string, prompt: number): string {
  switch (event?.kind) {
    case 'prompt':
      return event.text ? `prompt ${prompt} (${short(event.text)})` : `prompt ${prompt}`;
    case 'approval':
      return `approval of ${describeCall(event.tool ?? event.action, event.arguments, event.description)}`;
    case 'question':
      return /elicit/.test(name)
        ? `elicitation${inBrackets(event.text ?? event.questions[0]?.text)}`
        : `question${inBrackets(event.questions[0]?.text ?? event.text)}`;
    case 'hook':
      return `hook ${event.event}${event.target ? ` for ${event.target}` : ''}`;
    case 'client-call':
      if (event.tool) return `external tool ${describeCall(event.tool, event.arguments, null)}`;
      return `${event.what}${inBrackets(subject(event.arguments))}`;
    case 'tool-call':
      return `call to ${describeCall(event.tool, parseJson(event.args ?? null), null)}`;
    default:
      return describeNamed(event, name);
  }
}

/** The subtype of a control request says more than its envelope. */
function describeNamed(event: Event | undefined, name: string): string {
  const inner = event && 'name' in event && event.name ? event.name : null;
  if (event?.kind === 'handshake') return name.includes('control') ? 'initialize' : name;
  return inner && inner !== name ? `${name} ${inner}` : name;
}

/** The tool with its command or path, or else with the agent's description. */
export function describeCall(tool: string | null | undefined, args: unknown, description: string | null): string {
  const on = subject(args);
  return `${tool ?? 'a tool'}${on ? ` \`${short(on)}\`` : inBrackets(description)}`;
}

/** Lines on stdout that are not messages. */
export function describeNoise({ lines }: { lines: number }): string {
  return lines === 1 ? 'a line that is not a message' : `${lines} lines that are not messages`;
}

function subject(args: unknown): string | null {
  if (!isObject(args)) return typeof args === 'string' && args !== '' ? args : null;
  const changed = changedPaths(args.changes);
  if (changed.length > 0) return changed.join(' ');
  for (const key of ['command', 'cmd', ...PATH_KEYS]) if (typeof args[key] === 'string') return args[key] as string;
  const [first] = Object.entries(args).filter(([, value]) => typeof value === 'string' && value !== '');
  return first ? `${first[0]}: ${first[1]}` : null;
}

function inBrackets(text: string | null | undefined): string {
  return text ? ` (${short(text)})` : '';
}

function short(text: string): string {
  return maskAndShorten(text.trim().replaceAll(/\s+/g, ' '), MAX_WORDS_CHARS);
}

/** An id as JSON, because `1` is not `"1"`. */
export function formatId(id: Id): string {
  return id === null ? 'no id' : `id ${exactJson(id)}`;
}
