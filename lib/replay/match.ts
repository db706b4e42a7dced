/** Finds the recorded line that a live line of the client matches, and remembers the live lines that matter later. */

import type { JsonObject } from '../dialects/dialect.ts';
import { exactJson } from '../model/id.ts';
import { LimitedMap } from '../model/limited-map.ts';
import { isObject } from '../model/message.ts';
import type { DecodedFrame } from '../model/read-frame.ts';
import type { AwaitedSteps } from './awaited-steps.ts';
import { type CompareOptions, compareLines, type Difference, type LineComparison } from './compare-lines.ts';
import { type IdTree, withRequestId } from './id-tree.ts';
import type { Ids } from './ids.ts';
import type { LiveTurns } from './live-turns.ts';
import { messageName } from './report.ts';
import { isStray } from './script.ts';
import { type AgentStep, type ClientStep, roleOf } from './script-step.ts';

/**
 * `params`: the content must be the same; otherwise the next line of that method is taken, with a warning. `strict`: the
 * content must be the same, with what is volatile. `method`: the next line of the same sort. `ordered`: the next line.
 */
export type MatchMode = 'strict' | 'ordered' | 'method' | 'params';

export interface LineMatch {
  step: ClientStep;
  what: string;
  isExact: boolean;
  differences: Difference[];
  pairs: LineComparison['pairs'];
}

export interface AnswerMatch extends LineMatch {
  /** `departs`: the client decided differently. `differs`: it gave another answer to the same request. */
  is: 'same' | 'differs' | 'departs';
}

interface MatcherOptions {
  tree: IdTree;
  mode: MatchMode;
  cwd: CompareOptions['cwd'];
  turns: LiveTurns;
}

/** Of lines that are like the live one, so many are compared. */
const MAX_COMPARED_LINES = 200;
const MAX_REMEMBERED_LINES = 1000;

export class Matcher {
  readonly #options: MatcherOptions;
  /** Live requests by the frame of the recorded one, until they are answered. */
  readonly #requests = new LimitedMap<number, { line: JsonObject; group: string }>(MAX_REMEMBERED_LINES);
  /** Live lines of the agent's requests. */
  readonly #asks = new LimitedMap<AgentStep, JsonObject>(MAX_REMEMBERED_LINES);
  /** The latest answer to each sort of request, as it was sent. */
  readonly #answers = new LimitedMap<string, { line: string }>(MAX_REMEMBERED_LINES);
  readonly #sorts = new LimitedMap<number, string>(MAX_REMEMBERED_LINES);

  constructor(options: MatcherOptions) {
    this.#options = options;
  }

  /** A line that is only similar is matched with the recorded one. */
  get takesNear(): boolean {
    return this.#options.mode !== 'strict' && this.#options.mode !== 'ordered';
  }

  /** `readOn` reads more of the tape; false if there is no more for now. */
  find(line: DecodedFrame, ids: Ids, awaited: AwaitedSteps, readOn: () => boolean): LineMatch | null {
    const seen = new Set<ClientStep>();
    let near: LineMatch | null = null;
    do {
      for (const clientStep of awaited.candidatesFor(line.message, line.value)) {
        if (seen.has(clientStep) || seen.size > MAX_COMPARED_LINES || !this.#isPossible(clientStep, line)) continue;
        seen.add(clientStep);
        const match = this.#match(clientStep, line, ids);
        if (this.#isEnough(match, awaited)) return { ...match, isExact: true };
        near ??= match;
      }
    } while (readOn());
    return near;
  }

  #isEnough({ isExact, step }: LineMatch, awaited: AwaitedSteps): boolean {
    const { mode } = this.#options;
    if (mode === 'method') return true;
    return mode === 'ordered' ? step.isOwnAccord || step === awaited.first : isExact;
  }

  /**
   * What the client sends on its own in a turn belongs to that turn only. An answer to a request does not match one that
   * answers nothing.
   */
  #isPossible(clientStep: ClientStep, line: DecodedFrame): boolean {
    if (line.pairing?.role === 'answers' && isStray(clientStep)) return false;
    const { isOwnAccord, prompt } = clientStep;
    return !isOwnAccord || prompt === null || this.#options.turns.get(prompt) !== null;
  }

