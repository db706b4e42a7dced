/** What `is:` and `has:` ask for, as far as a frame itself tells it. */
import type { Block, Event } from '../core/event.ts';
import type { Role } from '../core/exchange.ts';
import { hasSecret } from '../core/secret.ts';
import { TOO_LARGE } from '../core/too-large.ts';
import type { ReadFrame } from '../dialects/read.ts';
import { MARK, SLOW_SECONDS } from '../filter/facts.ts';

interface Known {
  latency: number | null;
  flags: readonly string[];
  /** Its line, where it is text. */
  text: string | null;
}

export function marksOf({ frame, message, pairing, events }: ReadFrame, { latency, flags, text }: Known): number {
  let marks = pairing ? ROLES[pairing.role] : 0;
  for (const flag of flags) marks |= FLAGS[flag] ?? 0;
  if (marks & MARK.replayed) marks &= ~MARK.pending;
  for (const event of events) marks |= ofEvent(event);
  if (message.envelope === 'error') marks |= MARK.error;
  if ((frame.form === 'bytes' && !frame.cut) || MALFORMED.has(message.code!)) marks |= MARK.invalid;
  if (latency !== null && latency >= SLOW_SECONDS) marks |= MARK.slow;
  if (text !== null && hasSecret(text)) marks |= MARK.secret;
  return marks;
}

const ROLES: Record<Role, number> = {
  asks: MARK.pending,
  'asks-again': MARK.dup,
  answers: 0,
  duplicate: MARK.dup,
  orphan: MARK.orphan,
};

const FLAGS: Record<string, number> = {
  orphan: MARK.orphan,
  'late-answer': MARK.late,
  'late-resolved': MARK.late,
  resent: MARK.dup,
  'duplicate-answer': MARK.dup,
  replayed: MARK.replayed,
  'bad-word': MARK.invalid,
  'bad-shape': MARK.invalid,
  'no-request-id': MARK.invalid,
  both: MARK.invalid,
  synthetic: MARK.synthetic,
  [TOO_LARGE]: MARK['too-large'],
};

/** Parse error, invalid request, invalid params. */
const MALFORMED = new Set([-32700, -32600, -32602]);

function ofEvent(event: Event): number {
  let marks = event.delta ? MARK.delta : 0;
  if (hasFailed(event)) marks |= MARK.error;
  if (event.kind === 'noise') marks |= MARK.noise;
  for (const block of blocksIn(event))
    marks |= block.type === 'diff' ? MARK.diff : block.type === 'image' ? MARK.image : 0;
  return marks;
}

function hasFailed(event: Event): boolean {
  if (event.kind === 'error') return true;
  if (event.kind === 'tool-result' || event.kind === 'client-call-answer') return !event.ok;
  return event.kind === 'prompt-answer' && event.code !== null;
}

const NO_BLOCKS: Block[] = [];

function blocksIn(event: Event): Block[] {
  const {
    block,
    blocks = NO_BLOCKS,
    displays = NO_BLOCKS,
  } = event as { block?: Block; blocks?: Block[]; displays?: Block[] };
  if (block) return [block];
  return displays.length > 0 ? [...blocks, ...displays] : blocks;
}
