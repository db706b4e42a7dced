/** What somebody sees who plays a session and presses keys. The clock is the test's. */
import { afterEach, describe, expect } from 'vitest';
import { AS_RECORDED, AT_ONCE, type Pace } from '../../../../lib/model/pace.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { playScreen } from '../../../../lib/output/terminal/play-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { type Played, playTalk } from '../../../support/played.ts';
import { it, type Place } from '../../../support/store.ts';

let played: Played | null = null;
afterEach(async () => {
  await played?.close();
  played = null;
});

async function playing(place: Place, pace: Pace = AS_RECORDED, range = {}): Promise<Played> {
  played = await playTalk(place.home, pace, range);
  return played;
}

/** The lines of the timeline that say something of this. */
const about = (lines: string[], what: string) => lines.filter((line) => /^f\d/.test(line) && line.includes(what));

describe('playing', () => {
  it('shows each frame when it is due', async ({ place }) => {
    const { at } = await playing(place);
    const shown = [];
    for (const second of [0, 0.4, 0.5, 0.9, 1, 2.5, 3, 64.9, 65, 83]) shown.push((await at(second)).f);
    expect(shown).toEqual([1, 1, 2, 2, 4, 6, 7, 9, 10, 19]);
    expect(await at(84)).toMatchObject({ mode: 'end', t: 83, lastT: 83, lastF: 19, turn: 2 });
  });

  it('is faster and slower as it is told', async ({ place }) => {
    const { at } = await playing(place, { speed: 10, maxGap: null });
    expect(await at(0.35)).toMatchObject({ f: 7, mode: 'playing', speed: 10 });
    expect((await at(6.55)).f).toBe(10);
  });

  it('shows text as it grows, a tool that runs, and an approval that waits and is then decided', async ({ place }) => {
    const { at, screen } = await playing(place);
    await at(2);
    expect(about(screen(), 'I will')).toEqual(['f6        2.000      I will']);
    await at(3);
    expect(about(screen(), 'I will')).toEqual(['f6        2.000      I will build 世界.']);
    await at(4.5);
    expect(about(screen(), 'Shell')).toEqual(['f8        4.000      Shell  running 0 s  $ make']);
    await at(42.3);
    expect(about(screen(), 'Shell')).toEqual(['f8        4.000      Shell  waiting 37 s for the client  $ make']);
    expect(about(screen(), 'approval')[0]).toBe('f9        5.000        approval waiting 37 s  run command');
    await at(70);
    expect(about(screen(), 'approval')[0]).toBe('f9        5.000        approval allow after 1m 00s  run command');
    expect(about(screen(), 'Shell')).toEqual(['f8        4.000      Shell  running 5 s  waited 1m 00s  $ make']);
    await at(76);
    expect(about(screen(), 'Shell')[0]).toMatch(/Shell {2}ok {2}waited 1m 00s, ran 10\.00 s/);
    expect(about(screen(), 'turn 1')[0]).toContain('finished');
  });

  it('skips what is longer than the limit, and says so before and after', async ({ place }) => {
    const { at, screen } = await playing(place, { speed: 1, maxGap: 2 });
    expect(await at(5)).toMatchObject({ f: 9, ahead: { seconds: 58, skips: true } });
    expect(screen().at(-1)).toContain('skipping 58.00 s');
    expect(await at(6.9)).toMatchObject({ f: 9, t: 6.9 });
    expect(await at(7)).toMatchObject({ f: 10, t: 65, note: 'skipped 58.00 s' });
    expect(await at(9)).toMatchObject({ f: 13, note: 'skipped 8.00 s' });
    expect(await at(60)).toMatchObject({ mode: 'end', note: 'skipped 1m 09s in total' });
  });

  it('says how long the next frame takes if that is long', async ({ place }) => {
    const { at, screen } = await playing(place, { speed: 2, maxGap: null });
    await at(2.5);
    expect(screen().at(-1)).toContain('next frame in 30 s (→)');
    expect((await at(31.5)).ahead).toBeNull();
  });

  it('shows everything at once', async ({ place }) => {
    const { at } = await playing(place, AT_ONCE);
    expect(await at(0)).toMatchObject({ f: 19, mode: 'end', t: 83, clock: null });
  });

  it('plays a part: what is before it is there at once, and what is after it never comes', async ({ place }) => {
    const { at } = await playing(place, AS_RECORDED, { from: 10, until: 11 });
    expect(await at(0)).toMatchObject({ f: 10, t: 65 });
    expect(await at(1000)).toMatchObject({ f: 11, t: 75, mode: 'end', clock: 75 });
  });

  it('goes on where it was when nobody could look for a while', async ({ place }) => {
    const { at, player } = await playing(place);
    await at(2);
    const asleep = 2.4;
    const later = at(1000);
    player.wake(asleep);
    await later;
    expect(await at(1000.5)).toMatchObject({ f: 6 });
    expect(await at(1000.6)).toMatchObject({ f: 7 });
  });
});

