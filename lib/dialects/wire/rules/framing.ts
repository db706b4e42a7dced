/** Lines, their length and ids, and methods and parts that the other side does not know. */
import { type Frame, sizeOf } from '../../../model/frame.ts';
import { describeJoinedLine } from '../../../model/json/joined-messages.ts';
import { isTooLargeToRead } from '../../../model/json/too-large.ts';
import type { ProcessRecord } from '../../../model/ledger/process.ts';
import { isObject, toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { GapTracker } from '../../rules/gaps.ts';
import { error, NOTHING, type Violation, warning } from '../../rules/rule.ts';
import { exitOf, wasStopped } from '../../rules/session-end.ts';
import { LEGACY_METHODS, METHODS } from './methods.ts';
import { type WireRule, WireSessionState } from './session-state.ts';
import { PARTS } from './shapes.ts';

/** Printed by the scripted model of the agent's own tests. */
const TRACE = /^SCRIPTED_ECHO /;

export const lineRule: WireRule = {
  ...error.unknown(
    'each line is one JSON object that is a message: no other output, no blank lines, no batches',
    'kimi-cli wire/server.py _read_loop',
  ),
  open(session) {
    const isLegacy = session.dialect === 'wire-legacy';
    const gaps = session.share(GapTracker);
    return (read) => {
      const { frame, value, events } = read;
      const { f, from, form, eol } = frame;
      if (
        form === 'event' ||
        (gaps.isFragment && !isObject(read.value)) ||
        (from !== 'client' && from !== 'agent') ||
        isTooLargeToRead(events)
      )
        return NOTHING;
      if (isObject(value)) {
        const odd = findOddity(read, value, isLegacy);
        return odd === null ? NOTHING : [{ f, fault: from, message: odd }];
      }
      if (eol === '' && value === undefined)
        return [{ f, fault: 'unknown', severity: 'warning', message: `the last line of the ${from} is cut off` }];
      const severity = from === 'agent' && TRACE.test(events[0]?.text ?? '') ? 'warning' : 'error';
      return [{ f, fault: from, severity, message: `the ${from} sends ${describeLine(value, frame)}` }];
    };
  },
};

function findOddity({ frame: { from }, message }: ReadFrame, value: JsonObject, isLegacy: boolean): string | null {
  const key = isLegacy && from === 'client' ? findOddKey(value) : undefined;
  if (key !== undefined) return `the line has the key ${toJson(key)}, so this agent ignores it`;
  return message.envelope === 'none' && !value.error ? `the ${from} sends an object that is not a message` : null;
}

/** Until 0.78, a line may have no other keys. */
const ENVELOPE_KEYS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const findOddKey = (line: object) => Object.keys(line).find((key) => !ENVELOPE_KEYS.has(key));

function describeLine(value: unknown, frame: Frame): string {
  if (frame.raw.length === 0) return 'a blank line';
  if (Array.isArray(value)) return 'a batch, which no agent accepts';
  if (value !== undefined) return 'JSON that is not an object';
  const joined = describeJoinedLine(frame);
  return joined === null ? 'a line that is not valid JSON' : `a line that is not valid JSON: ${joined}`;
}

const MAX_AGENT_LINE_BYTES = 100 * 1024 * 1024;
const OLD_MAX_AGENT_LINE_BYTES = 64 * 1024;
const MAX_WEB_LINE_BYTES = 16 * 1024 * 1024;

export const lineLengthRule: WireRule = {
  ...error.client(
    'a line fits the limit of its reader: 100 MB for an agent (64 kB before 0.73), 16 MB for kimi web',
    'kimi-cli wire/server.py STDIO_BUFFER_LIMIT',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    let long: { f: number; size: number } | null = null;
    return ({ frame, ledger }) => {
      const { f, from, form } = frame;
      const size = sizeOf(frame);
      if (form === 'event')
        return from === 'proc' && frame.event === 'exit' ? checkDeath(state, ledger.process, long) : NOTHING;
      if (from === 'agent') {
        long = null;
        if (size <= MAX_WEB_LINE_BYTES) return NOTHING;
        const message = `a line of ${size} bytes, but kimi web reads at most ${MAX_WEB_LINE_BYTES}`;
        return [{ f, severity: 'info', fault: 'agent', message }];
      }
      if (from !== 'client') return NOTHING;
      if (size > OLD_MAX_AGENT_LINE_BYTES) long = { f, size };
      return size > MAX_AGENT_LINE_BYTES ? [makeTooLongViolation(f, size, MAX_AGENT_LINE_BYTES)] : NOTHING;
    };
  },
};

/** How old the agent is shows by what it does: one that read such a line goes on. */
function checkDeath(
  { release }: WireSessionState,
  process: ProcessRecord,
  long: { f: number; size: number } | null,
): readonly Violation[] {
  const exit = exitOf(process);
  if (!long || wasStopped(process) || release >= 80 || !exit || exit.code === 0 || long.size > MAX_AGENT_LINE_BYTES)
    return NOTHING;
  return [{ ...makeTooLongViolation(long.f, long.size, OLD_MAX_AGENT_LINE_BYTES), frames: [exit.f] }];
}

function makeTooLongViolation(f: number, size: number, limit: number): Violation {
  return { f, message: `a line of ${size} bytes, but this agent reads at most ${limit}` };
}

export const idRule: WireRule = {
  ...error.client(
    'ids are strings: the agent refuses a line with any other id, and its error has no id',
    'kimi-cli wire/jsonrpc.py',
  ),
  open:
    () =>
    ({ frame, value }) => {
      const { f, from } = frame;
      if ((from !== 'client' && from !== 'agent') || !isObject(value) || !Object.hasOwn(value, 'id')) return NOTHING;
      const { id } = value;
      if (typeof id === 'string' || id === null) return NOTHING;
      const what = typeof id === 'number' || typeof id === 'bigint' ? 'a number' : 'not a string';
      const message = `the id is ${what}${from === 'client' ? ': the agent refuses the line' : ''}`;
      return [{ f, fault: from, message }];
    },
};

export const noIdRule: WireRule = {
  ...error.client(
    'requests of the client have an id, or the agent ignores them (except the old `interrupt`)',
    'kimi-cli wire/jsonrpc.py',
  ),
  open:
    ({ dialect }) =>
    ({ frame, message, value }) => {
      if (frame.from !== 'client' || message.method === null) return NOTHING;
      if (dialect === 'wire-legacy' && message.method === 'interrupt') return NOTHING;
      const { id } = objectOf(value);
      if (id !== undefined && id !== null) return NOTHING;
      return [{ f: frame.f, message: `${message.method} without an id: the agent does not act on it` }];
    },
};

/** A client may find out by `initialize` how old its agent is. */
const PROBE = 'initialize';
const NO_METHOD = -32601;

export const methodRule: WireRule = {
  ...warning.client(
    'methods exist in this version: the client calls those that the agent has, and the agent sends `event` and `request`',
    'kimi-cli wire/jsonrpc.py JSONRPC_IN_METHODS',
  ),
  open:
    ({ dialect }) =>
    ({ frame: { f, from }, message, pairing }) => {
      if (from !== 'agent') return NOTHING;
      const name = message.method;
      if (name !== null) {
        if (name === 'event' || name === 'request') return NOTHING;
        return [{ f, severity: 'error', fault: 'agent', message: `the agent sends the method ${name}` }];
      }
      const exchange = pairing?.exchange;
      if (message.code !== NO_METHOD || !exchange || exchange.method === PROBE) return NOTHING;
      const known = Object.hasOwn(dialect === 'wire' ? LEGACY_METHODS : METHODS, exchange.method);
      const why = known ? ': it belongs to another version of Wire' : '';
      return [{ f: exchange.askedF, frames: [f], message: `the agent has no method ${exchange.method}${why}` }];
    },
};

export const contentPartRule: WireRule = {
  dialects: ['wire'],
  ...error.client(
    'parts of a prompt have known types: kimi-cli exits when it reads any other',
    'kimi-cli kosong/message.py',
  ),
  open: () => (read) => {
    const unknown = read.frame.from === 'client' ? findUnknownPart(read) : null;
    if (unknown === null) return NOTHING;
    return [{ f: read.frame.f, message: `a part of type ${toJson(unknown)}: kimi-cli exits when it reads it` }];
  },
};

function findUnknownPart({ message }: ReadFrame): string | null {
  if (message.method !== 'prompt' && message.method !== 'steer') return null;
  for (const part of listOf(objectOf(message.body).user_input)) {
    const { type } = objectOf(part);
    if (typeof type === 'string' && !Object.hasOwn(PARTS, type)) return type;
  }
  return null;
}
