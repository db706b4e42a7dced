/** What the timeline says: the tree, and beside it the sums that are made without keeping a tree. */

import type { Ask, Call } from '../../../lib/model/ledger/records.ts';
import type { ReadFrame } from '../../../lib/model/read-frame.ts';
import { TimelineBuilder } from '../../../lib/model/timeline/builder.ts';
import type { Entry, Item, Timeline, Turn } from '../../../lib/model/timeline/entries.ts';
import { Book, callKey, type Said, turnKey } from './book.ts';
import { ASKING, type Witness } from './source.ts';

function* walk(entries: readonly Entry[]): Generator<Entry> {
  for (const entry of entries) {
    yield entry;
    if (entry.is === 'turn' && entry.prompt) yield entry.prompt;
    yield* walk(entry.entries);
  }
}

const SEVERAL = 'several';
const isLive = ({ flags }: Item) => !flags.includes('replayed');

export function treeBook(timeline: Timeline): Book {
  const book = new Book('timeline', ['turn', 'call', 'ask']);
  const entries = [...walk(timeline.entries)];
  const items = entries.filter((entry): entry is Item => entry.is === 'item' && isLive(entry));
  const turns = entries.filter((entry): entry is Turn => entry.is === 'turn');
  const numbered = new Map(turns.map((turn) => [turn.n, turn]));
  for (const turn of turns) sayTurn(book, turn);
  const placed = new Map<number, number | null | typeof SEVERAL>();
  for (const item of items) {
    const turn = item.turn === null ? undefined : numbered.get(item.turn);
    if (item.call) sayCall(book, item, item.call, isAnswered(turn) || (turn !== undefined && turn !== turns.at(-1)));
    if (item.ask && ASKING.has(item.kind)) sayAsk(book, item, item.ask, turn);
    // A prompt that joined a turn is answered with it.
    if (item.kind === 'prompt') book.say('prompt', item.f, { open: (turn?.prompt ?? item).answer === null });
    const before = placed.get(item.f);
    placed.set(item.f, before === undefined || before === item.turn ? item.turn : SEVERAL);
  }
  // A frame that is part of items in several turns has no one turn.
  for (const [f, turn] of placed) if (turn !== SEVERAL) book.say('frame', f, { turn });
  const { counts, wait } = timeline;
  book.say('session', 'session', { ...counts, wait });
  return book;
}

function sayTurn(book: Book, turn: Turn): void {
  const { n, prompt, status, cancelled_f, wait } = turn;
  const answer = prompt ? { answer: prompt.answer?.f ?? null } : {};
  book.say('turn', turnKey(n), { prompt: prompt?.f, status, cancel: cancelled_f, wait, end: turn.f_end, ...answer });
}

function sayCall(book: Book, item: Item, call: Call, isOver: boolean): void {
  const { id, tool, result, state, run, wait } = call;
  // Nobody has said that it is over, and nothing it belongs to has ended.
  const open = result === null && (state === 'running' || state === 'cut') && !isOver;
  book.say('call', callKey(item.f, id), {
    ...{ tool, turn: item.turn, subagent: item.subagent, result: result?.f ?? null, ok: result?.ok ?? null },
    ...{ open, state, run, wait, asks: call.asks.length },
  });
}

const isAnswered = (turn: Turn | undefined) =>
  turn !== undefined && turn.status !== null && turn.status !== 'unanswered';

function sayAsk(book: Book, item: Item, ask: Ask, turn: Turn | undefined): void {
  const { kind, f } = item;
  const { call } = ask;
  const result = call?.result ?? null;
  const settled = ask.settled?.f ?? NEVER;
  // Of a hook it does not keep when the agent went on without an answer.
  const isLate =
    (item.answer !== null && settled < item.answer.f) || (kind === 'hook' && item.flags.includes('late-answer'));
  const answer = isLate ? null : (item.answer?.f ?? null);
  const cancelled = turn?.cancelled_f ?? null;
  const isInTime = answer === null && cancelled !== null && cancelled > f && cancelled < settled;
  // Only of an approval it says that the cancel decided it.
  const isCancelled = kind === 'approval' ? ask.decision === 'cancelled' && answer === null : isInTime;
  book.say('ask', f, {
    ...{ kind, call: call?.id ?? ask.call_id, tool: call?.tool ?? ask.tool, turn: item.turn },
    ...{ wait: ask.wait, answer, result: result?.f ?? null, ok: result?.ok ?? null },
    // Of a turn it keeps the first cancel only, which may have come before this was asked.
    ...((isInTime || !isCancelled) && { cancel: isCancelled ? cancelled : null }),
    ...{ answered: item.answer !== null, unanswered: item.answer === null },
    ...(kind !== 'hook' && { open: item.answer === null && settled === NEVER && !isCancelled }),
    ...(kind === 'approval' && sayDecision(item, ask, call)),
  });
}

const NEVER = Number.POSITIVE_INFINITY;

function sayDecision({ f }: Item, { decision, resolved }: Ask, call: Call | null): Said {
  const said = { decision: decision ?? 'none', resolved: resolved?.f ?? null, verdict: resolved?.decision ?? null };
  // Several questions about one call share its run.
  const isOnly = call?.asks.length === 1 && (call.result?.f ?? 0) > f;
  return isOnly ? { ...said, run: call.run, ran: call.run !== null } : said;
}

/** Sums, and where each frame belongs, made without keeping a tree: what `ls`, the index and `tail` read. */
export class Sums implements Witness {
  readonly #builder = new TimelineBuilder({ keep: false });
  readonly #book = new Book('sums');
  readonly #kept = new Book('placed');

  take(read: ReadFrame): void {
    const { turn, step, item } = this.#builder.take(read);
    const { f } = read.frame;
    const before = read.where;
    if (turn === before.turn && step === before.step && item === before.item) return;
    this.#book.say('frame', f, { whereTurn: turn, whereStep: step, whereItem: item });
    this.#kept.say('frame', f, { whereTurn: before.turn, whereStep: before.step, whereItem: before.item });
  }

  end(): Book[] {
    const { counts, wait } = this.#builder.timeline;
    this.#book.say('session', 'session', { ...counts, wait });
    return [this.#book, this.#kept];
  }
}
