/** The id of the conversation that a frame or a command line names, as the traits of the dialect say. */
import type { Pairing } from '../../model/exchange.ts';
import type { Frame } from '../../model/frame.ts';
import { isObject, type Message, textIn } from '../../model/message.ts';
import type { ConversationTraits } from '../traits.ts';
import { optionOf } from './command-line.ts';

/** An id, not a sentence or a path. */
const CONVERSATION_ID = /^[\w.:-]{6,128}$/;

/** Only what the agent says counts: a client may ask for a conversation that the agent does not have. */
export function conversationOf({ stderr, paths }: ConversationTraits, frame: Frame, value: unknown): string | null {
  if (frame.from === 'stderr')
    return stderr === null ? null : idIn(stderr.exec((textIn(frame) ?? '').slice(0, 200))?.[1]);
  if (frame.from !== 'agent') return null;
  for (const path of paths) {
    let here = value;
    for (const key of path) here = isObject(here) ? here[key] : undefined;
    const id = idIn(here);
    if (id !== null) return id;
  }
  return null;
}

/** The conversation that the command line tells the agent to continue. */
export function resumedBy({ options }: ConversationTraits, command: readonly string[]): string | null {
  return options.length === 0 ? null : idIn(optionOf(command, ...options));
}

/** Whether the command line goes on with an earlier conversation, with or without naming it. */
export function isResumed({ resumes }: ConversationTraits, command: readonly string[]): boolean {
  return command.some((word, at) => at > 0 && resumes.includes(word.startsWith('--') ? word.split('=', 1)[0]! : word));
}

/** Whether a frame agrees to go on with an earlier conversation. */
export function agreesToResume(
  { methods }: ConversationTraits,
  { envelope }: Message,
  pairing: Pairing | null,
): boolean {
  if (methods.length === 0 || envelope !== 'response' || pairing?.role !== 'answers') return false;
  return pairing.exchange !== null && methods.includes(pairing.exchange.method);
}

function idIn(value: unknown): string | null {
  return typeof value === 'string' && CONVERSATION_ID.test(value) ? value : null;
}
