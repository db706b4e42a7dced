/**
 * What a protocol has and lacks. Code that reads events asks for a trait, never for the name of a dialect. A dialect
 * states only the traits that differ from the defaults, which are also the traits of an unknown dialect.
 */
import type { Id } from '../model/id.ts';
import { PROMPT_OPTIONS } from './common/command-line.ts';
import { type DeclineTo, NO_DECLINE, NO_REPLY, type ReplyTo } from './common/reply.ts';
import type { JsonObject } from './dialect.ts';

export interface Traits {
  /** Only the envelopes are understood, so what was asked or approved is unknown. */
  isGeneric: boolean;
  /** Every line is JSON. */
  linesAreJson: boolean;
  /** The envelopes are those of JSON-RPC 2.0; null: others. */
  jsonRpc: JsonRpcTraits | null;
  /** Prompts open turns. */
  hasTurns: boolean;
  /** Several turns may be open at once, because sessions share the process. */
  turnsSideBySide: boolean;
  /** The client itself calls the tools, so no call needs its approval. */
  clientCallsTools: boolean;
  /** The method that calls a tool, if the protocol has one for that; traces name requests by it. */
  toolMethod: string | null;
  /** A session is complete without a line from the client: the prompt is on the command line. */
  needsNoClient: boolean;
  /** What the client writes is the prompt as plain text, up to the end of stdin. */
  stdinIsPrompt: boolean;
  /** Options whose value is the prompt. Without them, it is a word of its own. */
  promptOptions: readonly string[];
  /** Options that name the folder that the agent works in. */
  folderOptions: readonly string[];
  /** Options with which a run is like that, and others are not. */
  oneShot: readonly (readonly [option: string, value: string])[];

  /** After each answer to an approval or a hook, the agent reports the outcome. */
  agentResolvesAsks: boolean;
  /** A denial may come with or without text. Elsewhere it always has one, so the text is not special. */
  feedbackIsOptional: boolean;
  /** The agent waits for an answer for a limited time, then ends the call with its own result. */
  asksTimeOut: boolean;

  /** Bypasses that can be on or off independently. */
  switches: readonly BypassSwitch[];
  /** How the mode is chosen, if a session has one mode at a time and the agent reports it; null: there are no modes. */
  modes: ModeOptions | null;
  /** Planning is not one of those modes: entering or leaving it keeps the mode in force. */
  planIsSeparate: boolean;

  /** Where the ids of conversations stand, which go on in later sessions. */
  conversations: ConversationTraits;

  /** A numeric id is rejected or ignored. */
  idsMustBeStrings: boolean;
  /** The client's methods that expect an answer and so need an id; null: unknown. */
  requestsNeedingIds: RegExp | null;
  /** What the client must send after the handshake, before anything else; null: nothing. */
  readySignal: string | null;
  /** A request that the client has cancelled needs no answer. */
  cancelWithdrawsRequest: boolean;
  /** If the first line is a prompt, the agent ignores control lines and cannot ask for approval. */
  promptFirstIsDirectMode: boolean;

  /** The line that answers a request of either side. */
  reply: ReplyTo;
  /** The line that answers a request of the agent with a no. */
  decline: DeclineTo;
  /** The first line of a client, if there is a handshake; null: there is none. */
  greeting: JsonObject | null;

  /** What error codes mean, in addition to those of JSON-RPC. */
  errorMeanings: Readonly<Record<number, string>>;
  /** What is known about the agents that speak it, for people. */
  hints: AgentHints;
  replay: ReplayTraits;
}

interface JsonRpcTraits {
  /** Each message has `"jsonrpc":"2.0"`. */
  saysVersion: boolean;
  /** Programs are known that leave that out, and their peers know them. */
  versionMayBeMissing: boolean;
  /** The protocol itself forbids requests with the id null. */
  forbidsNullIds: boolean;
}

/** As the specification has it. */
export const JSON_RPC: JsonRpcTraits = { saysVersion: true, versionMayBeMissing: false, forbidsNullIds: false };

