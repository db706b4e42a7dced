/** The records of the ledger: turns, tool calls, and requests to the client. Only frames change them. */
import type { Block, ClientQuestion, Cover, Decision, Event, Option, Ruling } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { Id } from '../id.ts';
import type { CallSubject } from '../subject.ts';
import { STARTED_PHRASE, STOPPED_PHRASE, saysStopped } from '../text/outcome-phrases.ts';

/** A frame number and its time. */
export type FramePosition = Pick<Frame, 'f' | 't'>;

/** A prompt that the agent took up. Its place is that of the prompt, or else of the agent's first frame. */
export interface TurnRecord extends FramePosition {
  n: number;
  /** The frame of its prompt; 0 if the prompt was on the command line. */
  prompt_f: number;
  /** The prompt is on the tape. */
  is_seen: boolean;
  /** The status in its answer; `unanswered` if the turn ended without one; null while it runs. */
  status: string | null;
  code: number | null;
  /** The client's first cancel in it. */
  cancelled_f: number | null;
  /** The answer to its prompt. */
  answered: FramePosition | null;
  /** Seconds in which at least one request to the client was open. */
  wait: number;
}

export interface CallResult extends FramePosition {
  ok: boolean;
  /** The beginning of its text. */
  text: string;
  blocks: Block[];
  displays: Block[];
  ruling: Ruling | null;
  /** The agent says that the call was stopped before it ended. */
  stopped: boolean;
}

/** The item of the timeline that shows it, for the timeline only. */
interface ShownRecord {
  item: unknown;
}

/** A call of a tool. */
export interface Call extends FramePosition, ShownRecord {
  id: string | null;
  /** The index of the event that announced it, because one line may announce several calls. */
  n: number;
  turn: TurnRecord | null;
  subagent: string | null;
  tool: string | null;
  /** What it does, in the words of the dialect. */
  action: string | null;
  /** What it runs or changes, as far as that is known from elsewhere than its arguments. */
  subject: CallSubject | null;
  /** It changes or runs something. */
  writes: boolean;
  /** The arguments so far, as JSON text; null if they are too long to keep. */
  args: string | null;
  /** Where the arguments last changed. */
  args_f: number;
  args_t: number;
  /** When the arguments were complete. */
  ready: number | null;
  /** False while only a request about it is known. */
  announced: boolean;
  /** The requests that it waited for, in order: approvals, questions, hooks, client calls. */
  asks: Ask[];
  /** A request that names no call may have been about it, or about another. */
  isAmbiguous: boolean;
  /** The client runs it. */
  client_runs: boolean;
  /** The client has cancelled it. */
  withdrawn: boolean;
  /** The latest frame that shows that it runs: progress, or an event of an agent that it started. */
  ran_f: number | null;
  result: CallResult | null;
  /** `cut`: its turn ended before it had a result. `abandoned`: its step did. `discarded`: the step was retried. */
  state: 'running' | 'done' | 'cut' | 'abandoned' | 'discarded';
  /** Seconds before the first request, waiting for answers, and running. Null if unknown. */
  queue: number | null;
  wait: number | null;
  run: number | null;
}

/** The flag of a request that fits several calls, and names none of them. */
export const AMBIGUOUS = 'ambiguous';

export type AskKind = 'approval' | 'question' | 'client-call' | 'hook';
export type AskEvent = Event & { kind: AskKind };

/** An answer from the client that came in time, as approvals describe it. */
export interface ClientAnswer extends FramePosition {
  /** Null if it decides nothing; `failed` and the flags say why. */
  decision: Decision | null;
  /** It is an error. */
  failed: boolean;
  /** For a client call: whether it succeeded, according to the client. */
  ok: boolean;
  option: string | null;
  feedback: string | null;
  /** The arguments that the client or its hook wants instead; undefined: unchanged. */
  edited?: unknown;
  covers?: Cover;
  answers: unknown;
  /** For a hook: no other approval is needed. */
  permits: boolean;
  flags: readonly string[];
}

