/**
 * The settings of a store: environment variables, and `config.json` for clients that do not set any. Variables take
 * precedence.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseDuration, parseSize } from '../../model/text/quantity.ts';
import { makeFolder, readObject, replaceFile } from './home.ts';

export const CONFIG_FILE = 'config.json';

export type SettingName = 'max-size' | 'max-age';

export interface Setting {
  name: SettingName;
  /** The variable that takes precedence over the file; `off` ignores the file as well. */
  variable: string;
  /** In bytes or seconds; null if the word is not valid. */
  read(word: string): number | null;
  what: 'size' | 'duration';
  example: string;
  help: string;
}

export const SETTINGS: readonly Setting[] = [
  {
    name: 'max-size',
    variable: 'WIRETAPE_MAX_SIZE',
    read: (word) => parseSize(word) || null,
    what: 'size',
    example: '5gb',
    help: 'what all sessions together may take; the oldest go first',
  },
  {
    name: 'max-age',
    variable: 'WIRETAPE_MAX_AGE',
    read: (word) => parseDuration(word) || null,
    what: 'duration',
    example: '30d',
    help: 'how long a session is kept after its end',
  },
];

/** A setting and its current value. */
export interface SettingValue {
  setting: Setting;
  /** As it was written; null if it is not set. */
  word: string | null;
  from: 'environment' | 'config' | null;
  /** In bytes or seconds; null if it is not set or not valid. */
  value: number | null;
  /** Why it is ignored. */
  problem: string | null;
}

export function settingsOf(home: string, env: NodeJS.ProcessEnv): SettingValue[] {
  const { values, problem } = readConfig(home);
  return SETTINGS.map((setting) => {
    const typed = env[setting.variable];
    if (typed === 'off') return { setting, word: null, from: 'environment', value: null, problem: null };
    if (typed) return settingValue(setting, typed, 'environment');
    if (problem !== null) return { setting, word: null, from: 'config', value: null, problem };
    const word = values[setting.name];
    if (word === undefined) return { setting, word: null, from: null, value: null, problem: null };
    return settingValue(setting, typeof word === 'string' ? word : JSON.stringify(word), 'config');
  });
}

function settingValue(setting: Setting, word: string, from: 'environment' | 'config'): SettingValue {
  const value = setting.read(word);
  const name = from === 'environment' ? setting.variable : `${setting.name} in ${CONFIG_FILE}`;
  return {
    setting,
    word,
    from,
    value,
    problem: value === null ? `${name}: ${invalidSettingText(setting, word)}` : null,
  };
}

export function invalidSettingText({ what, example }: Setting, word: string): string {
  return `${JSON.stringify(word)} is not a valid ${what} (example: ${example})`;
}

/** Null removes the setting. Unknown keys, perhaps from a newer version, are kept. */
export function writeSetting(home: string, name: SettingName, word: string | null): void {
  const { values, problem } = readConfig(home);
  if (problem !== null) throw new Error(problem);
  makeFolder(home);
  const { [name]: _, ...others } = values;
  const text = `${JSON.stringify(word === null ? others : { ...others, [name]: word }, null, 2)}\n`;
  replaceFile(home, CONFIG_FILE, text);
}

function readConfig(home: string): { values: Record<string, unknown>; problem: string | null } {
  const path = join(home, CONFIG_FILE);
  if (!existsSync(path)) return { values: {}, problem: null };
  try {
    return { values: readObject(path), problem: null };
  } catch (error) {
    return { values: {}, problem: `${path} cannot be read (${(error as Error).message})` };
  }
}