describe('keys', () => {
  it('pause and go on', async ({ place }) => {
    const { at, press } = await playing(place);
    await at(2.5);
    expect(await press(' ')).toMatchObject({ mode: 'paused', f: 6 });
    expect(await at(500)).toMatchObject({ f: 6, t: 2.5 });
    expect(await press(' ')).toMatchObject({ mode: 'playing' });
    expect(await at(500.4)).toMatchObject({ f: 6 });
    expect(await at(500.5)).toMatchObject({ f: 7 });
  });

  it('step forward and back, frame by frame, with the session as it was then', async ({ place }) => {
    const { at, press, screen } = await playing(place);
    await at(70);
    expect(await press('right')).toMatchObject({ mode: 'paused', f: 11, t: 75 });
    expect(await press('left', 'left')).toMatchObject({ f: 9, t: 5 });
    expect(about(screen(), 'approval')[0]).toContain('approval waiting 0 s');
    expect(await press('left', 'left', 'left')).toMatchObject({ f: 6 });
    expect(about(screen(), 'I will')).toEqual(['f6        2.000      I will']);
    for (let n = 0; n < 10; n++) await press('left');
    expect(await press('left')).toMatchObject({ f: 0 });
    expect(await press('right')).toMatchObject({ f: 1 });
  });

  it('do not step beyond the end', async ({ place }) => {
    const { press } = await playing(place, AT_ONCE);
    expect(await press('right', 'right')).toMatchObject({ f: 19, mode: 'end' });
    expect(await press('left')).toMatchObject({ f: 18, mode: 'paused' });
  });

  it('go to turns and approvals, on and back', async ({ place }) => {
    const { press } = await playing(place);
    expect(await press('t')).toMatchObject({ f: 4, turn: 1, mode: 'playing' });
    expect(await press('t')).toMatchObject({ f: 15, turn: 2 });
    expect(await press('t')).toMatchObject({ f: 15, note: 'no turn after this' });
    expect(await press('A')).toMatchObject({ f: 9, turn: 1 });
    expect(await press('A')).toMatchObject({ f: 9, note: 'no approval or question before this' });
    expect(await press('T')).toMatchObject({ f: 4 });
    expect(await press('a')).toMatchObject({ f: 9 });
    expect(await press('a')).toMatchObject({ f: 9, note: 'no approval or question after this' });
  });

  it('change the speed', async ({ place }) => {
    const { at, press } = await playing(place);
    await at(5);
    expect(await press('+', '+')).toMatchObject({ speed: 4, note: 'speed 4x' });
    expect((await at(19.9)).f).toBe(9);
    expect((await at(20)).f).toBe(10);
    expect(await press('-', '-', '-')).toMatchObject({ speed: 0.5 });
    for (let n = 0; n < 20; n++) await press('-');
    expect(await press('-')).toMatchObject({ speed: 0.125 });
  });

  it('leave what is at once for a speed', async ({ place }) => {
    const { press } = await playing(place, AT_ONCE);
    expect(await press('-')).toMatchObject({ speed: 256 });
  });

  it('go to the start and to the end', async ({ place }) => {
    const { at, press } = await playing(place);
    await at(5);
    expect(await press('G')).toMatchObject({ f: 19, mode: 'end' });
    expect(await press(' ')).toMatchObject({ note: 'g goes to the start' });
    expect(await press('g')).toMatchObject({ mode: 'playing', t: 0 });
  });

  it('search with a query, and go from match to match', async ({ place }) => {
    const { press, search } = await playing(place);
    expect(await search('kind:prompt')).toMatchObject({ f: 3, mode: 'paused', note: 'match 1 of 2', typed: null });
    expect(await press('n')).toMatchObject({ f: 14, note: 'match 2 of 2' });
    expect(await press('n')).toMatchObject({ f: 14, note: 'no later match' });
    expect(await press('N')).toMatchObject({ f: 3, note: 'match 1 of 2' });
    expect(await press('/', 'return')).toMatchObject({ f: 14 });
    expect(await search('世界')).toMatchObject({ f: 14, note: 'no later match' });
    expect(await press('N')).toMatchObject({ f: 7, note: 'match 1 of 1' });
    expect(await search('tool:Nothing')).toMatchObject({ note: 'no frame matches' });
  });

  it('correct a query that is wrong', async ({ place }) => {
    const { press, search, screen } = await playing(place);
    expect(await search('kin:prompt')).toMatchObject({ typed: 'kin:prompt' });
    expect(screen().at(-1)).toMatch(/^\/kin:prompt▏ {2}unknown qualifier/);
    expect(await press('backspace')).toMatchObject({ typed: 'kin:promp', note: null });
    expect(await press('ctrl-u')).toMatchObject({ typed: '' });
    expect(await press('a', ' ', 'b', 'ctrl-w')).toMatchObject({ typed: 'a ' });
    expect(await press('escape')).toMatchObject({ typed: null, f: 1 });
    expect(await press('n')).toMatchObject({ note: '/ searches' });
  });

  it('look further up, which pauses, and back down', async ({ place }) => {
    const { at, press, player, screen } = await playing(place);
    await at(82.5);
    const all = screen(80, 60).slice(0, -1);
    while (all.at(-1) === '') all.pop();
    /** Seven lines, so many lines above the end. */
    const above = (lines: number) => all.slice(all.length - lines - 7, all.length - lines);
    expect(screen(80, 8).slice(0, 7)).toEqual(above(0));
    player.page = 6;
    expect(await press('up')).toMatchObject({ scroll: 1, mode: 'paused' });
    expect(screen(80, 8).slice(0, 7)).toEqual(above(1));
    expect(screen(80, 8).at(-1)).toContain('1 lines up');
    await press('pageup');
    expect(screen(80, 8).slice(0, 7)).toEqual(above(7));
    expect(await press('pagedown', 'down')).toMatchObject({ scroll: 0 });
    expect(screen(80, 8).slice(0, 7)).toEqual(above(0));
  });

  it('look no further up than to the first line', async ({ place }) => {
    const { at, press, player } = await playing(place);
    await at(82.5);
    player.page = 1000;
    const { scroll } = await press('pageup');
    const size = { columns: 80, rows: 8 };
    const { text, most } = playScreen(player.state(), size, themeFor(false));
    expect(text.split('\n')[0]).toBe('20261116T022911-k3f9 kimi --wire');
    expect(scroll).toBe(1000);
    expect(player.state(most).scroll).toBe(most);
  });

  it('show help until any key is pressed', async ({ place }) => {
    const { press, screen } = await playing(place);
    expect(await press('?')).toMatchObject({ isHelp: true });
    expect(screen().join('\n')).toMatch(/^keys\n {2}space +pause, or continue$/m);
    const { hasQuit } = played!.player;
    expect([await press('q'), hasQuit]).toMatchObject([{ isHelp: false }, false]);
    await press('q');
    expect(played!.player.hasQuit).toBe(true);
  });

  it('that mean nothing do nothing', async ({ place }) => {
    const { press } = await playing(place);
    const before = await press();
    expect(await press('z', 'ctrl-x', 'f5', '世')).toEqual(before);
  });
});

