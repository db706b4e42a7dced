/**
 * Whether a call needs an approval (rule N3), according to the command line, the modes that the agent reports, and
 * slash commands. A bypass mode needs none, some modes need none for edits, and all others need one for every call that
 * writes or runs something. Plan mode (rule N4) is reported but exempts nothing.
 */

import { optionOf } from '../../dialects/common/command-line.ts';
import type { Traits } from '../../dialects/traits.ts';
import type { Event } from '../../model/event.ts';
import type { Call } from '../../model/ledger/records.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { isEdit } from './execution.ts';

/** Whether a mode exempts a call from approval, which mode is on, and flags that name it. */
export interface ModeStanding {
  free: boolean;
  mode: string | null;
  modes: readonly string[];
}

type Freedom = BypassPeriod['frees'] | 'none';

/** A range of frames in which not every call needed an approval. `to` null: until the end. */
export interface BypassPeriod {
  from: number;
  to: number | null;
  mode: string;
  /** `run`: a run that can ask nobody, in which the agent may still refuse. */
  frees: 'all' | 'edits' | 'run';
}

const BYPASS_MODES = new Set([
  ...['yolo', 'bypasspermissions', 'dangerouslyskippermissions'],
  // Of vibe, the adapters for Codex, and Copilot, each of which says so of its mode.
  ...['autoapprove', 'fullaccess', 'agentfullaccess', 'autopilot', 'allowall'],
]);
const EDIT_MODES = new Set(['autoedit', 'acceptedits']);
/** The kinds of ACP that these modes exempt. */
const EDIT_KINDS: ReadonlySet<string> = new Set(['edit']);
const MAX_BYPASS_PERIODS = 1000;
const NO_FLAGS: readonly string[] = [];

export class Bypass {
  readonly periods: BypassPeriod[] = [];
  /** The agent is in plan mode. */
  plan = false;
  readonly #traits: Traits;
  /** The switches that are on. */
  readonly #switchesOn = new Set<string>();
  /** The mode that the agent reported last, if its dialect has modes. */
  #mode: string | null = null;
  #frees: Freedom = 'none';

  constructor(command: readonly string[], traits: Traits) {
    this.#traits = traits;
    const has = (words: readonly string[]) => command.some((word, at) => at > 0 && words.includes(word));
    const { switches, modes } = traits;
    for (const { mode, options } of switches) if (options === null || has(options)) this.#switchesOn.add(mode);
    if (modes) {
      const shortcut = modes.shortcuts.find(({ options }) => has(options));
      this.#mode = shortcut?.mode ?? optionOf(command, ...modes.options);
    }
    if (has(['--dangerously-skip-permissions'])) this.#mode = 'bypassPermissions';
    this.#updatePeriods(0);
  }

  /** The mode in force, if known. */
  get mode(): string | null {
    const [on] = this.#switchesOn;
    return on ?? this.#mode;
  }

  /** The standing of a call that is announced now; `own`: the mode of its conversation, if that is another. */
  standingOf(call: Pick<Call, 'tool' | 'action'>, own?: string): ModeStanding {
    const frees = own === undefined ? this.#frees : this.#freedom(own);
    const free = frees === 'edits' ? isEdit(call, EDIT_KINDS) : frees !== 'none';
    const mode = own ?? this.mode;
    return { free, mode, modes: this.#flags(mode) };
  }

  /** Flags of an unasked call. */
  #flags(mode: string | null): readonly string[] {
    const isNamed = mode !== null && mode !== 'default' && this.#traits.modes !== null;
    if (!this.plan && !isNamed) return NO_FLAGS;
    return [...(this.plan ? ['plan-mode'] : []), ...(isNamed ? [`mode:${mode}`] : [])];
  }

  take({ frame, pairing }: ReadFrame, event: Event): void {
    if (event.kind === 'handshake' && event.about.mode !== undefined) this.#setMode(event.about.mode, frame.f);
    else if (event.kind === 'mode' && event.switches !== undefined)
      this.#switch(event.switches, event.mode === event.switches, frame.f);
    else if (event.kind === 'mode' && event.done)
      this.#modeChanged(event.mode, pairing?.exchange?.method ?? null, frame.f);
  }

  #switch(name: string, on: boolean, f: number): void {
    if (on) this.#switchesOn.add(name);
    else this.#switchesOn.delete(name);
    this.#updatePeriods(f);
  }

  #modeChanged(mode: string | null, method: string | null, f: number): void {
    if (method === 'set_plan_mode') this.plan = mode === 'plan';
    else if (method === 'set_yolo_mode') {
      if (mode !== null) this.#switch('yolo', mode === 'yolo', f);
    } else if (this.#traits.planIsSeparate && (mode === 'plan' || mode === null)) this.plan = mode === 'plan';
    else if (mode !== null) this.#setMode(mode, f);
  }

  #setMode(mode: string, f: number): void {
    if (this.#traits.modes === null) return;
    this.#mode = mode;
    this.#updatePeriods(f);
  }

  #freedom(mode: string): Freedom {
    const word = mode.toLowerCase().replaceAll(/[-_ ]/g, '');
    const isBypass = BYPASS_MODES.has(word) || (this.#traits.modes?.bypass?.test(mode) ?? false);
    if (isBypass || [...this.#switchesOn].some((name) => !this.#isRun(name))) return 'all';
    if (this.#switchesOn.size > 0) return 'run';
    return EDIT_MODES.has(word) ? 'edits' : 'none';
  }

  #isRun(name: string): boolean {
    return this.#traits.switches.some(({ mode, options }) => mode === name && options === null);
  }

  #updatePeriods(f: number): void {
    const frees = this.#freedom(this.#mode ?? '');
    if (frees === this.#frees) return;
    const last = this.periods.at(-1);
    if (last?.to === null) last.to = f;
    this.#frees = frees;
    if (frees !== 'none' && this.periods.length < MAX_BYPASS_PERIODS)
      this.periods.push({ from: f, to: null, mode: this.mode!, frees });
  }

  /** The agent's own tools may begin or end plan mode. */
  toolEnded(tool: string | null, ok: boolean, text: string): void {
    const beginning = text.slice(0, 200);
    if (tool === 'EnterPlanMode' && ok && !/declined/i.test(beginning)) this.plan = true;
    if (tool === 'ExitPlanMode' && leavesPlan(beginning)) this.plan = false;
  }
}

/** Whether the result of ExitPlanMode says that plan mode was left. */
export function leavesPlan(text: string): boolean {
  return /deactivated/i.test(text.slice(0, 200));
}