/** A bypass that one of these options turns on. `options` null: it is always on. */
interface BypassSwitch {
  mode: string;
  options: readonly string[] | null;
}

interface ModeOptions {
  /** Options whose value is the mode. */
  options: readonly string[];
  /** Options that select a mode by themselves. They take precedence. */
  shortcuts: readonly { mode: string; options: readonly string[] }[];
  /** Modes in which nothing needs an approval, besides the usual names for them. */
  bypass?: RegExp;
}

export interface ConversationTraits {
  /** Options that go on with an earlier conversation. */
  resumes: readonly string[];
  /** Those of them whose value is its id. */
  options: readonly string[];
  /** Requests of the client that do so, if the agent agrees. */
  methods: readonly string[];
  /** Where the agent's lines have the id: the keys that lead to it. */
  paths: readonly (readonly string[])[];
  /** What the agent says on stderr, with the id as its first group; null: nothing. */
  stderr: RegExp | null;
}

type MakeRefusal = (id: Exclude<Id, null>, method: string) => Record<string, unknown>;

interface ExplainedHint {
  cause: string;
  hint: string;
}

/** Each is present if agents of the dialect are known to behave this way. */
interface AgentHints {
  /** Why ids must be strings. */
  stringIds?: string;
  /** Why a cancelled prompt may never be answered. */
  cancelledUnanswered?: string;
  /** Why approvals never reach a client that skipped the handshake. */
  noHandshake?: ExplainedHint;
  /** Why an approval never completes, whatever the client answers. */
  approvalIgnored?: ExplainedHint;
  /** Why the handshake is never answered. */
  handshakeIgnored?: ExplainedHint;
  /** Why the absence of approvals in an agent's own log proves nothing. */
  noApprovalsInLog?: string;
  /** What to do about an error, by `method code`. */
  refusals?: Readonly<Record<string, string>>;
}

/**
 * What a replay needs to know. Paths are written as in queries, without the `@`: `message.content[*].id`. A missing
 * member is unknown or does not exist.
 */
export interface ReplayTraits {
  /**
   * Where ids are that later lines refer to, in lines of either side. A replay maps each to the id of the live session. One that is
   * also in a list below belongs to the numbering of that.
   */
  ids?: readonly string[];
  /** The same for ids that a client may choose, which few do: they are in the schema of the protocol, not in our tapes. */
  clientIds?: readonly string[];
  /** Where a request has its id, and an answer that of its request. Default: `id`. Each side counts its own requests. */
  requestIds?: readonly string[];
  /** Where a line names something that its sender numbered: its own request. */
  senderIds?: readonly string[];
  /** The same for what the receiver numbered. */
  receiverIds?: readonly string[];
  /**
   * Where a request has a token that its sender chose for it, and where lines of the other side name it. Tokens are no ids
   * of requests, although many programs use the same numbers.
   */
  tokens?: { given: readonly string[]; named: readonly string[] };
  /** Where values are that differ from run to run and that nothing refers to. */
  volatile?: readonly string[];
  /** What a client says about itself in the handshake: another version of it may say something else. */
  introduction?: readonly string[];
  /** Versions that both sides agree on: the agent answers with the lower one. */
  negotiated?: { requested: string; answered: string };
  /** Where further such values are in this line, which depends on its other values. */
  volatileIn?: (line: JsonObject) => readonly string[];
  /** Names that agents make up and that occur in texts, as the first group. */
  names?: readonly RegExp[];
  /** The line that rejects a request with an unknown method. */
  refuse?: MakeRefusal;
  /** The line that rejects a known request that is not on the tape; `refuse` if it is missing. */
  refuseContent?: MakeRefusal;
  /** The line that rejects a prompt while a turn is open, if the agent takes only one at a time. */
  refuseWhileBusy?: MakeRefusal;
  /** Answers a request by which a client only asks whether the agent is there; null: it is another one. */
  answerPing?: (request: JsonObject) => JsonObject | null;
  /** Answers a request that any agent can answer, whatever the tape says; null: it cannot. */
  answerAlways?: (request: JsonObject, isBusy: boolean) => JsonObject | null;
  /** The lines that end a turn in a way that the tape does not show. */
  endTurn?: (end: DepartedTurn) => JsonObject[];
  resend?: HistoryResend;
  /** Clients handle all lines of one read at once, and ignore what came before an answer: answers need a read of their own. */
  answersApart?: true;
}

