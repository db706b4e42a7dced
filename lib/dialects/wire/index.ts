/**
 * Kimi Wire 1.0-1.10: kimi-cli 0.59 and later, kimi-agent-rs. JSON-RPC in which the agent has two methods, `event` and
 * `request`, with many types. All names of all versions are known, whatever version the session reports.
 */
import type { Event } from '../../core/event.ts';
import { type Dialect, envelopeWith } from '../dialect.ts';
import { readPieces } from '../pieces.ts';
import { WireReader } from './reader.ts';
import { sureOfWire } from './recognise.ts';
import { event } from './replay.ts';

type ToolArgs = Event & { kind: 'tool-args' };

export const wire: Dialect = {
  name: 'wire',
  recognise: sureOfWire,
  piece: readPieces(
    {
      line: (text) => event('ContentPart', { type: 'text', text }),
      event: (text) => ({ kind: 'text', delta: true, text }),
    },
    {
      line: (think) => event('ContentPart', { type: 'think', think, encrypted: null }),
      event: (text) => ({ kind: 'thinking', delta: true, text }),
    },
    {
      line: (arguments_part) => event('ToolCallPart', { arguments_part }),
      event: (text, before) => ({ kind: 'tool-args', call: (before as ToolArgs).call, delta: true, text }),
    },
  ),
  envelope: envelopeWith(({ type }) => type),
  open: () => new WireReader(false),
};
