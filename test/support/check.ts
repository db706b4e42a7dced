/** Small sessions made by hand, checked: for each rule one that breaks it and a near miss that does not. */
import { describe, expect, it } from 'vitest';
import { Checker } from '../../lib/analysis/check/checker.ts';
import type { Finding } from '../../lib/dialects/rules/rule.ts';
import type { Eol, Frame, From } from '../../lib/model/frame.ts';
import { Pass } from '../../lib/session/pass.ts';

/** What happens, one a frame: a line (a string or bytes are a line as it is), or an event. */
export interface Step {
  from: From;
  line?: unknown;
  eol?: Eol;
  /** The header of a Content-Length frame. */
  head?: string;
  event?: string;
  detail?: Record<string, unknown>;
  /** Seconds after the step before; 1 unless told. */
  after?: number;
}

export const c = (line: unknown, eol: Eol = '\n'): Step => ({ from: 'client', line, eol });
export const a = (line: unknown, eol: Eol = '\n'): Step => ({ from: 'agent', line, eol });
const happens = (from: From, event: string, detail: Record<string, unknown> = {}): Step => ({ from, event, detail });
export const eof = happens('client', 'eof');
export const exit = (code: number | null = 0, signal: string | null = null) =>
  happens('proc', 'exit', { code, signal });
export const signal = happens('proc', 'signal', { signal: 'SIGTERM' });
export const proc = (event: string, detail: Record<string, unknown> = {}) => happens('proc', event, detail);
/** A session that ends as it should. */
export const done = [eof, exit()];

export function framesOf(steps: readonly Step[]): Frame[] {
  let t = 0;
  return steps.map(({ from, line, eol = '\n', head: header, event = null, detail = {}, after = 1 }, i) => {
    t += after;
    const head = { f: i + 1, t, t0: null, from, eol, event, detail };
    if (event !== null) return { ...head, form: 'event', raw: Buffer.alloc(0) };
    const raw = line instanceof Uint8Array ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line));
    return { ...head, form: 'message', raw, ...(header === undefined ? {} : { head: header, eol: '' }) };
  });
}

export interface Session {
  dialect: string;
  command?: string[];
  source?: string;
}

/** What is found, as `rule severity fault fN`. */
export function findings({ dialect, command = [], source = 'record' }: Session, frames: Frame[]): string[] {
  const checker = new Checker({ dialect, command, source });
  const found: Finding[] = [];
  for (const read of new Pass({ command, dialect, frames: () => frames })) found.push(...checker.take(read));
  found.push(...checker.end());
  for (const { message } of found) expect(message).toMatch(/^[^\n]+[^.\n]$/);
  return found.map(({ rule, severity, fault, f }) => `${rule} ${severity} ${fault} f${f}`);
}

export interface Case {
  rule: string;
  breaks: readonly Step[];
  /** All that is found where it is broken. */
  told: readonly string[];
  near: readonly Step[];
  /** All that is found in the near miss, which is nothing unless told. */
  nearTold?: readonly string[];
  session?: Partial<Session>;
  /** Where the near miss differs by how the agent was started. */
  nearSession?: Partial<Session>;
}

/** Tests of each case, and that each of these rules has one. */
export function checkCases(
  name: string,
  session: Session,
  rules: readonly { id: string }[],
  cases: readonly Case[],
): void {
  describe(name, () => {
    it.each(cases.map((one, i) => ({ ...one, name: `${i + 1} ${one.rule}` })))('$name', (one) => {
      const of = { ...session, ...one.session };
      expect(findings(of, framesOf(one.breaks)), 'broken').toEqual(one.told);
      expect(
        one.told.some((told) => told.startsWith(`${one.rule} `)),
        'breaks its rule',
      ).toBe(true);
      expect(findings({ ...of, ...one.nearSession }, framesOf(one.near)), 'near miss').toEqual(one.nearTold ?? []);
      expect(
        (one.nearTold ?? []).some((told) => told.startsWith(`${one.rule} `)),
        'near miss keeps the rule',
      ).toBe(false);
    });

    it('has a case for every rule', () => {
      const tried = new Set(cases.map(({ rule }) => rule));
      expect(rules.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
    });
  });
}
