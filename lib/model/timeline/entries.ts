/** The timeline as people read it: turns, steps and items, each with its frames and times. */
import type { Block, EventKind, Handshake, Usage } from '../event.ts';
import type { Ask, Call, TurnRecord } from '../ledger/records.ts';
import type { CONTAINER } from './item.ts';

export interface FrameSpan {
  f: number;
  f_end: number;
  /** Seconds since the session started. */
  t: number;
  t_end: number;
  /** What contains it, for the builder. */
  [CONTAINER]?: Entry | null;
}

export type Entry = Turn | Step | Item;

/** A turn of the ledger with its contents. */
export interface Turn extends FrameSpan, TurnRecord {
  is: 'turn';
  /** Null for a prompt on the command line. */
  prompt: Item | null;
  entries: Entry[];
  usage: Usage;
  /** The part that no step of the main agent reports: subagents and hidden model calls. Null if unknown. */
  hidden: Usage | null;
}

/** One model response of one agent. */
export interface Step extends FrameSpan {
  is: 'step';
  /** Its number in the turn, from 1. */
  n: number;
  /** The agent's own number, which may start over. */
  shown: number | null;
  state: 'running' | 'done' | 'interrupted';
  entries: Entry[];
  usage: Usage;
}

export interface Item extends FrameSpan {
  is: 'item';
  kind: EventKind;
  /** The number of its turn and of its agent's step; null outside of them. */
  turn: number | null;
  step: number | null;
  subagent: string | null;
  parent: string | null;
  /** Merged and decoded. A very long text is cut off; `longer` is the number of missing characters. */
  text: string;
  longer: number;
  /** How many frames were merged into it. */
  parts: number;
  flags: string[];
  blocks: Block[];
  /** The answer to a request in either direction. */
  answer: ItemAnswer | null;
  call: Call | null;
  ask: Ask | null;
  /** What a subagent or a nested turn did. */
  entries: Entry[];
  name: string | null;
  /** The code of an error that answers no request. */
  code: number | null;
}

export interface ItemAnswer {
  f: number;
  t: number;
  ok: boolean;
  code: number | null;
  status: string | null;
  text: string;
}

export interface Timeline {
  handshake: Handshake;
  entries: Entry[];
  counts: { turns: number; tools: number; approvals: number; errors: number };
  /** Seconds in which at least one request to the client was open. */
  wait: number;
  usage: Usage;
  context: { used: number | null; size: number | null; share: number | null } | null;
}

export const noUsage = (): Usage => ({ input: 0, cache_read: 0, cache_write: 0, output: 0 });

export function addUsage(to: Usage, more: Usage): void {
  to.input += more.input;
  to.cache_read += more.cache_read;
  to.cache_write += more.cache_write;
  to.output += more.output;
}

export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    input: Math.max(0, a.input - b.input),
    cache_read: Math.max(0, a.cache_read - b.cache_read),
    cache_write: Math.max(0, a.cache_write - b.cache_write),
    output: Math.max(0, a.output - b.output),
  };
}
