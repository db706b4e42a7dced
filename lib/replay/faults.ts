/**
 * Faults: an agent that misbehaves, laid over a replay. The tape itself never changes. A fault is written as where and
 * what: `at:f12 delay:5s`, `kind:approval nth:2 drop`, `chance:0.1 noise`.
 */

import { dialectNamed } from '../dialects/index.ts';
import type { ReplayTraits } from '../dialects/traits.ts';
import { Failure } from '../model/failure.ts';
import { exactJson, type Id } from '../model/id.ts';
import { isObject, parseJson } from '../model/message.ts';
import { parseDuration } from '../model/text/quantity.ts';
import { isDeadly } from './agent-exit.ts';
import type { AgentStep } from './script-step.ts';

export interface FaultSpec {
  /** As it was written. */
  text: string;
  /** The frame, or a query that finds frames; neither: every line of the agent. */
  at: number | null;
  query: string | null;
  /** Only the nth of them; null: each. */
  nth: number | null;
  chance: number;
  action: FaultAction;
}

interface FaultAction {
  name: (typeof ACTIONS)[number];
  /** What stands after the colon. */
  value: string | null;
}

/** A fault that applies to a line. */
export interface AppliedFault {
  name: string;
  /** Another line in its place. A line that is not text, or too long to keep, stays as it is. */
  edit?(line: string): string;
  /** How often the line comes. */
  copies?: 0 | 2;
  /** A line that comes before it. */
  noise?: string;
  /** It breaks off in the middle. */
  cuts?: true;
  /** Stdout is closed after the line. */
  closes?: true;
  /** The agent ends after the line. */
  exit?: { code: number | null; signal: string | null };
}

const ACTIONS = [
  ...(['delay', 'drop', 'duplicate', 'error', 'malformed', 'cut', 'noise', 'close', 'exit', 'kill'] as const),
] as const;
const FAULT_HINT = `use at:fN, nth:N, chance:0.1 or a query, then one of ${ACTIONS.join(', ')}`;