describe('the screen', () => {
  it('has as many lines as the terminal, none wider, whatever was recorded', async ({ place }) => {
    const { at, screen } = await playing(place);
    for (const second of [0, 3, 42, 83])
      for (const [columns, rows] of [
        [80, 24],
        [200, 50],
        [40, 5],
        [20, 2],
      ] as const) {
        await at(second);
        const lines = screen(columns, rows);
        expect(lines).toHaveLength(rows);
        // The timeline is not made for so little room; the line below it is.
        for (const line of columns < 40 ? lines.slice(-1) : lines)
          expect(cells(line), line).toBeLessThanOrEqual(columns);
      }
  });

  it('shows hostile text, and never obeys it', async ({ place }) => {
    const { at, screen } = await playing(place);
    await at(83);
    expect(about(screen(), 'clear')).toEqual(['f16      81.000    ␛[2J\\u202eall ␇clear']);
    expect(screen().join('')).not.toMatch(/[\x00-\x1f\u202e]/);
  });

  it('says below where playing is', async ({ place }) => {
    const { at, screen } = await playing(place);
    await at(42.3);
    expect(screen(120).at(-1)).toBe(
      'playing 1x  0:42.3/1:23.0  turn 1  f9/f19  next frame in 22 s (→)           space pause  →← step  t turn  ? help  q quit',
    );
  });
});