  #match(clientStep: ClientStep, line: DecodedFrame, ids: Ids): LineMatch {
    const what = messageName(line);
    if (clientStep.value === undefined || line.value === undefined) {
      const [recorded, live] = [clientStep.frame.text, line.frame.text];
      const differences = recorded === live ? [] : [{ path: '', recorded, live }];
      return { step: clientStep, what, isExact: differences.length === 0, differences, pairs: [] };
    }
    const { differences, pairs } = this.#compare(clientStep, line, ids);
    return { step: clientStep, what, isExact: differences.length === 0, differences, pairs };
  }

  #compare(clientStep: ClientStep, line: DecodedFrame, ids: Ids): LineComparison {
    const { tree, mode, cwd } = this.#options;
    return compareLines(clientStep.value, line.value, {
      tree,
      ids,
      role: roleOf('client', clientStep.message),
      strict: mode === 'strict',
      cwd,
    });
  }

  /** The recorded answer to a request of the agent; null if there is none on the tape. */
  answer(
    line: DecodedFrame,
    ask: AgentStep,
    ids: Ids,
    awaited: AwaitedSteps,
    readOn: () => boolean,
  ): AnswerMatch | null {
    let clientStep = awaited.answerTo(ask);
    while (!clientStep && readOn()) clientStep = awaited.answerTo(ask);
    if (!clientStep) return null;
    const match = this.#match(clientStep, line, ids);
    const { mode } = this.#options;
    const isSame = mode === 'method' || mode === 'ordered' || match.isExact;
    if (match.isExact) return { ...match, is: 'same' };
    if (decisionDiffers(clientStep, line)) return { ...match, is: 'departs' };
    return { ...match, is: isSame || isDecision(line) ? 'same' : 'differs' };
  }

  accepted(clientStep: ClientStep, value: unknown): void {
    if (clientStep.what !== 'request' || !isObject(value)) return;
    this.#requests.set(clientStep.f, { line: value, group: `request ${clientStep.f}` });
    this.#sorts.set(clientStep.f, sortOf(clientStep));
  }

  /** The live request that a line of the agent answers. */
  requestFor(f: number): JsonObject | null {
    return this.#requests.get(f)?.line ?? null;
  }

  sent(agentStep: AgentStep, line: string): void {
    if (agentStep.asks && isObject(agentStep.value)) this.#asks.set(agentStep, JSON.parse(line) as JsonObject);
    if (agentStep.answers === null) return;
    const sort = this.#sorts.get(agentStep.answers);
    if (sort !== undefined) this.#answers.set(sort, { line });
    this.#sorts.delete(agentStep.answers);
    this.#requests.delete(agentStep.answers);
  }

  /** The agent's request as the live client got it. */
  lineOf(ask: AgentStep): JsonObject | null {
    return this.#asks.get(ask) ?? null;
  }

  /** The live request of a group of lines that follow from a request. */
  requestOf(group: string): JsonObject | null {
    return this.#requests.get(Number(group.replace(/^request /, '')))?.line ?? null;
  }

  /** The lines that follow from a live request with this id. */
  groupOfRequest(id: string): string | null {
    for (const { line, group } of this.#requests.values()) {
      if (exactJson(line.id) === id || line.id === id || String(line.id) === id) return group;
    }
    return null;
  }

  /** A request of the same sort was on the tape. */
  hasSeen(line: DecodedFrame): boolean {
    return this.#answers.has(sortOf(line));
  }

  /** The latest answer to a request of the same sort, with the id of this one; null if there is none. */
  nearestAnswer(line: DecodedFrame): string | null {
    const known = this.#answers.get(sortOf(line));
    if (!known || line.message.id === null) return null;
    return withRequestId(known.line, line.message.id, this.#options.tree);
  }
}

function sortOf({ message }: Pick<DecodedFrame, 'message'>): string {
  return `${message.method ?? ''} ${message.type ?? ''}`;
}

function decisionOf({ events }: Pick<DecodedFrame, 'events'> | ClientStep): string | null {
  const [event] = events;
  if (event?.kind === 'approval-answer') return `${event.decision}`;
  return event?.kind === 'hook-answer' ? `${event.decision}` : null;
}

function isDecision(line: DecodedFrame): boolean {
  return decisionOf(line) !== null;
}

/** A person or a rule decided differently, or a question was answered differently. */
function decisionDiffers(clientStep: ClientStep, line: DecodedFrame): boolean {
  const [recorded, live] = [decisionOf(clientStep), decisionOf(line)];
  if (recorded !== null || live !== null) return recorded !== live;
  const [one, other] = [clientStep.events[0], line.events[0]];
  if (one?.kind !== 'question-answer' || other?.kind !== 'question-answer') return false;
  return exactJson(one.answers) !== exactJson(other.answers) || one.ok !== other.ok;
}
