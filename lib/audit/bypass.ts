/**
 * Whether anybody has to be asked (rule N3): from the command line, from the modes that the agent tells, from slash
 * commands. In a bypass mode nobody is, in some modes only edits are free, in all others a call that writes or runs
 * something must be asked about. Plan mode (rule N4) frees nothing, but is told.
 */
import type { Event } from '../core/event.ts';
import { optionOf } from '../dialects/command-line.ts';
import type { ReadFrame } from '../dialects/read.ts';
import type { Standing } from './calls.ts';

type Freedom = 'all' | 'edits' | 'none';

/** A stretch of the session in which not everything was asked. `to` null: until its end. */
export interface Bypassed {
  from: number;
  to: number | null;
  mode: string;
  frees: 'all' | 'edits';
}

const ALL = new Set(['yolo', 'bypasspermissions', 'dangerouslyskippermissions']);
const EDITS = new Set(['autoedit', 'acceptedits']);
const EDITORS = new Set([
  'write_file',
  'edit',
  'replace',
  'notebook_edit',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
]);
const MOST = 1000;
const NO_FLAGS: readonly string[] = [];

/** What switches a mode on and off within a turn of its slash command. */
const SAYINGS: [said: string, mode: 'yolo' | 'afk', on: boolean][] = [
  ['You only live once!', 'yolo', true],
  ['You only die once!', 'yolo', false],
  ['afk mode enabled', 'afk', true],
  ['afk mode disabled', 'afk', false],
];
const LONGEST_SAYING = 40;

export class Bypass {
  readonly periods: Bypassed[] = [];
  /** The agent is planning. */
  plan = false;
  readonly #dialect: string;
  /** Wire: what is on. */
  readonly #on = new Set<string>();
  /** Others: the mode that the agent told last. */
  #mode: string | null = null;
  #frees: Freedom = 'none';
  /** What the agent has said in the turn of a slash command. */
  #said: string | null = null;

  constructor(command: readonly string[], dialect: string) {
    this.#dialect = dialect;
    const has = (...words: string[]) => command.some((word, at) => at > 0 && words.includes(word));
    if (this.#isWire) {
      if (has('--yolo', '-y', '--yes', '--auto-approve')) this.#on.add('yolo');
      if (has('--afk')) this.#on.add('afk');
      if (has('--print')) this.#on.add('print');
    } else if (dialect === 'kimi-print') this.#on.add('print');
    else this.#mode = has('--yolo', '-y') ? 'yolo' : optionOf(command, '--approval-mode', '--permission-mode');
    if (has('--dangerously-skip-permissions')) this.#mode = 'bypassPermissions';
    this.#change(0);
  }

  get #isWire(): boolean {
    return this.#dialect === 'wire' || this.#dialect === 'wire-legacy';
  }

  /** The mode in force, where one is known. */
  get mode(): string | null {
    const [on] = this.#on;
    return on ?? this.#mode;
  }

  #isFree(tool: string | null, action: string | null): boolean {
    if (this.#frees !== 'edits') return this.#frees === 'all';
    return action === null ? EDITORS.has(tool ?? '') : action === 'edit';
  }

  /** How a call stands that is announced here. */
  standing({ frame, where }: ReadFrame, n: number, tool: string | null, action: string | null): Standing {
    const free = this.#isFree(tool, action);
    return { f: frame.f, t: frame.t, n, turn: where.turn, free, modes: this.#flags };
  }

  /** Flags of a call that nobody was asked about. */
  get #flags(): readonly string[] {
    const { mode } = this;
    const isTold = mode !== null && mode !== 'default' && !this.#isWire;
    if (!this.plan && !isTold) return NO_FLAGS;
    return [...(this.plan ? ['plan-mode'] : []), ...(isTold ? [`mode:${mode}`] : [])];
  }

  /** A turn begins; `isSlash`: its prompt is a command that switches a mode. */
  turnBegins(isSlash: boolean): void {
    this.#said = isSlash ? '' : null;
  }

  take({ frame, pairing }: ReadFrame, event: Event): void {
    if (event.kind === 'text') this.#hears(event, frame.f);
    else if (event.kind === 'handshake' && event.about.mode !== undefined) this.#tells(event.about.mode, frame.f);
    else if (event.kind === 'mode' && event.done) this.#modeSet(event.mode, pairing?.exchange?.method ?? null, frame.f);
  }

  #hears({ text, subagent }: Event, f: number): void {
    if (this.#said === null || text === undefined || subagent !== undefined) return;
    this.#said += text.slice(0, LONGEST_SAYING);
    for (const [said, mode, on] of SAYINGS) {
      if (!this.#said.startsWith(said)) continue;
      if (on) this.#on.add(mode);
      else this.#on.delete(mode);
      this.#change(f);
    }
    if (this.#said.length >= LONGEST_SAYING) this.#said = null;
  }

  #modeSet(mode: string | null, method: string | null, f: number): void {
    if (method === 'set_plan_mode') this.plan = mode === 'plan';
    else if (method === 'set_yolo_mode') {
      if (mode === 'yolo') this.#on.add('yolo');
      else if (mode !== null) this.#on.delete('yolo');
      this.#change(f);
    } else if (this.#dialect === 'kimi-code' && (mode === 'plan' || mode === null)) this.plan = mode === 'plan';
    else if (mode !== null) this.#tells(mode, f);
  }

  #tells(mode: string, f: number): void {
    if (this.#isWire) return;
    this.#mode = mode;
    this.#change(f);
  }

  #change(f: number): void {
    const word = (this.#mode ?? '').toLowerCase().replaceAll(/[-_ ]/g, '');
    const frees: Freedom = this.#on.size > 0 || ALL.has(word) ? 'all' : EDITS.has(word) ? 'edits' : 'none';
    if (frees === this.#frees) return;
    const last = this.periods.at(-1);
    if (last?.to === null) last.to = f;
    this.#frees = frees;
    if (frees !== 'none' && this.periods.length < MOST)
      this.periods.push({ from: f, to: null, mode: this.mode!, frees });
  }

  /** A tool of the agent's own that begins or ends planning. */
  ended(tool: string | null, ok: boolean, text: string): void {
    const said = text.slice(0, 200);
    if (tool === 'EnterPlanMode' && ok && !/declined/i.test(said)) this.plan = true;
    if (tool === 'ExitPlanMode' && /deactivated/i.test(said)) this.plan = false;
  }
}
