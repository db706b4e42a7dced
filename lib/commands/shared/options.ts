/** Values of options, and the errors that several commands share. */

import { nearest } from '../../analysis/query/nearest.ts';
import { Failure } from '../../model/failure.ts';
import { AS_RECORDED, AT_ONCE, type Pace } from '../../model/pace.ts';
import { parseDuration } from '../../model/text/quantity.ts';
import { parseTag } from '../../storage/store/names.ts';

/** A parser for a whole number that is at least `minimum`. */
export function wholeNumber(option: string, minimum: 0 | 1 = 0): (word: string) => number {
  return (word) => {
    if (/^\d{1,9}$/.test(word) && Number(word) >= minimum) return Number(word);
    const hint = minimum === 0 ? 'use a whole number' : 'use a whole number greater than 0';
    throw new Failure(`invalid value ${JSON.stringify(word)} for ${option}`, hint);
  };
}

/** A parser for the number of a frame: `f120`, or `120`. */
export function frameNumber(option: string): (word: string) => number {
  return (word) => {
    const [, number] = /^f?(\d{1,12})$/i.exec(word) ?? [];
    if (Number(number) >= 1) return Number(number);
    throw new Failure(`invalid value ${JSON.stringify(word)} for ${option}`, 'use the number of a frame, such as f120');
  };
}

/** Collects the values of an option that may be repeated. */
export function collectValues(word: string, before: string[] = []): string[] {
  return [...before, word];
}

export function tagsOf(words: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const tag = parseTag(word);
      if (!tag) throw new Failure(`--tag ${JSON.stringify(word)} has no value`, 'write a tag as key=value');
      return tag;
    }),
  );
}

/** The one with that name; it fails if there is none. */
export function oneNamed<T extends { name: string }>(what: string, word: string, known: readonly T[]): T {
  const found = known.find(({ name }) => name === word);
  if (found) return found;
  const names = known.map(({ name }) => name);
  const near = nearest(word, names);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `use one of: ${names.join(', ')}`;
  throw new Failure(`unknown ${what} ${JSON.stringify(word)}`, hint);
}

export function cannotCombine(one: string, other: string): Failure {
  return new Failure(`${one} and ${other} cannot be combined`, 'use one of them');
}

export function noFrames(id: string, first: number, last: number): Failure {
  const which = first === last ? `frame f${first}` : `frames f${first}..f${last}`;
  return new Failure(`session ${id} has no ${which}`, `wiretape show ${id} --frames lists them`);
}

export function noTurn(id: string, turn: number): Failure {
  return new Failure(`session ${id} has no turn ${turn}`, `wiretape show ${id} lists its turns`);
}

export function noSessions(home: string): Failure {
  return new Failure(`no sessions in ${home}`, 'record one: wiretape record -- AGENT');
}

/** Of every command that shows recorded text to people: without it, secrets are shown as `***`. */
export const SHOW_SECRETS = ['--show-secrets', 'show passwords and keys, not ***'] as const;

/** The options of every command that takes its time over recorded frames. */
export const SPEED = ['--speed <factor>', 'times the recorded speed: 10x, 0.5 (default: 1x)', parseSpeed] as const;
export const MAX_GAP = ['--max-gap <time>', 'never wait longer than this for the next frame: 2s', parseMaxGap] as const;
export const INSTANT = ['--instant', 'do not wait at all'] as const;

export interface PaceOptions {
  speed?: number;
  maxGap?: number;
  instant?: boolean;
}

export function paceOf({ speed, maxGap, instant }: PaceOptions): Pace {
  if (instant && speed !== undefined) throw cannotCombine('--instant', '--speed');
  if (instant && maxGap !== undefined) throw cannotCombine('--instant', '--max-gap');
  if (instant) return AT_ONCE;
  return { speed: speed ?? AS_RECORDED.speed, maxGap: maxGap ?? AS_RECORDED.maxGap };
}

/** Limits within which clocks and timers still make sense. */
const MIN_SPEED = 0.001;
const MAX_SPEED = 1e6;

function parseSpeed(word: string): number {
  const [, number] = /^(\d+(?:\.\d+)?|\.\d+)x?$/i.exec(word.trim()) ?? [];
  const speed = Number(number);
  if (speed >= MIN_SPEED && speed <= MAX_SPEED) return speed;
  const hint =
    Number(number) > MAX_SPEED ? 'for no waiting at all, use --instant' : 'use a factor such as 10x, 2 or 0.5';
  throw new Failure(`invalid value ${JSON.stringify(word)} for --speed`, hint);
}

function parseMaxGap(word: string): number {
  const seconds = word.trim() === '0' ? 0 : parseDuration(word);
  if (seconds !== null) return seconds;
  throw new Failure(`invalid value ${JSON.stringify(word)} for --max-gap`, 'use a time such as 2s or 500ms');
}
