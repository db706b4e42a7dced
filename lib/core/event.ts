/**
 * What a message means, in words that no dialect owns. A dialect turns each frame into zero or more of these; timelines,
 * queries, audits, diffs and pages know nothing else. The kinds are the same words everywhere.
 */

export const KINDS = [
  ...(['prompt', 'prompt-answer', 'turn-begin', 'turn-end'] as const),
  ...(['step-begin', 'step-end', 'step-retry', 'step-interrupted'] as const),
  ...(['text', 'thinking', 'tool-call', 'tool-args', 'tool-result', 'progress', 'plan'] as const),
  ...(['approval', 'approval-answer', 'approval-resolved', 'question', 'question-answer'] as const),
  ...(['hook', 'hook-answer', 'hook-resolved', 'client-call', 'client-call-answer'] as const),
  ...([
    'handshake',
    'mode',
    'steer',
    'cancel',
    'compaction',
    'usage',
    'status',
    'notice',
    'control',
    'subagent',
  ] as const),
  ...(['log', 'noise', 'error', 'process', 'other'] as const),
] as const;

export type Kind = (typeof KINDS)[number];

/** What every event may say. Keys that do not apply are absent. */
interface Said<K extends Kind> {
  kind: K;
  /** An agent that an agent started speaks: its own id, else the id of the call that started it. Absent: the main one. */
  subagent?: string;
  /** The tool call that started it. */
  parent?: string;
  /** The prompt, by its frame, that the agent takes up with this: it is a turn now. 0 is a prompt on the command line. */
  takes?: number;
  /** A step begins with this, where the dialect has no bracket of its own for it (rules S2 and S3). */
  step?: true;
  /** The prompt, by its frame, to whose turn it belongs, where time does not tell: said late, or several turns are open. */
  within?: number;
  /** Part of a stream: the whole is the parts in order. */
  delta?: true;
  /** Supersedes what earlier frames said of the same thing. */
  replace?: true;
  /** Says again what an earlier frame said: adds no text, counts nowhere. */
  restates?: true;
  /** What a person would read of it, decoded; of a delta, what it adds. */
  text?: string;
  /** Of its frame, from the words in reference/model: resent, foreign, wrong-request-id, ... */
  flags?: string[];
}

/** A piece of content or of what an agent wants displayed. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio' | 'video'; mime: string | null; size: number | null; url: string | null }
  /** `lines`: where the two texts begin in the file. `summary`: they only describe the change. */
  | { type: 'diff'; path: string; before: string; after: string; lines?: [number, number]; summary?: true }
  | { type: 'todo'; items: { title: string; status: string }[] }
  | { type: 'shell'; command: string; language: string | null }
  | { type: 'resource'; uri: string; text: string | null }
  /** Of a type that this version does not know. */
  | { type: 'unknown'; name: string; value: unknown };

export interface Option {
  id: string;
  /** What choosing it means; null where the dialect does not tell. */
  decision: Decision | null;
  label: string | null;
}

export type Decision = 'allow' | 'allow-always' | 'deny' | 'cancelled';

export interface Usage {
  /** Not from a cache. */
  input: number;
  cache_read: number;
  cache_write: number;
  output: number;
}

export interface Question {
  id: string | null;
  text: string;
  options: { label: string; description: string | null }[];
  multiple: boolean;
}

/** A call of a tool is known by (agent, call id); ids may come again in later turns. */
interface OfCall {
  call: string | null;
  tool?: string | null;
}

