/** What queries and columns say: the facts of each frame, with all that later frames changed. */
import { applyChange, FactReader } from '../../../lib/analysis/facts/fact-reader.ts';
import type { Facts } from '../../../lib/analysis/facts/facts.ts';
import { MARK } from '../../../lib/analysis/facts/marks.ts';
import type { ReadFrame } from '../../../lib/model/read-frame.ts';
import { known } from './audit.ts';
import { Book, callKey, turnKey } from './book.ts';
import { type AboutSession, ASKING, type Witness } from './source.ts';

/** What is kept of a frame: its facts, and what of its events the facts leave out. */
interface Seen {
  facts: Facts;
  asks: boolean;
  announces: boolean;
  /** The prompt that it answers. */
  answers: number | null;
}

export class Factual implements Witness {
  readonly #reader: FactReader;
  readonly #seen = new Map<number, Seen>();

  constructor(session: AboutSession) {
    this.#reader = new FactReader(session);
  }

  take(read: ReadFrame): void {
    const { facts, changes } = this.#reader.take(read);
    for (const change of changes) applyChange(this.#seen.get(change.f)!.facts, change);
    const live = read.events.filter(({ flags }) => !flags?.includes('replayed'));
    const answer = live.find((event) => event.kind === 'prompt-answer');
    this.#seen.set(facts.f, {
      facts,
      asks: read.pairing?.role === 'asks' && ASKING.has(live[0]?.kind ?? '') && !live[0]!.flags?.includes('resent'),
      announces: live.filter(({ kind, restates }) => kind === 'tool-call' && !restates).length === 1,
      answers: answer?.kind === 'prompt-answer' ? answer.prompt : null,
    });
  }

  end(): Book[] {
    for (const change of this.#reader.end().changes) applyChange(this.#seen.get(change.f)!.facts, change);
    const book = new Book('facts');
    for (const seen of this.#seen.values()) this.#say(book, seen);
    this.#ends(book);
    return [book];
  }

  #say(book: Book, { facts, asks, announces, answers }: Seen): void {
    const { f, turn, kinds, tool, tool_call_id, flags } = facts;
    if (flags.includes('replayed')) return;
    // What a frame is part of may have begun earlier, and that is where it belongs.
    if (facts.item === f) book.say('frame', f, { turn });
    if (asks) this.#ask(book, facts);
    if (announces && facts.item === f && kinds[0] === 'tool-call')
      book.say('call', callKey(f, tool_call_id), { tool, turn });
    if (kinds[0] === 'tool-result' && facts.item !== null && facts.item !== f && tool_call_id !== null) {
      const known = book.about('call', callKey(facts.item, tool_call_id));
      // ACP may say a result again; the first counts.
      if (known && known.result === undefined) {
        book.say('call', callKey(facts.item, tool_call_id), { result: f, ok: facts.status === 'ok' });
      }
    }
    const isFirst = turn !== null && book.about('turn', turnKey(turn))?.answer === undefined;
    // Some agents tell the end of a turn in a line that answers no request.
    const isAnswer = facts.pair_f === answers || facts.pair_f === null;
    if (answers !== null && isFirst && isAnswer) {
      book.say('turn', turnKey(turn), { status: facts.status, answer: f });
    }
    // Another prompt may have joined the turn.
    const isHead = turn !== null && book.about('turn', turnKey(turn))?.prompt === undefined;
    if (kinds[0] === 'prompt' && isHead && facts.from === 'client') book.say('turn', turnKey(turn), { prompt: f });
  }

  /** The last turn, if it has no answer, ends with its last frame (rule T5). */
  #ends(book: Book): void {
    const last = new Map<number, number>();
    for (const { facts } of this.#seen.values()) if (facts.turn !== null) last.set(facts.turn, facts.f);
    // What refers to an earlier turn may come long after it.
    const [turn, f] = [...last].at(-1) ?? [];
    if (turn === undefined || turn !== Math.max(...last.keys())) return;
    // Some answers are not paired: what ends a run of pi is an event.
    if ([...this.#seen.values()].some(({ facts, answers }) => answers !== null && facts.turn === turn)) return;
    if (book.about('turn', turnKey(turn))?.answer === undefined) book.say('turn', turnKey(turn), { end: f });
  }

  #ask(book: Book, { f, turn, tool, wait, approval, by, kinds, marks }: Facts): void {
    const isApproval = kinds[0] === 'approval';
    book.say('ask', f, {
      ...{ turn, wait, answered: (marks & MARK.pending) === 0 },
      ...(isApproval && { tool, decision: known(approval), by }),
    });
  }
}
