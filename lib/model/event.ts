/**
 * What a message means, independent of its dialect. A dialect turns each frame into zero or more events, and the rest
 * of the program works with events only. The kinds are the same words everywhere.
 */
import type { CallSubject } from './subject.ts';

export const EVENT_KINDS = [
  ...(['prompt', 'prompt-answer', 'turn-begin', 'turn-end'] as const),
  ...(['step-begin', 'step-end', 'step-retry', 'step-interrupted'] as const),
  ...(['text', 'thinking', 'tool-call', 'tool-args', 'tool-result', 'progress', 'plan'] as const),
  ...(['approval', 'approval-answer', 'approval-resolved', 'question', 'question-answer'] as const),
  ...(['hook', 'hook-answer', 'hook-resolved', 'client-call', 'client-call-answer'] as const),
  ...(['handshake', 'mode', 'steer', 'cancel', 'compaction', 'usage'] as const),
  ...(['status', 'notice', 'control', 'subagent'] as const),
  ...(['log', 'noise', 'error', 'process', 'other'] as const),
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** What every event may have. Keys that do not apply are absent. */
interface EventBase<K extends EventKind> {
  kind: K;
  /** The subagent that speaks: its own id, or else the id of the call that started it. Absent: the main agent. */
  subagent?: string;
  /** The tool call that started the subagent. */
  parent?: string;
  /**
   * The frame of the prompt that the agent takes up with this event: its turn begins. 0 is a prompt on the command
   * line.
   */
  takes?: number;
  /** The frame of another prompt that the open turn answers too (rule T10). */
  joins?: number;
  /** A step begins here, in dialects that do not mark the beginning of a step (rules S2 and S3). */
  step?: true;
  /** The agent says that it cannot go on without the client, or no longer says so. */
  needsClient?: boolean;
  /** The frame of the prompt whose turn it belongs to, if it comes late or several turns are open. */
  within?: number;
  /** The mode of the conversation that it belongs to, if that is not the last mode that was reported. */
  mode?: string;
  /** Part of a stream: the whole is the parts in order. */
  delta?: true;
  /** The first part of a text, where the parts of another may precede it. */
  begins?: true;
  /** Replaces what earlier frames said about the same thing. */
  replace?: true;
  /** Repeats what an earlier frame said: adds no text and is not counted. */
  restates?: true;
  /** The decoded text for people; for a delta, the text that it adds. */
  text?: string;
  /** Flags of the frame: resent, foreign, wrong-request-id, ... */
  flags?: string[];
}

/** A piece of content, or something that the agent wants displayed. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio' | 'video'; mime: string | null; size: number | null; url: string | null }
  /** `lines`: where the two texts begin in the file. `summary`: the texts only describe the change. */
  | { type: 'diff'; path: string; before: string; after: string; lines?: [number, number]; summary?: true }
  | { type: 'todo'; items: { title: string; status: string }[] }
  | { type: 'shell'; command: string; language: string | null }
  | { type: 'resource'; uri: string; text: string | null }
  /** A type that this version does not know. */
  | { type: 'unknown'; name: string; value: unknown };

export interface Option {
  id: string;
  /** What choosing it means; null if the dialect does not say. */
  decision: Decision | null;
  label: string | null;
  /** What a standing grant by this option covers, if the dialect says so. */
  covers?: Cover;
}

export type Decision = 'allow' | 'allow-always' | 'deny' | 'cancelled';

/**
 * What a standing grant covers: the same command or the same files again, commands that begin with these words, or what its
 * rules say. `more`: what else was granted, in words, such as a folder or a mode.
 */
export type Cover =
  | { is: 'same' }
  | { is: 'prefix'; words: string[] }
  | { is: 'rules'; rules: GrantRule[]; more: string[] };

/** Calls of a tool (null: of the one that was asked about) whose command or path is like the pattern (null: all). */
export interface GrantRule {
  tool: string | null;
  pattern: string | null;
}

/** Who decided on a call, in the agent's own words; null where it does not say. */
export interface Ruling {
  decision: 'allow' | 'deny' | null;
  by: 'client' | 'mode' | 'hook' | 'agent' | null;
}

export interface Usage {
  /** Without cached tokens. */
  input: number;
  cache_read: number;
  cache_write: number;
  output: number;
}

export interface ClientQuestion {
  id: string | null;
  text: string;
  options: { label: string; description: string | null }[];
  multiple: boolean;
}

/** A tool call is identified by agent and call id. Later turns may use an id again. */
interface CallFields {
  call: string | null;
  tool?: string | null;
  /** All that is known so far of what it runs or changes, besides its arguments; null: no longer anything. */
  subject?: CallSubject | null;
}

interface CallEffect {
  /** The call changes or runs something, if the dialect says so. */
  writes?: boolean;
  /** What it does, in the same words as in its approval. */
  action?: string;
}

export type Event =
  | (EventBase<'prompt'> & { blocks: Block[] })
  /**
   * `prompt`: the frame that it answers, 0 for a prompt on the command line, null if unknown.
   * `denied`: the calls that the agent's own rules refused in this turn, if the answer lists them.
   */
  | (EventBase<'prompt-answer'> & { prompt: number | null; status: string; code: number | null; denied?: string[] })
  /**
   * The agent's own turn markers. `nested`: inside another turn, as for flows and subagents. `own`: the agent begins it by
   * itself, without a prompt.
   */
  | (EventBase<'turn-begin'> & { nested: boolean; own?: true })
  /** `ends`: the prompt whose turn this ends, if the answer to the prompt is not recorded. */
  | (EventBase<'turn-end'> & { ends?: number })
  /** `n`: the agent's own number. */
  | (EventBase<'step-begin'> & { n: number | null })
  | EventBase<'step-end' | 'step-interrupted'>
  | (EventBase<'step-retry'> & { n: number | null; reason: string | null })
  /** `of`: the frame in which the text that it restates began, if the dialect tells several apart. */
  | (EventBase<'text' | 'thinking'> & { block?: Block; of?: number })
  /** `args`: the arguments so far, as JSON text. */
  | (EventBase<'tool-call'> & CallFields & CallEffect & { args: string | null; complete: boolean; blocks?: Block[] })
  /** `call` null: the latest call of the same agent. */
  | (EventBase<'tool-args'> & CallFields & CallEffect & { blocks?: Block[] })
  /** `ran`: it was started, whatever came of it. `stopped`: the agent says that it was stopped before it ended. */
  | (EventBase<'tool-result'> &
      CallFields &
      CallEffect & { ok: boolean; blocks: Block[]; displays: Block[]; ruling?: Ruling; ran?: true; stopped?: true })
  | (EventBase<'progress'> & CallFields)
  | (EventBase<'plan'> & { blocks: Block[] })
  /**
   * `request`: the id that answers and resolutions refer to, if the dialect has one besides the envelope's. `others`: calls
   * that it may be about instead, because it names none.
   */
  | (EventBase<'approval'> &
      CallFields & {
        others?: string[];
        request: string | null;
        action: string | null;
        description: string | null;
        arguments: unknown;
        options: Option[];
        displays: Block[];
      })
  /** `decision` null: the answer is invalid; the flags say why (bad-word, bad-shape, no-request-id, both, ...). */
  | (EventBase<'approval-answer'> & {
      request: string | null;
      decision: Decision | null;
      option: string | null;
      feedback: string | null;
      /** The arguments that the client wants instead; undefined: unchanged. */
      edited?: unknown;
      /** Of `allow-always`, if the dialect says what it covers; else every call of the same action. */
      covers?: Cover;
    })
  | (EventBase<'approval-resolved'> & { request: string | null; decision: Decision | null; feedback: string | null })
  | (EventBase<'question'> & CallFields & { request: string | null; questions: ClientQuestion[] })
  | (EventBase<'question-answer'> & { request: string | null; answers: unknown; ok: boolean })
  | (EventBase<'hook'> & { request: string | null; event: string; target: string | null; call?: string | null })
  /** `permits`: no other approval is needed. `failed`: the hook itself failed and decided nothing. */
  | (EventBase<'hook-answer' | 'hook-resolved'> & {
      request: string | null;
      event: string | null;
      target: string | null;
      decision: 'allow' | 'deny' | null;
      reason: string | null;
      permits?: true;
      failed?: true;
      /** The arguments that the hook wants for the call instead; undefined: unchanged. */
      edited?: unknown;
    })
  /** `what`: the method or tool that the agent asks its client to run. */
  | (EventBase<'client-call'> & CallFields & { request: string | null; what: string; arguments: unknown })
  | (EventBase<'client-call-answer'> & { request: string | null; ok: boolean; blocks: Block[] })
  | (EventBase<'handshake'> & { about: Handshake })
  /**
   * `mode`: the dialect's own name. `done` is false while it is only requested. `switches`: this one is turned on (it is
   * the mode) or off, and others stay as they are.
   */
  | (Omit<EventBase<'mode'>, 'mode'> & { mode: string | null; done: boolean; switches?: string })
  | (EventBase<'steer'> & { blocks: Block[]; done: boolean })
  /** `of`: the id of the request that is cancelled; null: the turn. */
  | (EventBase<'cancel'> & { of: string | null; done: boolean })
  | (EventBase<'compaction'> & { done: boolean })
  /** `usage` is added to the sums, unless `total` is true: then it is the sum of this process so far. */
  | (EventBase<'usage'> & {
      usage: Usage | null;
      total: boolean;
      /** What the turn used, if the answer that gives the sum says so. */
      ofTurn?: Usage | null;
      /** The number of tokens, if only their sum is known. */
      tokens?: number;
      context: { used: number | null; size: number | null; share: number | null } | null;
    })
  | (EventBase<'status' | 'log' | 'noise' | 'other'> & { name: string | null })
  /** `retry`: a request to the model failed, and the agent tries again. */
  | (EventBase<'notice'> & { name: string | null; retry?: true })
  /** `status`: the status in an answer, if it has one. */
  | (EventBase<'control'> & { name: string | null; status?: string | null })
  | (EventBase<'subagent'> & { call: string | null; name: string | null; background: boolean })
  | (EventBase<'error'> & { code: number | null })
  /** `ended`: the status with which this ends the open turn, if nothing else ends it. */
  | (EventBase<'process'> & { name: string; ended?: string });

/** What the recorder observed. */
export type ProcessEvent = Extract<Event, { kind: 'process' }>;

/** What a handshake says; each of its frames has a part. */
export interface Handshake {
  protocol?: string;
  client?: { name: string; version: string | null };
  agent?: { name: string; version: string | null };
  model?: string;
  /** Names of capabilities, tools and slash commands. */
  capabilities?: unknown;
  tools?: { accepted: string[]; refused: string[] };
  commands?: string[];
  mode?: string;
  session?: string;
  cwd?: string;
}
