/** Finds the recorded line that a live line of the client matches, and remembers the live lines that matter later. */

import type { Json } from '../dialects/dialect.ts';
import { exactJson } from '../model/id.ts';
import { isObject } from '../model/message.ts';
import type { Decoded } from '../model/read-frame.ts';
import { Recent } from '../model/recent.ts';
import type { Awaited } from './awaited.ts';
import { type Compared, type CompareOptions, compareLines, type Difference } from './compare.ts';
import type { Ids } from './ids.ts';
import type { LiveTurns } from './live-turns.ts';
import { type Tree, withRequestId } from './places.ts';
import { nameOf } from './report.ts';
import { isStray } from './script.ts';
import { type Hear, roleOf, type Say } from './steps.ts';

/**
 * `params`: the content must be the same; otherwise the next line of that method is taken, with a warning. `strict`: the
 * content must be the same, with what is volatile. `method`: the next line of the same sort. `ordered`: the next line.
 */
export type MatchMode = 'strict' | 'ordered' | 'method' | 'params';

export interface Match {
  step: Hear;
  what: string;
  isExact: boolean;
  differences: Difference[];
  pairs: Compared['pairs'];
}

export interface AnswerMatch extends Match {
  /** `departs`: the client decided differently. `differs`: it gave another answer to the same request. */
  is: 'same' | 'differs' | 'departs';
}

interface MatcherOptions {
  tree: Tree;
  mode: MatchMode;
  cwd: CompareOptions['cwd'];
  turns: LiveTurns;
}

/** Of lines that are like the live one, so many are compared. */
const COMPARED = 200;
const REMEMBERED = 1000;

export class Matcher {
  readonly #options: MatcherOptions;
  /** Live requests by the frame of the recorded one, until they are answered. */
  readonly #requests = new Recent<number, { line: Json; group: string }>(REMEMBERED);
  /** Live lines of the agent's requests. */
  readonly #asks = new Recent<Say, Json>(REMEMBERED);
  /** The latest answer to each sort of request, as it was sent. */
  readonly #answers = new Recent<string, { line: string }>(REMEMBERED);
  readonly #sorts = new Recent<number, string>(REMEMBERED);

  constructor(options: MatcherOptions) {
    this.#options = options;
  }

  /** A line that is only similar is matched with the recorded one. */
  get takesNear(): boolean {
    return this.#options.mode !== 'strict' && this.#options.mode !== 'ordered';
  }

  /** `readOn` reads more of the tape; false if there is no more for now. */
  find(line: Decoded, ids: Ids, awaited: Awaited, readOn: () => boolean): Match | null {
    const seen = new Set<Hear>();
    let near: Match | null = null;
    do {
      for (const hear of awaited.like(line.message, line.value)) {
        if (seen.has(hear) || seen.size > COMPARED || !this.#isPossible(hear, line)) continue;
        seen.add(hear);
        const match = this.#match(hear, line, ids);
        if (this.#isEnough(match, awaited)) return { ...match, isExact: true };
        near ??= match;
      }
    } while (readOn());
    return near;
  }

  #isEnough({ isExact, step }: Match, awaited: Awaited): boolean {
    const { mode } = this.#options;
    if (mode === 'method') return true;
    return mode === 'ordered' ? step.isOwnAccord || step === awaited.first : isExact;
  }

  /**
   * What the client sends on its own in a turn belongs to that turn only. An answer to a request does not match one that
   * answers nothing.
   */
  #isPossible(hear: Hear, line: Decoded): boolean {
    if (line.pairing?.role === 'answers' && isStray(hear)) return false;
    const { isOwnAccord, prompt } = hear;
    return !isOwnAccord || prompt === null || this.#options.turns.get(prompt) !== null;
  }

