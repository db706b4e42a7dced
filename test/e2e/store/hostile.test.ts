/** Names, tags, commands and methods are data: for SQLite as for the terminal. */
import { describe, expect } from 'vitest';
import { wiretapeHere } from '../../support/in-process.ts';
import { dump, query } from '../../support/index.ts';
import { ls, rebuilt } from '../../support/ls.ts';
import { run, WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';

const SQL = `'); DROP TABLE sessions; --"`;
const NAME = `${SQL} \x1b]0;owned\x07\x1b[2J \u202e名字👩‍💻`;
const METHODS = [SQL, 'a\0b', '\x1b[31mred', '', "o'brien", '日本', '%_*?', 'x'.repeat(5000)];

describe('hostile text', () => {
  it('reaches the index as it is, and a terminal only made visible', async ({ place }) => {
    const lines = METHODS.flatMap((method, i) => [
      JSON.stringify({ jsonrpc: '2.0', id: `${SQL}\0${i}`, method }),
      JSON.stringify({ type: `${SQL}\x1b[2J`, id: i }),
    ]);
    const recorded = await run(
      place,
      [
        WIRETAPE,
        'record',
        '--name',
        NAME,
        '--tag',
        `${SQL}=\x1b[2J=`,
        '--tag',
        '名=字',
        '--',
        'sh',
        '-c',
        'cat',
        SQL,
        '\x1b[2J',
      ],
      { input: `${lines.join('\n')}\n`, streams: 'socket' },
    );
    expect(recorded).toMatchObject({ code: 0, stderr: Buffer.alloc(0) });
    const { rows, said } = await ls(place, WIRETAPE);
    expect(said).toBe('');
    expect(rows[0]).toMatchObject({
      name: NAME,
      tags: { [SQL]: '\x1b[2J=', 名: '字' },
      command: ['sh', '-c', 'cat', SQL, '\x1b[2J'],
    });
    expect(query(place.home, 'SELECT count(*) AS n FROM sessions WHERE name = ?', NAME)[0]!.n).toBe(1);
    expect(
      query(place.home, 'SELECT method FROM exchanges WHERE asker = ? ORDER BY f', 'client').map(
        ({ method }) => method,
      ),
    ).toEqual(METHODS);
    expect(query(place.home, 'SELECT DISTINCT type FROM frames WHERE type IS NOT NULL')).toEqual([
      { type: `${SQL}\x1b[2J` },
    ]);
    const index = dump(place.home);
    expect(await rebuilt(place)).toEqual(index);

    const listed = (await wiretapeHere(place, ['ls'])).stdout.toString();
    expect(listed).toContain(`${SQL} ␛]0;owned␇␛[2J \\u202e名字👩‍💻`);
    const found = (await wiretapeHere(place, ['show', NAME, '--frames'])).stdout.toString();
    for (const text of [listed, found]) expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });
});
