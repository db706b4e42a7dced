/**
 * The table of facts about a frame. Each line has a name, the stored type, the comment of its column, and the query
 * qualifier, if any. The index schema and its statements, the JSON keys, the columns of pages and the qualifiers all come
 * from this table, and the compiler demands a value for each line in `facts.ts`. New lines go before `flags`.
 */

import { EVENT_KINDS } from '../../model/event.ts';
import { DECIDERS, EXECUTED_VALUES, ROW_DECISIONS } from '../audit/row.ts';

/**
 * How the index stores a value. `words`: a list of words. `more-words`: the same, null if `kind` is the only word.
 * `id`: a string or a number, with its JSON type.
 */
export type StoredType = 'integer' | 'real' | 'text' | 'words' | 'more-words' | 'id';

/**
 * How a value is written in a query and compared. `word`: one of `words`. `mark`: a word for a bit of `marks`. `text`:
 * the whole value, ignoring case. `session`: an id, a prefix of one, or the part after its dash. `exit`: an exit code
 * or a signal name. `frame`: a number, also written `f17`.
 */
export type QueryType =
  | 'word'
  | 'mark'
  | 'text'
  | 'session'
  | 'exit'
  | 'state'
  | 'frame'
  | 'number'
  | 'duration'
  | 'size'
  | 'time';

/** The query qualifier of a fact. */
export interface FactQuery {
  type: QueryType;
  help: string;
  example: string;
  /** All possible values, if they are known. */
  words: readonly string[] | null;
}

export interface FactDefinition<Q extends FactQuery | null = FactQuery | null> {
  stored: StoredType;
  /** Every frame has a value. */
  needed: boolean;
  note: string;
  query: Q;
}

const FROM_WORDS = ['client', 'agent', 'stderr', 'proc'];
const ENVELOPE_WORDS = ['request', 'response', 'error', 'notification', 'none'];

// biome-ignore format: a line each
export const FRAME_FACTS = {
  f: needed('integer', '', qualifier('frame', 'frame number', 'f:f17')),
  t: needed('real', 'seconds since the session started', qualifier('duration', 'time since the session started', 't:10s..1m')),
  from: needed('text', FROM_WORDS.join(', '), qualifier('word', 'who sent it', 'from:agent', FROM_WORDS)),
  envelope: needed('text', ENVELOPE_WORDS.join(', '), qualifier('word', 'type of the protocol message', 'envelope:request', ENVELOPE_WORDS)),
  kind: fact('text', 'what it means', qualifier('word', 'what it means', 'kind:approval', EVENT_KINDS)),
  kinds: fact('more-words', 'all meanings, if there are several'),
  method: fact('text', 'an answer has the method of its request', qualifier('text', 'method of the request; its answer matches too', 'method:session/*')),
  type: fact('text', '', qualifier('text', 'type of the message or event', 'type:ContentPart')),
  id: fact('id', 'as JSON: 1 is not "1"', qualifier('text', 'request id, as text', 'id:7')),
  turn: fact('integer', '', qualifier('number', 'turn number', 'turn:2..4')),
  step: fact('integer', '', qualifier('number', 'step number within the turn', 'step:1')),
  subagent: fact('text', '', qualifier('text', 'subagent id', 'subagent:*')),
  parent: fact('text', 'the call that started the subagent'),
  tool: fact('text', '', qualifier('text', 'tool name', 'tool:Shell,Bash')),
  tool_call_id: fact('text', ''),
  item: fact('integer', 'the first frame of the item it is part of'),
  pair_f: fact('integer', 'the frame that answers this one, or that this one answers'),
  latency: fact('real', 'seconds between the two', qualifier('duration', 'time from request to answer', 'latency:120s..*')),
  wait: fact('real', 'seconds that a request to the client was open', qualifier('duration', 'time that a request to the client was open', 'wait:60s..*')),
  gap: fact('real', 'seconds since the previous frame', qualifier('duration', 'time since the previous frame', 'gap:5s..*')),
  approval: fact('text', `what was decided: ${ROW_DECISIONS.join(', ')}`, qualifier('word', 'what was decided', 'approval:unasked', ROW_DECISIONS)),
  by: fact('text', `who decided: ${DECIDERS.join(', ')}`, qualifier('word', 'who decided', 'by:grant', DECIDERS)),
  mode: fact('text', 'the mode that was on', qualifier('text', 'mode that was on when it was asked or called', 'mode:yolo')),
  ran: fact('text', `whether it ran: ${EXECUTED_VALUES.join(', ')}`, qualifier('word', 'whether what was asked about, or the call, ran', 'ran:yes', EXECUTED_VALUES)),
  flag: fact('words', 'flags of its row in the audit', qualifier('text', 'flag of its row in wiretape approvals', 'flag:ran-after-deny')),
  status: fact('text', 'how the turn or the tool call ended', qualifier('text', 'how the turn or the tool call ended', 'status:finished')),
  code: fact('integer', 'error code', qualifier('number', 'error code', 'code:-32099..-32000')),
  size: needed('integer', 'bytes of the line', qualifier('size', 'size of the line', 'size:1mb..*')),
  flags: fact('words', ''),
  event: fact('text', 'spawn, eof, exit, ...'),
  marks: needed('integer', 'bits for is: and has: in queries'),
};

function qualifier(type: QueryType, help: string, example: string, words: readonly string[] | null = null): FactQuery {
  return { type, help, example, words };
}

function fact<Q extends FactQuery | null = null>(stored: StoredType, note: string, query?: Q): FactDefinition<Q> {
  return { stored, needed: false, note, query: (query ?? null) as Q };
}

function needed<Q extends FactQuery | null = null>(stored: StoredType, note: string, query?: Q): FactDefinition<Q> {
  return { ...fact(stored, note, query), needed: true };
}

export type FactName = keyof typeof FRAME_FACTS;

/** Facts that are query qualifiers. */
export type QueryableFact = {
  [K in FactName]: (typeof FRAME_FACTS)[K]['query'] extends FactQuery ? K : never;
}[FactName];

export const FACT_LIST = Object.entries(FRAME_FACTS) as [FactName, FactDefinition][];
