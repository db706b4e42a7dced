/** The clock of a session that runs is now, not its last frame: in the listing, the timeline, the numbers, and while followed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { microsOf } from '../../../../lib/model/frame.ts';
import { keepFrame } from '../../../../lib/model/kept-frame.ts';
import { textIn } from '../../../../lib/model/message.ts';
import { WaitingStatus } from '../../../../lib/storage/search/waiting-status.ts';
import { JOURNAL, sessionsDir, TAPE } from '../../../../lib/storage/store/home.ts';
import { openPlace, using } from '../../../../lib/storage/store/open.ts';
import { thisProcess } from '../../../../lib/storage/store/owner.ts';
import { placeOf } from '../../../../lib/storage/store/sessions.ts';
import { wiretapeHere } from '../../../support/in-process.ts';
import { buildTape, TestJournal } from '../../../support/journal.ts';
import { rpc } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const ID = '20261116T022911-k3f9';
const STARTED = '2026-11-16T02:29:11.000000Z';
const event = (type: string, payload: object) => rpc({ method: 'event', params: { type, payload } });
const CALL = { type: 'function', id: 'c', function: { name: 'Shell', arguments: '{"command":"rm -r 构建"}' } };
const ASK = { id: 'r', tool_call_id: 'c', sender: 'Shell', action: 'run command', description: 'Run it' };

/** A session whose recorder is this process: its last frame is a request, two seconds after the start. */
function running({ home }: Place): string {
  const dir = join(sessionsDir(home), ID);
  mkdirSync(dir, { recursive: true });
  const journal = new TestJournal(join(dir, JOURNAL), { session: ID, started_at: STARTED });
  journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
  journal.data('client', 1e6, rpc({ id: 'p', method: 'prompt', params: { user_input: '开始' } }));
  journal.data('agent', 1.5e6, event('TurnBegin', { user_input: '开始' }) + event('StepBegin', { n: 1 }));
  journal.data('agent', 1.9e6, event('ToolCall', CALL));
  journal.data('agent', 2e6, rpc({ method: 'request', id: 'r', params: { type: 'ApprovalRequest', payload: ASK } }));
  journal.journal.close();
  const tape = join(dir, TAPE);
  buildTape(join(dir, JOURNAL), tape);
  // A journal without an end is taken for that of a dead recorder.
  const lines = readFileSync(tape, 'utf8').split('\n');
  writeFileSync(tape, lines.filter((line) => !/"event":"lost"|"type":"seal"/.test(line)).join('\n'));
  writeFileSync(join(dir, 'owner.json'), JSON.stringify(thisProcess()));
  return dir;
}

/** The clock shows so many seconds since the start. */
const at = (seconds: number) => vi.spyOn(Date, 'now').mockReturnValue(microsOf(STARTED) / 1000 + seconds * 1000);

async function says(place: Place, args: string[], columns = '200'): Promise<string> {
  const env = { ...place.env, COLUMNS: columns, NO_COLOR: '1' };
  const { stdout, stderr } = await wiretapeHere(place, args, { env });
  expect(stderr.toString()).toBe('');
  return stdout.toString();
}

describe('a session that runs', () => {
  beforeEach(() => void at(16.3));
  afterEach(() => void vi.restoreAllMocks());

  it('is listed with the time it has run, and how long it waits for its client', async ({ place }) => {
    running(place);
    expect(await says(place, ['ls'])).toMatch(/ 16\.30 s .* running, waiting 14 s for the client /);
    expect(await says(place, ['ls'], '80')).toContain(' waiting 14 s ');
    expect(JSON.parse(await says(place, ['ls', '--json']))).toMatchObject({
      ...{ state: 'running', duration: 16.3, waiting: { for: 'client', f: 6, seconds: 14.3 } },
    });
  });

  it('is shown with what still waits', async ({ place }) => {
    running(place);
    const shown = await says(place, ['show', 'last']);
    expect(shown).toContain('running for 16.30 s');
    expect(shown).toMatch(/turn 1 {2}running {2}15\.30 s/);
    expect(shown).toContain('Shell  waiting 14 s for the client');
    expect(shown).toContain('approval waiting 14 s');
  });

  it('is measured until now', async ({ place }) => {
    running(place);
    const text = await says(place, ['stats']);
    expect(text).toMatch(/took +16\.30 s/);
    expect(text).toContain('waiting for an answer 14.30 s');
    expect(text).toMatch(/silence +14\.30 s after f6/);
    const { duration, phases, largest_gap } = JSON.parse(await says(place, ['stats', '--json']));
    expect({ duration, phases, largest_gap }).toEqual({
      duration: 16.3,
      phases: { busy: 1, waiting: 14.3, idle: 1 },
      largest_gap: { f: 6, seconds: 14.3 },
    });
  });

  it('says who waits, after two seconds of silence and once a second', async ({ place }) => {
    running(place);
    const session = placeOf(place.home, ID);
    const silence = new WaitingStatus(session);
    using(openPlace(session), (opened) => {
      const { metadata } = opened;
      for (const frame of opened.frames())
        silence.take({ metadata, frame: keepFrame(frame, textIn(frame)), past: true });
    });
    const words = (seconds: number) => {
      at(seconds);
      return silence.text();
    };
    expect(words(3.9)).toBeNull();
    expect(words(4)).toBe('waiting 2 s for the client: approval of Shell `rm -r 构建` (f6)');
    expect(words(4.9)).toBeNull();
    expect(words(75)).toBe('waiting 1m 13s for the client: approval of Shell `rm -r 构建` (f6)');
  });
});

it('a session that has ended has its own clock', async ({ place }) => {
  const dir = running(place);
  writeFileSync(join(dir, 'owner.json'), JSON.stringify({ ...thisProcess(), start: 'another', pid: 2 ** 22 + 1 }));
  const { duration, state, waiting } = JSON.parse(await says(place, ['ls', '--json']));
  expect({ state, waiting, isShort: duration < 3 }).toEqual({ state: 'killed', waiting: undefined, isShort: true });
  expect(await says(place, ['show', 'last'])).not.toContain('waiting');
});
