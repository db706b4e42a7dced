/** Commands that take long over one session say how far they are, on a terminal and nowhere else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client } from '../support/client.ts';
import { WIRETAPE, wiretape } from '../support/run.ts';
import { makeSession, rpc } from '../support/session.ts';
import { it } from '../support/store.ts';

/** Long enough that no machine is done before there is something to say. */
function longSession(home: string): string {
  return makeSession(home, (journal) => {
    const text = 'a text that is as long as a few lines of an answer '.repeat(20);
    for (let n = 0; n < 60_000; n++)
      journal.data('client', 1000 + n, rpc({ id: n, method: 'do/it', params: { n, text, at: `/srv/shop/${n}` } }));
    journal.exit(1e8);
  }).id;
}

describe('a long session', () => {
  it('is read with a progress bar', { timeout: 180_000 }, async ({ place }) => {
    const id = longSession(place.home);
    const read = (...args: string[]) => {
      const shell = `${WIRETAPE} ${args.join(' ')} > ${join(place.dir, 'out')}`;
      return new Client(['script', '-qec', shell, '/dev/null'], { env: { ...place.env, TERM: 'xterm' } });
    };
    for (const [args, said] of [
      [['why', id], /wiretape: reading, in MB: \[#* *\] \d+ of \d+/],
      [['check', id, '--json'], /wiretape: reading, in MB: \[#* *\] \d+ of \d+/],
      [['export', id, '-f', 'csv'], /wiretape: (?:reading|exporting), in MB: \[#* *\] \d+ of \d+/],
      [['redact', id, '--scan'], /wiretape: redacting \[#* *\] \d+ of 600\d\d/],
    ] as const) {
      const terminal = read(...args);
      try {
        await terminal.over();
        const shown = terminal.stdout.toString();
        expect(shown).toMatch(said);
        // It is removed: the last thing of a line that is drawn again and again is that it is empty.
        expect(shown.slice(shown.lastIndexOf('\r\x1b[K'))).not.toContain(' MB: ');
        expect(readFileSync(join(place.dir, 'out'), 'utf8')).not.toContain('\x1b[K');
      } finally {
        terminal.dispose();
      }
    }
    const { stderr } = await wiretape(place, ['why', id]);
    expect(stderr.toString()).toBe('');
  });
});
