/** A command answers the same to the byte, in this process (as scripts run it) and in a process of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wiretapeHere } from '../support/in-process.ts';
import { importTapes } from '../support/query-store.ts';
import { wiretape } from '../support/run.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';

const COMMANDS: [string[], NodeJS.ProcessEnv?][] = [
  [['ls']],
  [['ls', '--color', 'always'], { COLUMNS: '90' }],
  [['ls', '--json', 'kind:approval']],
  [['show', 'last']],
  [['show', 'last', '-q', 'is:error'], { COLUMNS: '70', FORCE_COLOR: '1' }],
  [['show', 'last#f3', '--json']],
  [['show', 'last', '--raw', '--from', 'agent']],
  [['filter', 'from:agent kind:approval', '--context', '1']],
  [['filter', 'is:error (from:agent']],
  [['tail', 'last', '-n', '3']],
  [['approvals', '--all', '--csv']],
  [['stats', '--all', '--json']],
  [['check', '--all', '--fail-on', 'never']],
  [['why', 'last']],
  [['why', 'last', '--json']],
  [['verify', '--json']],
  [['export', 'last', '--format', 'jsonl']],
  [['help', 'show']],
  [['shwo']],
];

let place: Place;
beforeAll(async () => {
  place = makePlace();
  importTapes(place.home, (name) => /wire-1.49.0.(errors|plan_mode|approval_)/.test(name));
  await wiretape(place, ['ls']);
});
afterAll(() => removePlace(place));

describe.concurrent('the same both ways:', () => {
  it.for(COMMANDS)('%s', async ([argv, more]) => {
    const env = { ...place.env, ...more };
    const apart = await wiretape(place, argv, { env, cwd: place.dir });
    const here = await wiretapeHere(place, argv, { env });
    expect(here.code).toBe(apart.code);
    expect(here.stderr.toString()).toBe(apart.stderr.toString());
    expect(here.stdout.toString()).toBe(apart.stdout.toString());
  });
});
