/**
 * Which ids of the live agent correspond to which on the tape. If two lines are known to correspond, so do their ids.
 * Elsewhere the nth new id in a place of the tape is the nth new id in the same place of the live session, such as the
 * session id that every line of an agent has.
 */
import { isId } from '../../model/id.ts';
import { Ids } from '../ids.ts';
import { eachId, type Place, type Tree } from '../places.ts';
import type { LineRole } from '../steps.ts';

const LINE_OF_AGENT: LineRole = { from: 'agent', isAnswer: false };
/** At most this many ids of a place are matched by their order. A client hardly ever names more. */
const SUPPOSED = 1000;

interface Queue {
  seen: Set<unknown>;
  waiting: unknown[];
}

export class LiveIds {
  readonly #ids: Ids;
  readonly #tree: Tree;
  readonly #recorded = new Map<Tree, Queue>();
  readonly #live = new Map<Tree, Queue>();

  constructor(tree: Tree) {
    this.#tree = tree;
    // The client's own ids stay: they are its own to choose.
    this.#ids = new Ids(tree, { keep: true, random: Math.random });
  }

  /** A recorded line of the client as the live agent must get it. */
  toLive(text: string, value: unknown, role: LineRole): string {
    return this.#ids.toLive(text, value, role);
  }

  /** Two lines of the agent that correspond. */
  pair(recorded: unknown, live: unknown, isAnswer: boolean): void {
    const role: LineRole = { from: 'agent', isAnswer };
    const theirs = this.#idsIn(live);
    for (const [place, ids] of this.#idsIn(recorded)) {
      const others = theirs.get(place) ?? [];
      ids.forEach((id, i) => {
        if (i < others.length) this.#ids.learn(id, others[i], place.place!, role);
      });
    }
  }

  /** Any line of the recorded agent, in order. */
  recorded(value: unknown): void {
    this.#say(value, this.#recorded, this.#live, (theirs, ours) => [ours, theirs]);
  }

  /** Any line of the live agent, in order. */
  live(value: unknown): void {
    this.#say(value, this.#live, this.#recorded, (theirs, ours) => [theirs, ours]);
  }

  #idsIn(value: unknown): Map<Tree, unknown[]> {
    const found = new Map<Tree, unknown[]>();
    eachId(value, this.#tree, (id, _, place) => {
      const known = found.get(place);
      if (known) known.push(id);
      else found.set(place, [id]);
    });
    return found;
  }

  #say(
    value: unknown,
    mine: Map<Tree, Queue>,
    others: Map<Tree, Queue>,
    inOrder: (theirs: unknown, ours: unknown) => [recorded: unknown, live: unknown],
  ): void {
    eachId(value, this.#tree, (id: unknown, place: Place, at: Tree) => {
      if (place !== 'shared' || !isId(id) || id === '') return;
      const queue = queueOf(mine, at);
      if (queue.seen.size >= SUPPOSED || queue.seen.has(id)) return;
      queue.seen.add(id);
      const other = queueOf(others, at).waiting.shift();
      if (other !== undefined) this.#suppose(...inOrder(other, id));
      else queue.waiting.push(id);
    });
  }

  /** Only what nothing better is known about. */
  #suppose(recorded: unknown, live: unknown): void {
    if (this.#ids.liveOf(recorded, 'shared', LINE_OF_AGENT) === undefined)
      this.#ids.learn(recorded, live, 'shared', LINE_OF_AGENT);
  }
}

function queueOf(queues: Map<Tree, Queue>, at: Tree): Queue {
  const known = queues.get(at);
  if (known) return known;
  const queue: Queue = { seen: new Set(), waiting: [] };
  queues.set(at, queue);
  return queue;
}