/** A request of the client that makes the agent send its history again. */
export interface HistoryResend {
  method: string;
  /** What a line of the agent counts as in the history; null: it is not part of it. */
  partOf(line: JsonObject): 'event' | 'request' | null;
  answer(request: JsonObject, counts: { event: number; request: number }, isCancelled: boolean): JsonObject;
}

/** How a turn ends that departs from the tape. Lines are those of the live session. */
export interface DepartedTurn {
  /** `denied`: the client refused what the tape allows. `otherwise`: another answer than on the tape. */
  how: 'denied' | 'cancelled' | 'otherwise';
  /** The prompt of the turn; null if it was on the command line. */
  prompt: JsonObject | null;
  /** It was answered already, because that only accepts it: something else ends the turn. */
  isAccepted: boolean;
  /** The request of the agent that the client answered in another way, and its answer. */
  ask: JsonObject | null;
  answer: JsonObject | null;
  /** Calls of tools that were begun and have no result, by id. */
  calls: readonly string[];
  /** A line of the agent in this session, to take session ids from; null if it has sent nothing yet. */
  last: JsonObject | null;
}

const DEFAULTS: Traits = {
  isGeneric: false,
  linesAreJson: true,
  jsonRpc: null,
  hasTurns: true,
  turnsSideBySide: false,
  clientCallsTools: false,
  toolMethod: null,
  needsNoClient: false,
  stdinIsPrompt: false,
  oneShot: [],
  promptOptions: PROMPT_OPTIONS,
  folderOptions: ['--cd', '--cwd', '--work-dir', '--workdir'],
  agentResolvesAsks: false,
  feedbackIsOptional: false,
  asksTimeOut: false,
  switches: [],
  modes: {
    options: ['--approval-mode', '--permission-mode'],
    shortcuts: [{ mode: 'yolo', options: ['--yolo', '-y'] }],
  },
  planIsSeparate: false,
  conversations: {
    resumes: ['--continue', '--session', '--resume', '-C', '-r', '-S'],
    ...{ options: [], methods: [], paths: [], stderr: null },
  },
  idsMustBeStrings: false,
  requestsNeedingIds: null,
  readySignal: null,
  cancelWithdrawsRequest: false,
  promptFirstIsDirectMode: false,
  reply: NO_REPLY,
  decline: NO_DECLINE,
  greeting: null,
  errorMeanings: {},
  hints: {},
  replay: {},
};

type TraitDifferences = Partial<Omit<Traits, 'conversations'>> & { conversations?: Partial<ConversationTraits> };

export function traits({ conversations, ...differing }: TraitDifferences): Traits {
  return { ...DEFAULTS, ...differing, conversations: { ...DEFAULTS.conversations, ...conversations } };
}

/** A JSON-RPC error for an unknown method, in the agent's own words. */
export function refuseMethod(words: string): MakeRefusal {
  return refuseWithCode(-32601, words);
}

export function refuseWithCode(code: number, words: string): MakeRefusal {
  return (id, method) => ({ jsonrpc: '2.0', id, error: { code, message: `${words}: ${method}` } });
}

/** Lines of which nothing is known. */
export const genericTraits = traits({ isGeneric: true, hasTurns: false, linesAreJson: false });

/** Any protocol whose envelope alone is known. */
export const jsonrpcTraits: Traits = {
  ...genericTraits,
  linesAreJson: true,
  jsonRpc: { ...JSON_RPC, versionMayBeMissing: true },
  replay: { refuse: refuseMethod('Method not found'), refuseContent: refuseWithCode(-32602, 'Not on the tape') },
};