export function parseFault(text: string): FaultSpec {
  const words = text.trim().split(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const last = words.pop() ?? '';
  const [, name, value] = /^([a-z]+)(?::(.*))?$/s.exec(last) ?? [];
  const known = ACTIONS.find((one) => one === name);
  if (!known) throw new Failure(`invalid fault ${JSON.stringify(text)}: it names no action`, FAULT_HINT);
  const action: FaultAction = { name: known, value: value ?? null };
  checkValue(action, text);
  const spec: FaultSpec = { text: text.trim(), at: null, query: null, nth: null, chance: 1, action };
  const query = words.filter((word) => !parsePosition(word, spec));
  if (query.length > 0) spec.query = query.join(' ');
  if (spec.at !== null && spec.query !== null)
    throw new Failure(`invalid fault ${JSON.stringify(text)}: it has both at:f${spec.at} and a query`, FAULT_HINT);
  return spec;
}

/** True if the word says where the fault is. */
function parsePosition(word: string, spec: FaultSpec): boolean {
  const [, at, nth, chance] = /^(?:at:f?(\d{1,9})|nth:(\d{1,9})|chance:(\d*\.?\d+))$/.exec(word) ?? [];
  if (at !== undefined) spec.at = Number(at);
  else if (nth !== undefined) spec.nth = Number(nth);
  else if (chance !== undefined) spec.chance = Math.min(1, Number(chance));
  return (at ?? nth ?? chance) !== undefined;
}

function checkValue({ name, value }: FaultAction, text: string): void {
  const bad = (needs: string) => new Failure(`invalid fault ${JSON.stringify(text)}`, `write ${needs}`);
  if (name === 'delay' && (value === null || parseDuration(value) === null)) throw bad('delay:5s');
  if (name === 'exit' && !(/^\d{1,3}$/.test(value ?? '') && Number(value) < 256))
    throw bad('exit:3, with an exit code');
  if (name === 'error' && value !== null && !/^-?\d{1,9}$/.test(value)) throw bad('error:-32000, or only error');
  if (name === 'kill' && value !== null && !isDeadly(value)) throw bad('kill:SIGTERM, or only kill');
}

interface ActiveFault extends FaultSpec {
  /** The frames that it applies to; null: every line of the agent. */
  frames: ReadonlySet<number> | null;
  seen: number;
}

export class Faults {
  readonly #faults: ActiveFault[];
  readonly #random: () => number;
  readonly #dialect: string;
  readonly #replay: ReplayTraits;
  /** What applies to lines that are due, so that chance decides once: an earlier line may turn up before them. */
  readonly #decided = new WeakMap<AgentStep, ActiveFault[]>();

  /** `framesOf`: the frames that a query finds. */
  constructor(
    specs: readonly FaultSpec[],
    framesOf: (query: string) => ReadonlySet<number>,
    { dialect, replay, random }: { dialect: string; replay: ReplayTraits; random: () => number },
  ) {
    this.#faults = specs.map((spec) => ({ ...spec, seen: 0, frames: framesOfSpec(spec, framesOf) }));
    this.#random = random;
    this.#dialect = dialect;
    this.#replay = replay;
  }

  of(agentStep: AgentStep): AppliedFault[] {
    return this.#activeFor(agentStep).map((fault) => this.#toApplied(fault));
  }

  /** Seconds by which the line comes late. */
  delayOf(agentStep: AgentStep): number {
    const delays = this.#activeFor(agentStep).map(({ action }) =>
      action.name === 'delay' ? (parseDuration(action.value!) ?? 0) : 0,
    );
    return delays.reduce((sum, one) => sum + one, 0);
  }

  #activeFor(agentStep: AgentStep): ActiveFault[] {
    const decided = this.#decided.get(agentStep);
    if (decided) return decided;
    const faults = this.#faults.filter((fault) => {
      if (fault.frames !== null && !fault.frames.has(agentStep.f)) return false;
      fault.seen++;
      if (fault.nth !== null && fault.seen !== fault.nth) return false;
      return fault.chance >= 1 || this.#random() < fault.chance;
    });
    this.#decided.set(agentStep, faults);
    return faults;
  }

  #toApplied({ text: name, action }: ActiveFault): AppliedFault {
    switch (action.name) {
      case 'delay':
        return { name };
      case 'drop':
        return { name, copies: 0 };
      case 'duplicate':
        return { name, copies: 2 };
      case 'malformed':
        return { name, edit: malformed };
      case 'cut':
        return { name, cuts: true };
      case 'noise':
        return { name, noise: action.value ?? 'this is not JSON' };
      case 'error':
        return { name, edit: (line) => this.#asError(line, action.value) };
      case 'close':
        return { name, closes: true };
      case 'exit':
        return { name, exit: { code: Number(action.value), signal: null } };
      case 'kill':
        return { name, exit: { code: null, signal: action.value ?? 'SIGKILL' } };
    }
  }

  /** An error instead of an answer. A line that answers no request stays as it is. */
  #asError(line: string, code: string | null): string {
    const value = parseJson(line);
    const message = isObject(value) ? dialectNamed(this.#dialect)!.envelope(value) : null;
    const isAnswer = message?.envelope === 'response' || message?.envelope === 'error';
    if (!message || !isAnswer || message.id === null || !this.#replay.refuse) return line;
    const error = this.#replay.refuse(message.id as Exclude<Id, null>, 'a fault of the replay');
    if (code !== null && isObject(error.error)) error.error.code = Number(code);
    return exactJson(error);
  }
}

/** A line that is not valid JSON. */
function malformed(line: string): string {
  const text = line.trimEnd();
  return /[}\]]$/.test(text) ? text.slice(0, -1) : `{${line}`;
}

function framesOfSpec(
  { at, query }: FaultSpec,
  framesOf: (query: string) => ReadonlySet<number>,
): ReadonlySet<number> | null {
  if (at !== null) return new Set([at]);
  return query === null ? null : framesOf(query);
}
