/**
 * vibe-json: `vibe -p … --output streaming`, or `--output json`. Each line, or each item of one list that is written at the end
 * over many lines, is an entry of the session that is complete: a message, or an effect, which is a call with its result.
 * No line ends the turn: the exit of the process does.
 */
import type { Event } from '../../model/event.ts';
import { isObject, parseJson } from '../../model/message.ts';
import { isProgram, optionOf } from '../common/command-line.ts';
import { blocksOf, readable } from '../common/content.ts';
import { errorText, jsonText, objectOf, stringOf, withText } from '../common/fields.ts';
import { OneShotReader, recogniseByLines, repeatPrompt, typedEnvelope } from '../common/one-shot.ts';
import { unknownEvent } from '../common/siblings.ts';
import type { Dialect, FirstLines, JsonObject } from '../dialect.ts';
import { vibeJsonTraits } from './traits.ts';

const WRITERS = /(?:^|\.)(?:bash|write_file|edit|search_replace)$/;

export const vibeJson: Dialect = {
  name: 'vibe-json',
  traits: vibeJsonTraits,
  recognise: (first: FirstLines) =>
    isTranscript(first) ? 0.95 : recogniseByLines(first, isVibe(first.command), isOurs),
  envelope: typedEnvelope,
  open() {
    const transcript = new VibeTranscript();
    return new OneShotReader(readAgentLine, false, (text) => transcript.read(text));
  },
  // What `--output json` prints at the end is one list over many lines.
  conformance: { prefix: 'vibe', rules: [], entries: {}, exempt: ['io-not-started'] },
};

function isVibe(command: readonly string[]): boolean {
  return isProgram(command, 'vibe') && ['streaming', 'json'].includes(optionOf(command, '--output') ?? '');
}

/** The first lines of the list, as far as they name an entry. */
function isTranscript({ lines, texts = [] }: FirstLines): boolean {
  if (lines.length > 0 || texts[0] !== '[' || texts[1] !== '  {') return false;
  return ['sessionId', 'turnId'].every((key) => texts.some((text) => text.startsWith(`    "${key}": `)));
}

function isOurs({ type, sessionId, turnId, generationStatus }: JsonObject): boolean {
  const isEntry = typeof sessionId === 'string' && typeof turnId === 'string' && typeof generationStatus === 'string';
  return isEntry && typeof type === 'string';
}

/** A longer entry is not read. */
const MAX_ENTRY_LENGTH = 1 << 24;

/** The list, line by line: an entry is read with its last line. */
class VibeTranscript {
  #isOpen = false;
  /** The lines of the entry so far. */
  #lines: string[] = [];
  #length = 0;

  read(text: string): Event[] | null {
    if (!this.#isOpen && text !== '[') return null;
    this.#isOpen = text !== ']';
    if (!this.#isOpen || text === '[') return transcriptEvent();
    if (text === '  {') this.#begin();
    this.#length += text.length;
    if (this.#length <= MAX_ENTRY_LENGTH) this.#lines.push(text);
    return text === '  }' || text === '  },' ? this.#entry() : transcriptEvent();
  }

  #begin(): void {
    this.#lines = [];
    this.#length = 0;
  }

  #entry(): Event[] | null {
    const value = parseJson(this.#lines.join('\n').replace(/,$/, ''));
    this.#begin();
    return isObject(value) ? (readAgentLine(value) ?? [unknownEvent(value)]) : null;
  }
}

const transcriptEvent = (): Event[] => [{ kind: 'status', name: 'transcript' }];

function readAgentLine(value: JsonObject): Event[] | null {
  if (value.type === 'effect') return readEffect(stringOf(value.id), objectOf(value.detail), objectOf(value.state));
  if (value.type !== 'message') return null;
  const text = readable(blocksOf(value.content));
  return [value.role === 'user' ? repeatPrompt(text) : withText({ kind: 'text' }, text)];
}

function readEffect(call: string | null, { toolName, input }: JsonObject, state: JsonObject): Event[] {
  const tool = stringOf(toolName);
  const called: Event = { kind: 'tool-call', call, tool, args: jsonText(input), complete: true };
  if (tool !== null && WRITERS.test(tool)) called.writes = true;
  const blocks = blocksOf(stringOf(state.outputText) ?? errorText(state.error));
  const result: Event = { kind: 'tool-result', call, ok: state.status === 'completed', blocks, displays: [] };
  // The agent says whether it went ahead.
  if (typeof state.decision === 'string' && state.decision !== 'execute')
    result.ruling = { decision: 'deny', by: 'agent' };
  return [called, withText(result, readable(blocks))];
}
