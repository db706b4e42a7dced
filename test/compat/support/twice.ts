/**
 * A scenario with a real agent, twice at once: directly and behind `wiretape record --`. The client must not be able to
 * tell the two apart, and the tape must hold every byte of what it sent and saw.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WIRETAPE, wiretape } from '../../support/run.ts';
import type { Place } from '../../support/store.ts';
import { normal } from './normal.ts';
import type { Message } from './talk.ts';

/** Where one of the two runs takes place: folders with names of the same length, as lengths may show in answers. */
export interface Stage {
  dir: string;
  work: string;
  env: NodeJS.ProcessEnv;
}

/** All that a client can notice. */
export interface Heard {
  messages: Message[];
  sent: Buffer;
  received: Buffer;
  stderr: Buffer;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How the agent is started in its stage. */
export type Launch = (stage: Stage) => { command: string[]; env?: NodeJS.ProcessEnv };

export type Scenario = (command: string[], stage: Stage) => Promise<Heard>;

/**
 * Plays it both ways, compares, and gives back what was heard directly. `ignored` are messages that come at any moment
 * or not at all, with or without us; they must still be on the tape.
 */
export async function twice(
  place: Place,
  launch: Launch,
  scenario: Scenario,
  ignored: (message: Message) => boolean = () => false,
): Promise<Heard> {
  const [bare, behind] = [makeStage(place, 'directly'), makeStage(place, 'recorded')];
  const play = (stage: Stage, inFront: string[]) => {
    const { command, env } = launch(stage);
    return scenario([...inFront, ...command], { ...stage, env: { ...stage.env, ...env } });
  };
  const [direct, recorded] = await Promise.all([play(bare, []), play(behind, [WIRETAPE, 'record', '--'])]);
  expect(account(recorded, behind, ignored)).toEqual(account(direct, bare, ignored));
  await expectOnTape(place, recorded);
  return direct;
}

export function makeStage({ dir, env }: Place, name: string): Stage {
  const stage = join(dir, name);
  const [home, work] = [join(stage, 'home'), join(stage, 'work')];
  for (const folder of [home, work]) mkdirSync(folder, { recursive: true });
  return { dir: stage, work, env: { ...env, HOME: home } };
}

/**
 * Lines on stderr that two runs need not share: qwen complains of a busy machine, and the stack traces of opencode name
 * other columns, and leave out frames, once Bun has compiled a function.
 */
const DIFFERS_BY_RUN = /^\[perf\]|^ *\d+ \| |^ *at .*:\d+:\d+\)?$/;

function account(heard: Heard, { dir }: Stage, ignored: (message: Message) => boolean) {
  const { code, signal } = heard;
  const messages = heard.messages.filter((message) => !ignored(message));
  const stderr = heard.stderr
    .toString()
    .split('\n')
    .filter((line) => !DIFFERS_BY_RUN.test(line));
  return { code, signal, messages: normal(messages, dir), stderr: normal(stderr, dir) };
}

/** The tape is intact and has every byte, both ways. */
export async function expectOnTape(place: Place, { sent, received, stderr }: Omit<Heard, 'messages'>): Promise<void> {
  const verified = await wiretape(place, ['verify', 'last']);
  expect(verified.stdout.toString()).toMatch(/intact/);
  expect(verified.code).toBe(0);
  for (const [from, bytes] of Object.entries({ client: sent, agent: received, stderr })) {
    const shown = await wiretape(place, ['show', 'last', '--raw', '--from', from]);
    // Equal as bytes; compared as text so that a difference can be read.
    if (!shown.stdout.equals(bytes)) expect(shown.stdout.toString('latin1')).toBe(bytes.toString('latin1'));
  }
}
