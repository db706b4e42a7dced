/** A session that is played on a terminal: what keys do, what resizing does, and the terminal as it was afterwards. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { Client } from '../support/client.ts';
import { allBegun } from '../support/ls.ts';
import { makeTalk } from '../support/played.ts';
import { processesWith } from '../support/processes.ts';
import { WIRETAPE } from '../support/run.ts';
import { it, type Place } from '../support/store.ts';
import { waitFor } from '../support/wait.ts';

const ENTERED = '\x1b[?1049h\x1b[?25l';
const LEFT = '\x1b[?25h\x1b[?1049l';

/** A shell on a terminal of its own. It says whether the terminal is as it was, and how playing ended. */
function onTerminal(place: Place, command: string, { before = '', size = 'rows 24 cols 80' } = {}): Client {
  const shell = [
    `stty ${size}`,
    'before=$(stty -g)',
    `echo "tty $(tty)."`,
    before,
    command,
    'code=$?',
    '[ "$(stty -g)" = "$before" ] && echo "restored, exit $code."',
  ];
  const env = { ...place.env, TERM: 'xterm' };
  return new Client(['script', '-qec', shell.filter((line) => line !== '').join('; '), '/dev/null'], { env });
}

/** Nothing comes by itself in the time that a test takes. */
const play = (...args: string[]) => `'${WIRETAPE}' play --speed 0.001 ${args.join(' ')}`;

async function playing(place: Place, args: string[], use: (terminal: Client) => Promise<void>): Promise<void> {
  makeTalk(place.home);
  const terminal = onTerminal(place, play(...args));
  try {
    await use(terminal);
  } finally {
    terminal.dispose();
  }
}

/** What was drawn last of the line at the bottom. */
const said = (terminal: Client) => terminal.stdout.toString();

/** The process that plays: not the shell, and not the small program that becomes it. */
async function playerOf(place: Place): Promise<number> {
  const isPlaying = ({ argv }: { argv: readonly string[] }) => argv.includes('play') && !argv.includes('-c');
  return (await waitFor(() => processesWith(place.marker).find(isPlaying), 'the player'))!.pid;
}

