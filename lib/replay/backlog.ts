/**
 * Lines of the agent that are not sent yet, in the order of the tape. A line is overtaken by a later one only if it waits
 * for the client. Lines of one group keep their order; lines of subagents wait for the main agent's earlier lines and the
 * other way round, but not for each other.
 */
import type { AgentStep, ClientStep } from './script-step.ts';

interface LineGroup {
  name: string;
  /** Lines by subagent; the main agent is the empty name. */
  lanes: Map<string, AgentStepQueue>;
}

export class Backlog {
  size = 0;
  readonly #groups = new Map<string, LineGroup>();
  /** Groups that may have a line to send. */
  readonly #active = new Set<LineGroup>();
  /** The other groups, by what they wait for: something that they need, or that they wait for only for a limited time. */
  readonly #parked = new Map<ClientStep, { groups: Set<LineGroup>; isOptional: boolean }>();
  /** A group of which nothing is left; it may still be among the active ones. */
  #empty: LineGroup | null = null;
  /** Lines that need what never came. */
  readonly #onDropped: (agentStep: AgentStep) => void;
  #count = 0;

  constructor(onDropped: (agentStep: AgentStep) => void) {
    this.#onDropped = onDropped;
  }

  add(agentStep: AgentStep): void {
    let group = this.#groups.get(agentStep.group);
    if (!group) {
      group = { name: agentStep.group, lanes: new Map() };
      this.#groups.set(agentStep.group, group);
    }
    if (group === this.#empty) this.#empty = null;
    let lane = group.lanes.get(agentStep.lane);
    if (!lane) {
      // What is left of an empty group is the lane that was used last.
      for (const [name, { head }] of group.lanes) if (head === undefined) group.lanes.delete(name);
      lane = new AgentStepQueue();
      group.lanes.set(agentStep.lane, lane);
    }
    // A group that waits with an earlier line goes on waiting.
    const isFirst = lane.head === undefined;
    lane.push(agentStep);
    agentStep.order = this.#count++;
    this.size++;
    if (isFirst) this.#active.add(group);
  }

  /** The first line that waits for nothing; null if there is none. `isHeld`: its group may not go on now. */
  ready(isHeld: (agentStep: AgentStep) => boolean): AgentStep | null {
    let best: AgentStep | null = null;
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
  after(agentStep: AgentStep): Iterable<AgentStep> {
    return this.#groups.get(agentStep.group)?.lanes.get(agentStep.lane)?.after(agentStep) ?? [];
  }

  /** What the first lines wait for only for a limited time. `ready` has found nothing to send. */
  *optionalNeeds(): Generator<ClientStep> {
    for (const [clientStep, { isOptional }] of this.#parked) if (isOptional) yield clientStep;
  }

  /** The earliest line of the client that a line waits for. */
  get awaited(): ClientStep | null {
    let first: ClientStep | null = null;
    for (const clientStep of this.#parked.keys()) if (first === null || clientStep.f < first.f) first = clientStep;
    return first;
  }

  remove(agentStep: AgentStep): void {
    const group = this.#groups.get(agentStep.group)!;
    const lane = group.lanes.get(agentStep.lane)!;
    lane.shift();
    this.size--;
    if (lane.head !== undefined) return;
    // The next line is likely to be of the same group, so that is kept until another one is empty.
    if (group.lanes.size > 1) return void group.lanes.delete(agentStep.lane);
    if (this.#empty && this.#empty !== group) this.#forget(this.#empty);
    this.#empty = group;
  }

  #forget(group: LineGroup): void {
    if (this.#groups.get(group.name) === group) this.#groups.delete(group.name);
    this.#active.delete(group);
  }

  /** The step came, or is no longer waited for. */
  wake(clientStep: ClientStep): void {
    const parked = this.#parked.get(clientStep);
    if (!parked) return;
    this.#parked.delete(clientStep);
    for (const group of parked.groups) if (this.#groups.get(group.name) === group) this.#active.add(group);
  }

  /** Removes lines that will never be sent, and returns them. */
  drop(isDropped: (agentStep: AgentStep) => boolean): AgentStep[] {
    const dropped: AgentStep[] = [];
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
  #readyIn(group: LineGroup): AgentStep | null {
    for (;;) {
      // The common case first: there may be a million lines.
      const only = group.lanes.size === 1 ? group.lanes.get('')?.head : undefined;
      if (only && only.needs.length === 0 && only.optionalNeeds.length === 0 && only.about === null) return only;
      const heads = this.#heads(group);
      const lost = heads.find(isLost);
      if (lost) {
        this.remove(lost);
        this.#onDropped(lost);
        if (group === this.#empty) return null;
        continue;
      }
      const free = heads.filter((agentStep) => blockerOf(agentStep) === null).sort((a, b) => a.order - b.order);
      if (free[0]) return free[0];
      this.#park(group, heads);
      return null;
    }
  }

  #park(group: LineGroup, heads: readonly AgentStep[]): void {
    this.#active.delete(group);
    for (const agentStep of heads) {
      const { blocker, isOptional } = blockerOf(agentStep)!;
      const parked = this.#parked.get(blocker);
      if (!parked) this.#parked.set(blocker, { groups: new Set([group]), isOptional });
      else {
        parked.groups.add(group);
        parked.isOptional ||= isOptional;
      }
    }
  }

  #heads({ lanes }: LineGroup): AgentStep[] {
    const heads = [...lanes.values()].map(({ head }) => head!);
    const main = lanes.get('')?.head;
    if (!main || heads.length === 1) return heads;
    const before = heads.filter((agentStep) => agentStep.order < main.order);
    return before.length > 0 ? before : [main];
  }
}

/** What it needs, or complains about, will never come. */
function isLost({ needs, about }: AgentStep): boolean {
  return about?.state === 'given-up' || needs.some(({ state }) => state === 'given-up');
}

function blockerOf(agentStep: AgentStep): { blocker: ClientStep; isOptional: boolean } | null {
  const need = agentStep.needs.find(({ state }) => state === 'awaited');
  if (need) return { blocker: need, isOptional: false };
  const optional = agentStep.optionalNeeds.find(({ state }) => state === 'awaited');
  return optional ? { blocker: optional, isOptional: true } : null;
}

/** An array that is cheap to take from the front. */
class AgentStepQueue {
  #items: (AgentStep | undefined)[] = [];
  #from = 0;

  get head(): AgentStep | undefined {
    return this.#items[this.#from];
  }

  push(agentStep: AgentStep): void {
    this.#items.push(agentStep);
  }

  *after(agentStep: AgentStep): Generator<AgentStep> {
    for (let at = this.#items.indexOf(agentStep, this.#from) + 1; at > 0 && at < this.#items.length; at++)
      yield this.#items[at]!;
  }

  shift(): void {
    this.#items[this.#from++] = undefined;
    if (this.#from < 1000 || this.#from * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#from);
    this.#from = 0;
  }

  remove(isRemoved: (agentStep: AgentStep) => boolean): AgentStep[] {
    const left = this.#items.slice(this.#from) as AgentStep[];
    const gone = left.filter(isRemoved);
    const removed = new Set(gone);
    this.#items = left.filter((agentStep) => !removed.has(agentStep));
    this.#from = 0;
    return gone;
  }
}
