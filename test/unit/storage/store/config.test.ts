/** Settings of the store: the environment comes before the file, and what cannot be read is a problem, not a limit. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { CONFIG_FILE, settingsOf, writeSetting } from '../../../../lib/storage/store/config.ts';
import { it, type Place } from '../../../support/store.ts';

const values = ({ home }: Place, env: NodeJS.ProcessEnv = {}) =>
  Object.fromEntries(settingsOf(home, env).map(({ setting, value, from }) => [setting.name, [value, from]]));
const problems = ({ home }: Place, env: NodeJS.ProcessEnv = {}) =>
  settingsOf(home, env).flatMap(({ problem }) => (problem === null ? [] : [problem]));

describe('settings', () => {
  it('are none in a store without any', ({ place }) => {
    expect(values(place)).toEqual({ 'max-size': [null, null], 'max-age': [null, null] });
  });

  it('are read from the file, unless a variable says something else', ({ place }) => {
    writeSetting(place.home, 'max-size', '5gb');
    writeSetting(place.home, 'max-age', '30d');
    expect(values(place)).toEqual({ 'max-size': [5e9, 'config'], 'max-age': [2_592_000, 'config'] });
    const env = { WIRETAPE_MAX_SIZE: '1mb', WIRETAPE_MAX_AGE: 'off' };
    expect(values(place, env)).toEqual({ 'max-size': [1e6, 'environment'], 'max-age': [null, 'environment'] });
    expect(values(place, { WIRETAPE_MAX_SIZE: '' })['max-size']).toEqual([5e9, 'config']);
    writeSetting(place.home, 'max-size', null);
    expect(values(place)).toEqual({ 'max-size': [null, null], 'max-age': [2_592_000, 'config'] });
  });

  it('that cannot be read are no limit, and it is said why', ({ place }) => {
    mkdirSync(place.home);
    writeFileSync(join(place.home, CONFIG_FILE), '{"max-size":5,"max-age":"soon","other":1}');
    expect(values(place)).toEqual({ 'max-size': [5, 'config'], 'max-age': [null, 'config'] });
    expect(problems(place)).toEqual(['max-age in config.json: "soon" is not a valid duration (example: 30d)']);
    expect(problems(place, { WIRETAPE_MAX_AGE: '0d' })).toEqual([
      'WIRETAPE_MAX_AGE: "0d" is not a valid duration (example: 30d)',
    ]);
    for (const text of ['', '[]', 'null', '{']) {
      writeFileSync(join(place.home, CONFIG_FILE), text);
      expect(problems(place)[0], text).toMatch(/config\.json cannot be read \(/);
      expect(() => writeSetting(place.home, 'max-size', '1gb')).toThrow('cannot be read');
    }
  });

  it('are written for us alone, and leave what they do not know', ({ place }) => {
    mkdirSync(place.home);
    writeFileSync(join(place.home, CONFIG_FILE), '{"newer":{"a":1}}');
    chmodSync(join(place.home, CONFIG_FILE), 0o644);
    writeSetting(place.home, 'max-size', '2gb');
    expect(JSON.parse(readFileSync(join(place.home, CONFIG_FILE), 'utf8'))).toEqual({
      newer: { a: 1 },
      'max-size': '2gb',
    });
    expect(statSync(join(place.home, CONFIG_FILE)).mode & 0o777).toBe(0o600);
    expect(readdirSync(place.home)).toEqual([CONFIG_FILE]);
  });
});