describe.concurrent('on a terminal', () => {
  it('takes keys, and gives the terminal back', async ({ place }) => {
    await playing(place, [], async (terminal) => {
      await terminal.until('f1/f19');
      for (const n of [2, 3, 4]) {
        await terminal.write('\x1b[C');
        await terminal.until(`f${n}/f19`);
      }
      await terminal.write('\x1b[D');
      await terminal.until('f3/f19', 'stdout', 2);
      await terminal.write('a');
      await terminal.until('f9/f19');
      await terminal.write('/from:client kind:prompt\r');
      await terminal.until('match 2 of 2');
      await terminal.write('?');
      await terminal.until('press any key to continue');
      await terminal.write('xq');
      await terminal.until('restored, exit 0.');
      const all = said(terminal);
      expect(all.indexOf(ENTERED)).toBeLessThan(all.indexOf('f1/f19'));
      expect(all.lastIndexOf(LEFT)).toBeGreaterThan(all.indexOf('press any key'));
      expect(all.split(ENTERED)).toHaveLength(2);
    });
  });

  it('ends at Ctrl-C', async ({ place }) => {
    await playing(place, [], async (terminal) => {
      await terminal.until('f1/f19');
      await terminal.write('\x03');
      await terminal.until('restored, exit 130.');
      expect(said(terminal)).toContain(LEFT);
    });
  });

  it.for([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('ends at %s, and gives the terminal back', async ([signal, code], { place }) => {
    await playing(place, [], async (terminal) => {
      await terminal.until('f1/f19');
      process.kill(await playerOf(place), signal);
      await terminal.until(`restored, exit ${code}.`);
      expect(said(terminal)).toContain(LEFT);
    });
  });

  it('leaves the terminal to the shell while it is suspended, and goes on where it was', async ({ place }) => {
    makeTalk(place.home);
    const command = `${play()}; [ "$(stty -g)" = "$before" ] && echo "stopped, and restored."; fg`;
    const terminal = onTerminal(place, command, { before: 'set -m' });
    try {
      await terminal.until('f1/f19');
      await terminal.write('\x1b[C');
      await terminal.until('f2/f19');
      await terminal.write('\x1a');
      await terminal.until('stopped, and restored.');
      await terminal.until(ENTERED, 'stdout', 2);
      await terminal.until('f2/f19', 'stdout', 2);
      await terminal.write('\x1b[C');
      await terminal.until('f3/f19');
      await terminal.write('q');
      await terminal.until('restored, exit 0.');
    } finally {
      terminal.dispose();
    }
  });

  it('is drawn again after somebody else stopped it', async ({ place }) => {
    await playing(place, [], async (terminal) => {
      await terminal.until('f1/f19');
      const pid = await playerOf(place);
      process.kill(pid, 'SIGSTOP');
      process.kill(pid, 'SIGCONT');
      await terminal.until(ENTERED, 'stdout', 2);
      await terminal.until('f1/f19', 'stdout', 2);
      await terminal.write('q');
      await terminal.until('restored, exit 0.');
    });
  });

  it('ends when the terminal is closed', async ({ place }) => {
    await playing(place, [], async (terminal) => {
      await terminal.until('f1/f19');
      const pid = await playerOf(place);
      terminal.kill('SIGKILL');
      await waitFor(() => processesWith(place.marker).every((one) => one.pid !== pid), 'the end of the player');
    });
  });

  it('has the new size after the terminal was resized', async ({ place }) => {
    await playing(place, [], async (terminal) => {
      await terminal.until('f1/f19');
      expect(said(terminal)).not.toContain('+- speed');
      const [, tty] = /tty (\S+)\./.exec(said(terminal))!;
      execFileSync('stty', ['-F', tty!, 'cols', '200', 'rows', '10']);
      await terminal.until('+- speed');
      await terminal.write('q');
      await terminal.until('restored, exit 0.');
    });
  });

  it('takes keys from the terminal if stdin is something else', async ({ place }) => {
    await playing(place, ['< /dev/null'], async (terminal) => {
      await terminal.until('f1/f19');
      await terminal.write('\x1b[C');
      await terminal.until('f2/f19');
      await terminal.write('q');
      await terminal.until('restored, exit 0.');
    });
  });

  it('has no colours if nobody wants them, and never obeys what was recorded', async ({ place }) => {
    await playing(place, ['--color never'], async (terminal) => {
      await terminal.until('f1/f19');
      await terminal.write('G');
      await terminal.until('f19/f19');
      await terminal.write('q');
      await terminal.until('restored, exit 0.');
      const codes = new Set(said(terminal).match(/\x1b(?:\[[?\d;]*[a-zA-Z]|.)/g));
      expect([...codes].sort()).toEqual(['\x1b[?1049h', '\x1b[?1049l', '\x1b[?25h', '\x1b[?25l', '\x1b[H', '\x1b[K']);
    });
  });

  it('prints lines if the terminal cannot be drawn on', async ({ place }) => {
    makeTalk(place.home);
    const terminal = onTerminal(place, `TERM=dumb '${WIRETAPE}' play --instant`);
    try {
      await terminal.until('restored, exit 0.');
      expect(said(terminal)).toContain('f19    83.000    proc   ·  process  exit');
      expect(said(terminal)).not.toContain('\x1b');
    } finally {
      terminal.dispose();
    }
  });
});

describe.concurrent('a session that still runs', () => {
  const agent = fileURLToPath(new URL('../../samples/agent.mjs', import.meta.url));
  const rpc = (value: object) => `${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`;
  const record = [WIRETAPE, 'record', '--', process.execPath, agent, '--wire', '--scenario', 'hang'];
  const begin =
    rpc({ id: 'i', method: 'initialize', params: { protocol_version: '1.10' } }) +
    rpc({ id: 'p', method: 'prompt', params: { user_input: '开始' } });

  it('is followed on the screen, and ends there', async ({ place }) => {
    const recorder = new Client(record, { env: place.env });
    let terminal: Client | null = null;
    try {
      await recorder.write(begin);
      await recorder.until('ApprovalRequest');
      await allBegun(place);
      terminal = onTerminal(place, `'${WIRETAPE}' play --instant --color never`);
      await terminal.until('live at once');
      await terminal.until('approval waiting');
      recorder.end();
      await recorder.over();
      await terminal.until('approval no answer');
      await terminal.write('q');
      await terminal.until('restored, exit 0.');
    } finally {
      recorder.dispose();
      terminal?.dispose();
    }
  });

  it('is followed as lines, until it ends', async ({ place }) => {
    const recorder = new Client(record, { env: place.env });
    let reader: Client | null = null;
    try {
      await recorder.write(begin);
      await recorder.until('ApprovalRequest');
      await allBegun(place);
      reader = new Client([WIRETAPE, 'play', '--speed', '1000x', '--max-gap', '0'], { env: place.env });
      await reader.until('approval Shell');
      recorder.end();
      await reader.over();
      expect(reader.code).toBe(0);
      const lines = reader.stdout.toString();
      expect(lines).toMatch(/^f\d+ .*process {2}exit code=/m);
      expect(lines).not.toContain('\x1b');
    } finally {
      recorder.dispose();
      reader?.dispose();
    }
  });
});

describe.concurrent('as lines', () => {
  it('ends quietly when nobody reads any more', async ({ place }) => {
    makeTalk(place.home);
    const reader = new Client([WIRETAPE, 'play', '--speed', '100x'], { env: place.env });
    try {
      await reader.until('I will');
      reader.close('stdout');
      await reader.over();
      expect([reader.code, reader.signal, reader.stderr.toString()]).toEqual([0, null, '']);
    } finally {
      reader.dispose();
    }
  });

  it('ends at a signal while it waits', async ({ place }) => {
    makeTalk(place.home);
    const reader = new Client([WIRETAPE, 'play', '--speed', '0.001'], { env: place.env });
    try {
      await reader.until('handshake');
      reader.kill('SIGTERM');
      await reader.over();
      expect([reader.code, reader.stderr.toString()]).toEqual([143, '']);
    } finally {
      reader.dispose();
    }
  });
});
