/** The steps of a script: lines that the agent sends, and lines that it waits for. */
import type { Event } from '../model/event.ts';
import type { Frame } from '../model/frame.ts';
import type { Message } from '../model/message.ts';

export type ReplaySide = 'client' | 'agent';

/** Whose numbering the id of a line belongs to. */
export interface LineRole {
  from: ReplaySide;
  /** It answers a request of the other side, so its id is one of theirs. */
  isAnswer: boolean;
}

export function roleOf(from: ReplaySide, { envelope, ownId }: Message): LineRole {
  // An answer may also be a request, with its own id.
  return { from, isAnswer: (envelope === 'response' || envelope === 'error') && ownId === undefined };
}

interface ScriptStep {
  f: number;
  t: number;
  /** The line as JSON; undefined if it is not JSON. */
  value: unknown;
  frame: Frame;
  message: Message;
  events: readonly Event[];
  /** The frame of the prompt of its turn, 0 if that was on the command line; null outside a turn. */
  prompt: number | null;
  /**
   * Lines of one group depend on the same lines of the client: those of a turn, of a request, or of neither. They are sent
   * in order.
   */
  group: string;
}

/** A line of the client, the end of its stream, or a signal that it sent. */
export interface ClientStep extends ScriptStep {
  is: 'hear';
  what: 'request' | 'answer' | 'line' | 'eof' | 'signal';
  /** The live client sent it (`came`), or it is no longer waited for (`given-up`: what needs it is never sent). */
  state: 'awaited' | 'came' | 'given-up';
  isPrompt: boolean;
  /** The client may leave it out. */
  isOwnAccord: boolean;
  /** For an answer: the agent's request. */
  ask: AgentStep | null;
  /** Seconds since the frame before it on the tape. */
  gap: number;
}

/** A line of the agent, a line on stderr, or something that happens to the process. */
export interface AgentStep extends ScriptStep {
  is: 'say';
  /** The subagent that speaks; empty for the main agent. */
  lane: string;
  needs: readonly ClientStep[];
  optionalNeeds: readonly ClientStep[];
  /** Seconds since the frame before it on the tape. */
  gap: number;
  /** The request of the client that it answers, by frame. */
  answers: number | null;
  /** The prompt whose turn it ends, by frame. */
  ends: number | null;
  /** It asks the client something. */
  asks: boolean;
  /** The line of the client that it complains about: without that, it is not sent. */
  about: ClientStep | null;
  /** Its place among the lines that are to be sent. */
  order: number;
}

/** The client ends its agent by closing its stream, or by a signal. */
export function isEnding(what: ClientStep['what']): boolean {
  return what === 'eof' || what === 'signal';
}
