/** The shape of a session as a person reads it: turns, steps, items. Everything has its frames and its times. */
import type { Block, Decision, Handshake, Kind, Option, Question, Usage } from '../event.ts';

import type { INSIDE } from './item.ts';

export interface Span {
  f: number;
  f_end: number;
  /** Seconds since the session started. */
  t: number;
  t_end: number;
  /** What it is part of, for the builder. */
  [INSIDE]?: Entry | null;
}

export type Entry = Turn | Step | Item;

/** A prompt of the client that the agent took up. */
export interface Turn extends Span {
  is: 'turn';
  n: number;
  /** Null for a prompt on the command line. */
  prompt: Item | null;
  /** As its answer says; `unanswered` if none came before it was over; null while it runs. */
  status: string | null;
  code: number | null;
  /** A client's cancel seen in it. */
  cancelled_f: number | null;
  entries: Entry[];
  usage: Usage;
  /** Of that, what none of the main agent's steps tells: subagents, calls of the model behind the scenes. Null: not told. */
  hidden: Usage | null;
  /** Seconds in which the client was asked something, however many things at once. */
  wait: number;
}

/** One answer of the model, of one agent. */
export interface Step extends Span {
  is: 'step';
  /** Which it is in its turn, from 1. */
  n: number;
  /** What the agent calls it, which may start again. */
  shown: number | null;
  state: 'running' | 'done' | 'interrupted';
  entries: Entry[];
  usage: Usage;
}

export interface Item extends Span {
  is: 'item';
  kind: Kind;
  /** The number of its turn, and of its agent's step in it; null outside of them. */
  turn: number | null;
  step: number | null;
  subagent: string | null;
  parent: string | null;
  /** Merged, decoded, and cut off where it would fill memory; `longer` tells by how many characters. */
  text: string;
  longer: number;
  /** How many frames were merged into it. */
  parts: number;
  flags: string[];
  blocks: Block[];
  /** Of a request in either direction. */
  answer: Answer | null;
  call: Call | null;
  ask: Ask | null;
  /** What a subagent, or a turn inside the turn, did. */
  entries: Entry[];
  name: string | null;
  /** Of an error that answers nothing. */
  code: number | null;
}

export interface Answer {
  f: number;
  t: number;
  ok: boolean;
  code: number | null;
  status: string | null;
  text: string;
}

/** A call of a tool. */
export interface Call {
  id: string | null;
  tool: string | null;
  /** JSON text, as far as it came. */
  args: string;
  /** When its arguments were complete. */
  ready: number | null;
  writes: boolean;
  /** The approval, question or hook that held it up, in order. */
  asks: Item[];
  result: { f: number; t: number; ok: boolean; blocks: Block[]; displays: Block[] } | null;
  /** `cut`: its turn was over before it had a result. `abandoned`: its step was. `discarded`: the step was tried again. */
  state: 'running' | 'done' | 'cut' | 'abandoned' | 'discarded';
  /** Seconds: before anybody was asked, waiting for an answer, running. Null where it cannot be known. */
  queue: number | null;
  wait: number | null;
  run: number | null;
}

/** What an agent asks its client, and what became of it. */
export interface Ask {
  /** It holds up a call that was announced, and is shown with it. */
  bound: boolean;
  request: string | null;
  call: string | null;
  tool: string | null;
  action: string | null;
  description: string | null;
  arguments: unknown;
  options: Option[];
  displays: Block[];
  questions: Question[];
  decision: Decision | null;
  edited: unknown;
  feedback: string | null;
  answers: unknown;
  resolved: { f: number; t: number; decision: Decision | null } | null;
  /** Seconds it was open. */
  wait: number | null;
}

export interface Timeline {
  handshake: Handshake;
  entries: Entry[];
  counts: { turns: number; tools: number; approvals: number; errors: number };
  /** Seconds in which the client was asked something, however many things at once. */
  wait: number;
  usage: Usage;
  context: { used: number | null; size: number | null; share: number | null } | null;
}

export const isYes = (decision: Decision | null | undefined): boolean =>
  decision === 'allow' || decision === 'allow-always';

export const noUsage = (): Usage => ({ input: 0, cache_read: 0, cache_write: 0, output: 0 });

export function addUsage(to: Usage, more: Usage): void {
  to.input += more.input;
  to.cache_read += more.cache_read;
  to.cache_write += more.cache_write;
  to.output += more.output;
}

export function minusUsage(a: Usage, b: Usage): Usage {
  return {
    input: Math.max(0, a.input - b.input),
    cache_read: Math.max(0, a.cache_read - b.cache_read),
    cache_write: Math.max(0, a.cache_write - b.cache_write),
    output: Math.max(0, a.output - b.output),
  };
}