  #match(hear: Hear, line: Decoded, ids: Ids): Match {
    const what = nameOf(line);
    if (hear.value === undefined || line.value === undefined) {
      const [recorded, live] = [hear.frame.text, line.frame.text];
      const differences = recorded === live ? [] : [{ path: '', recorded, live }];
      return { step: hear, what, isExact: differences.length === 0, differences, pairs: [] };
    }
    const { differences, pairs } = this.#compare(hear, line, ids);
    return { step: hear, what, isExact: differences.length === 0, differences, pairs };
  }

  #compare(hear: Hear, line: Decoded, ids: Ids): Compared {
    const { tree, mode, cwd } = this.#options;
    return compareLines(hear.value, line.value, {
      tree,
      ids,
      role: roleOf('client', hear.message),
      strict: mode === 'strict',
      cwd,
    });
  }

  /** The recorded answer to a request of the agent; null if there is none on the tape. */
  answer(line: Decoded, ask: Say, ids: Ids, awaited: Awaited, readOn: () => boolean): AnswerMatch | null {
    let hear = awaited.answerTo(ask);
    while (!hear && readOn()) hear = awaited.answerTo(ask);
    if (!hear) return null;
    const match = this.#match(hear, line, ids);
    const { mode } = this.#options;
    const isSame = mode === 'method' || mode === 'ordered' || match.isExact;
    if (match.isExact) return { ...match, is: 'same' };
    if (decisionDiffers(hear, line)) return { ...match, is: 'departs' };
    return { ...match, is: isSame || isDecision(line) ? 'same' : 'differs' };
  }

  came(hear: Hear, value: unknown): void {
    if (hear.what !== 'request' || !isObject(value)) return;
    this.#requests.set(hear.f, { line: value, group: `request ${hear.f}` });
    this.#sorts.set(hear.f, sortOf(hear));
  }

  /** The live request that a line of the agent answers. */
  answered(f: number): Json | null {
    return this.#requests.get(f)?.line ?? null;
  }

  sent(say: Say, line: string): void {
    if (say.asks && isObject(say.value)) this.#asks.set(say, JSON.parse(line) as Json);
    if (say.answers === null) return;
    const sort = this.#sorts.get(say.answers);
    if (sort !== undefined) this.#answers.set(sort, { line });
    this.#sorts.delete(say.answers);
    this.#requests.delete(say.answers);
  }

  /** The agent's request as the live client got it. */
  lineOf(ask: Say): Json | null {
    return this.#asks.get(ask) ?? null;
  }

  /** The live request of a group of lines that follow from a request. */
  requestOf(group: string): Json | null {
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
  hasSeen(line: Decoded): boolean {
    return this.#answers.has(sortOf(line));
  }

  /** The latest answer to a request of the same sort, with the id of this one; null if there is none. */
  nearestAnswer(line: Decoded): string | null {
    const known = this.#answers.get(sortOf(line));
    if (!known || line.message.id === null) return null;
    return withRequestId(known.line, line.message.id, this.#options.tree);
  }
}

function sortOf({ message }: Pick<Decoded, 'message'>): string {
  return `${message.method ?? ''} ${message.type ?? ''}`;
}

function decisionOf({ events }: Pick<Decoded, 'events'> | Hear): string | null {
  const [event] = events;
  if (event?.kind === 'approval-answer') return `${event.decision}`;
  return event?.kind === 'hook-answer' ? `${event.decision}` : null;
}

function isDecision(line: Decoded): boolean {
  return decisionOf(line) !== null;
}

/** A person or a rule decided differently, or a question was answered differently. */
function decisionDiffers(hear: Hear, line: Decoded): boolean {
  const [recorded, live] = [decisionOf(hear), decisionOf(line)];
  if (recorded !== null || live !== null) return recorded !== live;
  const [one, other] = [hear.events[0], line.events[0]];
  if (one?.kind !== 'question-answer' || other?.kind !== 'question-answer') return false;
  return exactJson(one.answers) !== exactJson(other.answers) || one.ok !== other.ok;
}
