/**
 * Which ids of the live agent correspond to which on the tape. If two lines are known to correspond, so do their ids.
 * Elsewhere the nth new id in a place of the tape is the nth new id in the same place of the live session, such as the
 * session id that every line of an agent has.
 */
import { isId } from '../../model/id.ts';
import { eachId, type IdScope, type IdTree } from '../id-tree.ts';
import { Ids } from '../ids.ts';
import type { LineRole } from '../script-step.ts';

const AGENT_LINE: LineRole = { from: 'agent', isAnswer: false };
/** At most this many ids of a place are matched by their order. A client hardly ever names more. */
const MAX_SUPPOSED_IDS = 1000;

interface IdQueue {
  seen: Set<unknown>;
  waiting: unknown[];
}

export class LiveIds {
  readonly #ids: Ids;
  readonly #tree: IdTree;
  readonly #recorded = new Map<IdTree, IdQueue>();
  readonly #live = new Map<IdTree, IdQueue>();

  constructor(tree: IdTree) {
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
    this.#matchByOrder(value, this.#recorded, this.#live, (theirs, ours) => [ours, theirs]);
  }

  /** Any line of the live agent, in order. */
  live(value: unknown): void {
    this.#matchByOrder(value, this.#live, this.#recorded, (theirs, ours) => [theirs, ours]);
  }

  #idsIn(value: unknown): Map<IdTree, unknown[]> {
    const found = new Map<IdTree, unknown[]>();
    eachId(value, this.#tree, (id, _, place) => {
      const known = found.get(place);
      if (known) known.push(id);
      else found.set(place, [id]);
    });
    return found;
  }

  #matchByOrder(
    value: unknown,
    mine: Map<IdTree, IdQueue>,
    others: Map<IdTree, IdQueue>,
    inOrder: (theirs: unknown, ours: unknown) => [recorded: unknown, live: unknown],
  ): void {
    eachId(value, this.#tree, (id: unknown, place: IdScope, at: IdTree) => {
      if (place !== 'shared' || !isId(id) || id === '') return;
      const queue = queueOf(mine, at);
      if (queue.seen.size >= MAX_SUPPOSED_IDS || queue.seen.has(id)) return;
      queue.seen.add(id);
      const other = queueOf(others, at).waiting.shift();
      if (other !== undefined) this.#learnIfUnknown(...inOrder(other, id));
      else queue.waiting.push(id);
    });
  }

  /** Only what nothing better is known about. */
  #learnIfUnknown(recorded: unknown, live: unknown): void {
    if (this.#ids.liveOf(recorded, 'shared', AGENT_LINE) === undefined)
      this.#ids.learn(recorded, live, 'shared', AGENT_LINE);
  }
}

function queueOf(queues: Map<IdTree, IdQueue>, at: IdTree): IdQueue {
  const known = queues.get(at);
  if (known) return known;
  const queue: IdQueue = { seen: new Set(), waiting: [] };
  queues.set(at, queue);
  return queue;
}