export interface Ask extends FramePosition, ShownRecord {
  kind: AskKind;
  /** The index of the event that asks. */
  n: number;
  /** The envelope's id, with its JSON type. */
  id: Id;
  /** The id that answers and resolutions refer to, if the dialect has one besides the envelope's. */
  request: string | null;
  /** The call that waits for it, and the call id that it names. */
  call: Call | null;
  call_id: string | null;
  /** Its call was announced; the two are shown together. */
  bound: boolean;
  turn: TurnRecord | null;
  subagent: string | null;
  /** No turn was open when it was asked, or its turn had ended. */
  outside: boolean;
  dead: boolean;
  background: boolean;
  /** The lines of the client are on the tape. In an agent's own log they are not. */
  hasClientSide: boolean;
  tool: string | null;
  /** What a hook is about: a tool or something else. */
  target: string | null;
  action: string | null;
  subject: CallSubject | null;
  description: string | null;
  arguments: unknown;
  options: Option[];
  displays: Block[];
  questions: ClientQuestion[];
  text: string | null;
  /** Frames that sent the same request again. */
  resent: number[];
  flags: Set<string>;
  /** The first answer in time, and the first valid one. */
  first: ClientAnswer | null;
  decided: ClientAnswer | null;
  /** What the agent reported as the outcome. */
  resolved: (FramePosition & { decision: Decision | null; feedback: string | null }) | null;
  settled: (FramePosition & { how: 'resolved' | 'result' | 'turn' | 'withdrawn' }) | null;
  /** The client cancelled its turn or its call before it was settled. */
  cancel: FramePosition | null;
  /** The client or the agent was gone before it was settled. */
  gone: (FramePosition & { how: 'eof' | 'killed' | 'exited'; is_lost: boolean }) | null;
  /** The decision on an approval or a hook; a cancel decides too. */
  decision: Decision | null;
  edited: unknown;
  feedback: string | null;
  answers: unknown;
  /** Seconds that it was open; null while it is open, and if the recorder did not see the end. */
  wait: number | null;
}

/** No result, and its turn is open. Something may be asked about a call that is never announced. */
export const isRunning = ({ state }: Call): boolean => state === 'running';

/** Not decided, or its call has not ended: the audit of it may change. */
export const isOpenAsk = ({ settled, decided, call }: Ask): boolean =>
  (settled === null && decided === null) || (call?.announced === true && isRunning(call));

/**
 * It did not end by itself: the agent says so, or the client cancelled it or its turn after frame `since` and it has no
 * success to show but one that says so, or its turn or the process was over before it had any result.
 */
export function isStopped({ f, result, turn, withdrawn, state }: Call, since = f): boolean {
  if (result?.stopped || state === 'cut') return true;
  const cancel = turn?.cancelled_f ?? null;
  const isCancelled =
    withdrawn || (cancel !== null && cancel > since && cancel < (result?.f ?? Number.POSITIVE_INFINITY));
  return isCancelled && (!result?.ok || saysStopped(result.text));
}

/** How many characters of a result are read. Claude reports at the end of a long text that the call was stopped. */
const MAX_RESULT_CHARS_READ = 1000;

/**
 * Whether a call that was stopped had begun after frame `since`. Agents say `rejected` of such a call, whether it had been
 * started or not, so it ran in part only if it was seen to run, or the agent says that it was stopped while running.
 */
export function hadBegun({ result, ran_f }: Call, since: number): boolean {
  if ((ran_f ?? -1) > since) return true;
  if (!result) return false;
  const text = result.text.slice(0, MAX_RESULT_CHARS_READ);
  return result.ok || result.stopped || STOPPED_PHRASE.test(text) || STARTED_PHRASE.test(text);
}

export const isAllowed = (decision: Decision | null | undefined): boolean =>
  decision === 'allow' || decision === 'allow-always';
