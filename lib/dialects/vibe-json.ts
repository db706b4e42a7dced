/**
 * vibe-json: `vibe -p … --output streaming`. Each line is an entry of the session that is complete: a message, or an
 * effect, which is a call with its result. No line ends the turn: the exit of the process does.
 */
import type { Event } from '../core/event.ts';
import { isProgram, optionOf } from './command-line.ts';
import { blocksOf, readable } from './content.ts';
import type { Dialect, FirstLook, Json } from './dialect.ts';
import { errorText, jsonText, objectOf, say, stringOf } from './fields.ts';
import { OneShotReader, recognised, repeated, typedEnvelope } from './one-shot.ts';

const WRITERS = /(?:^|\.)(?:bash|write_file|edit|search_replace)$/;

export const vibeJson: Dialect = {
  name: 'vibe-json',
  recognise: (first: FirstLook) => recognised(first, isStreaming(first.command), isOurs),
  envelope: typedEnvelope,
  open: () => new OneShotReader(spoken),
};

function isStreaming(command: readonly string[]): boolean {
  return isProgram(command, 'vibe') && optionOf(command, '--output') === 'streaming';
}

function isOurs({ type, sessionId, turnId, generationStatus }: Json): boolean {
  const isEntry = typeof sessionId === 'string' && typeof turnId === 'string' && typeof generationStatus === 'string';
  return isEntry && typeof type === 'string';
}

function spoken(value: Json): Event[] | null {
  if (value.type === 'effect') return effect(stringOf(value.id), objectOf(value.detail), objectOf(value.state));
  if (value.type !== 'message') return null;
  const text = readable(blocksOf(value.content));
  return [value.role === 'user' ? repeated(text) : say({ kind: 'text' }, text)];
}

function effect(call: string | null, { toolName, input }: Json, state: Json): Event[] {
  const tool = stringOf(toolName);
  const called: Event = { kind: 'tool-call', call, tool, args: jsonText(input), complete: true };
  if (tool !== null && WRITERS.test(tool)) called.writes = true;
  const blocks = blocksOf(stringOf(state.outputText) ?? errorText(state.error));
  const result: Event = { kind: 'tool-result', call, ok: state.status === 'completed', blocks, displays: [] };
  // The agent says whether it went ahead.
  if (typeof state.decision === 'string' && state.decision !== 'execute')
    result.ruling = { decision: 'deny', by: 'agent' };
  return [called, say(result, readable(blocks))];
}
