/**
 * Lines of the agent that are not sent yet, in the order of the tape. A line is overtaken by a later one only if it waits
 * for the client. Lines of one group keep their order; lines of subagents wait for the main agent's earlier lines and the
 * other way round, but not for each other.
 */
import type { Hear, Say } from './steps.ts';

interface Group {
  name: string;
  /** Lines by subagent; the main agent is the empty name. */
  lanes: Map<string, Queue>;
}

export class Backlog {
  size = 0;
  readonly #groups = new Map<string, Group>();
  /** Groups that may have a line to send. */
  readonly #active = new Set<Group>();
  /** The other groups, by what they wait for: something that they need, or that they wait for only for a limited time. */
  readonly #parked = new Map<Hear, { groups: Set<Group>; isOptional: boolean }>();
  /** A group of which nothing is left; it may still be among the active ones. */
  #empty: Group | null = null;
  /** Lines that need what never came. */
  readonly #onDropped: (say: Say) => void;
  #count = 0;

  constructor(onDropped: (say: Say) => void) {
    this.#onDropped = onDropped;
  }

  add(say: Say): void {
    let group = this.#groups.get(say.group);
    if (!group) {
      group = { name: say.group, lanes: new Map() };
      this.#groups.set(say.group, group);
    }
    if (group === this.#empty) this.#empty = null;
    let lane = group.lanes.get(say.lane);
    if (!lane) {
      // What is left of an empty group is the lane that was used last.
      for (const [name, { head }] of group.lanes) if (head === undefined) group.lanes.delete(name);
      lane = new Queue();
      group.lanes.set(say.lane, lane);
    }
    // A group that waits with an earlier line goes on waiting.
    const isFirst = lane.head === undefined;
    lane.push(say);
    say.order = this.#count++;
    this.size++;
    if (isFirst) this.#active.add(group);
  }

  /** The first line that waits for nothing; null if there is none. `isHeld`: its group may not go on now. */
  ready(isHeld: (say: Say) => boolean): Say | null {
    let best: Say | null = null;
    for (const group of this.#active) {
      if (group === this.#empty) continue;
      const head = this.#readyIn(group);
      if (head && isHeld(head)) continue;
      if (head && (best === null || head.order < best.order)) best = head;
    }
    return best;
  }

  /** The group of the turn of this prompt, if lines of it are left. */
  groupOfPrompt(prompt: number): string | null {
    for (const { name, lanes } of this.#groups.values()) {
      for (const { head } of lanes.values()) if (head?.prompt === prompt) return name;
    }
    return null;
  }

  has(group: string): boolean {
    const known = this.#groups.get(group);
    return known !== undefined && known !== this.#empty;
  }

  /** The lines that are to be sent after this one, by the same speaker in the same group. */
  after(say: Say): Iterable<Say> {
    return this.#groups.get(say.group)?.lanes.get(say.lane)?.after(say) ?? [];
  }

  /** What the first lines wait for only for a limited time. `ready` has found nothing to send. */
  *hopes(): Generator<Hear> {
    for (const [hear, { isOptional }] of this.#parked) if (isOptional) yield hear;
  }

  /** The earliest line of the client that a line waits for. */
  get awaited(): Hear | null {
    let first: Hear | null = null;
    for (const hear of this.#parked.keys()) if (first === null || hear.f < first.f) first = hear;
    return first;
  }

  remove(say: Say): void {
    const group = this.#groups.get(say.group)!;
    const lane = group.lanes.get(say.lane)!;
    lane.shift();
    this.size--;
    if (lane.head !== undefined) return;
    // The next line is likely to be of the same group, so that is kept until another one is empty.
    if (group.lanes.size > 1) return void group.lanes.delete(say.lane);
    if (this.#empty && this.#empty !== group) this.#forget(this.#empty);
    this.#empty = group;
  }

  #forget(group: Group): void {
    if (this.#groups.get(group.name) === group) this.#groups.delete(group.name);
    this.#active.delete(group);
  }

  /** The step came, or is no longer waited for. */
  wake(hear: Hear): void {
    const parked = this.#parked.get(hear);
    if (!parked) return;
    this.#parked.delete(hear);
    for (const group of parked.groups) if (this.#groups.get(group.name) === group) this.#active.add(group);
  }

  /** Removes lines that will never be sent, and returns them. */
  drop(isDropped: (say: Say) => boolean): Say[] {
    const dropped: Say[] = [];
    if (this.#empty) this.#forget(this.#empty);
    this.#empty = null;
    // Whatever is left is looked at again.
    this.#parked.clear();
    for (const group of [...this.#groups.values()]) {
      for (const [name, lane] of [...group.lanes]) {
        const gone = lane.remove(isDropped);
        this.size -= gone.length;
        dropped.push(...gone);
        if (lane.head === undefined) group.lanes.delete(name);
      }
      if (group.lanes.size > 0) this.#active.add(group);
      else this.#forget(group);
    }
    return dropped;
  }

  /** The line of this group that can be sent; a group without one is parked. */
  #readyIn(group: Group): Say | null {
    for (;;) {
      // The common case first: there may be a million lines.
      const only = group.lanes.size === 1 ? group.lanes.get('')?.head : undefined;
      if (only && only.needs.length === 0 && only.hopes.length === 0 && only.about === null) return only;
      const heads = this.#heads(group);
      const lost = heads.find(isLost);
      if (lost) {
        this.remove(lost);
        this.#onDropped(lost);
        if (group === this.#empty) return null;
        continue;
      }
      const free = heads.filter((say) => blockOf(say) === null).sort((a, b) => a.order - b.order);
      if (free[0]) return free[0];
      this.#park(group, heads);
      return null;
    }
  }

  #park(group: Group, heads: readonly Say[]): void {
    this.#active.delete(group);
    for (const say of heads) {
      const { blocker, isOptional } = blockOf(say)!;
      const parked = this.#parked.get(blocker);
      if (!parked) this.#parked.set(blocker, { groups: new Set([group]), isOptional });
      else {
        parked.groups.add(group);
        parked.isOptional ||= isOptional;
      }
    }
  }

  #heads({ lanes }: Group): Say[] {
    const heads = [...lanes.values()].map(({ head }) => head!);
    const main = lanes.get('')?.head;
    if (!main || heads.length === 1) return heads;
    const before = heads.filter((say) => say.order < main.order);
    return before.length > 0 ? before : [main];
  }
}

/** What it needs, or complains about, will never come. */
function isLost({ needs, about }: Say): boolean {
  return about?.state === 'given-up' || needs.some(({ state }) => state === 'given-up');
}

function blockOf(say: Say): { blocker: Hear; isOptional: boolean } | null {
  const need = say.needs.find(({ state }) => state === 'awaited');
  if (need) return { blocker: need, isOptional: false };
  const hope = say.hopes.find(({ state }) => state === 'awaited');
  return hope ? { blocker: hope, isOptional: true } : null;
}

/** An array that is cheap to take from the front. */
class Queue {
  #items: (Say | undefined)[] = [];
  #from = 0;

  get head(): Say | undefined {
    return this.#items[this.#from];
  }

  push(say: Say): void {
    this.#items.push(say);
  }

  *after(say: Say): Generator<Say> {
    for (let at = this.#items.indexOf(say, this.#from) + 1; at > 0 && at < this.#items.length; at++)
      yield this.#items[at]!;
  }

  shift(): void {
    this.#items[this.#from++] = undefined;
    if (this.#from < 1000 || this.#from * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#from);
    this.#from = 0;
  }

  remove(isRemoved: (say: Say) => boolean): Say[] {
    const left = this.#items.slice(this.#from) as Say[];
    const gone = left.filter(isRemoved);
    const removed = new Set(gone);
    this.#items = left.filter((say) => !removed.has(say));
    this.#from = 0;
    return gone;
  }
}