export type Event =
  | (Said<'prompt'> & { blocks: Block[] })
  /**
   * `prompt`: the frame that it answers, 0 for one on the command line, null if that is not known.
   * `denied`: the calls that the agent's own rules refused in this turn, where the answer lists them.
   */
  | (Said<'prompt-answer'> & { prompt: number | null; status: string; code: number | null; denied?: string[] })
  /** An agent's own brackets. `nested`: inside a turn that is open already, a flow or a subagent's. */
  | (Said<'turn-begin'> & { nested: boolean })
  /** `ends`: the prompt whose turn is over with this, where its answer cannot be seen. */
  | (Said<'turn-end'> & { ends?: number })
  /** `n` as the agent numbers it. */
  | (Said<'step-begin'> & { n: number | null })
  | Said<'step-end' | 'step-interrupted'>
  | (Said<'step-retry'> & { n: number | null; reason: string | null })
  | (Said<'text' | 'thinking'> & { block?: Block })
  /**
   * `args`: as far as they are known, as JSON text. `writes`: it changes or runs something, as far as the dialect tells.
   * `action`: what it does in the dialect's words, the same as in an approval of it.
   */
  | (Said<'tool-call'> &
      OfCall & { args: string | null; complete: boolean; writes?: boolean; action?: string; blocks?: Block[] })
  /** `call` null: of the latest call of the same agent. */
  | (Said<'tool-args'> & OfCall & { blocks?: Block[] })
  | (Said<'tool-result'> & OfCall & { ok: boolean; blocks: Block[]; displays: Block[] })
  | (Said<'progress'> & OfCall)
  | (Said<'plan'> & { blocks: Block[] })
  /** `request`: the id that answers and resolutions name, where the dialect has one besides the envelope's. */
  | (Said<'approval'> &
      OfCall & {
        request: string | null;
        action: string | null;
        description: string | null;
        arguments: unknown;
        options: Option[];
        displays: Block[];
      })
  /** `decision` null: the answer is none; the flags say why (bad-word, bad-shape, no-request-id, both, ...). */
  | (Said<'approval-answer'> & {
      request: string | null;
      decision: Decision | null;
      option: string | null;
      feedback: string | null;
      /** What the client wants to be run instead; undefined: as asked. */
      edited?: unknown;
    })
  | (Said<'approval-resolved'> & { request: string | null; decision: Decision | null; feedback: string | null })
  | (Said<'question'> & OfCall & { request: string | null; questions: Question[] })
  | (Said<'question-answer'> & { request: string | null; answers: unknown; ok: boolean })
  | (Said<'hook'> & { request: string | null; event: string; target: string | null; call?: string | null })
  | (Said<'hook-answer' | 'hook-resolved'> & {
      request: string | null;
      event: string | null;
      target: string | null;
      decision: 'allow' | 'deny' | null;
      reason: string | null;
    })
  /** `what`: the method or tool that the agent asks its client to run. */
  | (Said<'client-call'> & OfCall & { request: string | null; what: string; arguments: unknown })
  | (Said<'client-call-answer'> & { request: string | null; ok: boolean; blocks: Block[] })
  | (Said<'handshake'> & { about: Handshake })
  /** `mode` as the dialect calls it; `done` false while it is only asked for. */
  | (Said<'mode'> & { mode: string | null; done: boolean })
  | (Said<'steer'> & { blocks: Block[]; done: boolean })
  /** `of`: one request (by its id) that is withdrawn; null: the turn. */
  | (Said<'cancel'> & { of: string | null; done: boolean })
  | (Said<'compaction'> & { done: boolean })
  /** `usage` is added; `total` true: it is the sum so far of this process, never added. */
  | (Said<'usage'> & {
      usage: Usage | null;
      total: boolean;
      /** All together, where nobody tells the parts. */
      tokens?: number;
      context: { used: number | null; size: number | null; share: number | null } | null;
    })
  | (Said<'status' | 'notice' | 'log' | 'noise' | 'other'> & { name: string | null })
  /** `status`: of an answer, where it says more than that it is none of an error. */
  | (Said<'control'> & { name: string | null; status?: string | null })
  | (Said<'subagent'> & { call: string | null; name: string | null; background: boolean })
  | (Said<'error'> & { code: number | null })
  /** `ended`: how the turn that is open ends with this, where nothing else tells. */
  | (Said<'process'> & { name: string; ended?: string });

/** What the recorder saw. */
export type Happening = Extract<Event, { kind: 'process' }>;

/** What a handshake tells; each frame tells a part. */
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
