/**
 * Secrets in every place of a tape, over every command that shows recorded text to people: hidden, whole and in part, unless
 * they are asked for. `--json` of frames and `--raw` are exact.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as $ from '../support/audit.ts';
import { runMain } from '../support/main.ts';
import type { Said } from '../support/reading.ts';
import { sample } from '../support/scale.ts';

/** A value that nothing else contains, for each place. */
const secrets = new Map<string, string>();
function planted(place: string): string {
  const letters = 'bcdfghjkmnpqrtvwxz';
  const n = secrets.size + 1;
  const value = Array.from({ length: 30 }, (_, i) => (i % 5 === 2 ? (n + i) % 10 : letters[(n * 7 + i * i) % 18])).join(
    '',
  );
  secrets.set(place, value);
  return value;
}
const key = (place: string) => `ghp_${planted(place)}${'Q1w2E3r4'}`;

const lines = (which: string): (Said | ['stderr' | 'noise', string])[] => {
  const at = (place: string) => `${which} ${place}`;
  const pem = `-----BEGIN PRIVATE KEY-----\n${planted(at('pem 1'))}\n${planted(at('pem 2'))}\n-----END PRIVATE KEY-----`;
  const streamed = key(at('text in pieces'));
  return [
    [
      'client',
      {
        jsonrpc: '2.0',
        id: 'i',
        method: 'initialize',
        params: { protocol_version: '1.10', client: { name: 'c', version: '1' }, token: planted(at('handshake')) },
      },
    ],
    [
      'agent',
      {
        jsonrpc: '2.0',
        id: 'i',
        result: { protocol_version: '1.10', server: { name: 'Kimi', version: '1' }, slash_commands: [] },
      },
    ],
    $.prompts(
      'p',
      `deploy with ${key(at('prompt'))} and ${'many words '.repeat(9)}then password=${planted(at('password in a prompt'))}`,
    ),
    $.begins(`deploy with ${key(at('turn'))}`),
    $.says('StepBegin', { n: 1 }),
    $.says('ContentPart', { type: 'think', think: `the token is ${key(at('thinking'))}` }),
    $.says('ContentPart', { type: 'text', text: `I use ${streamed.slice(0, 20)}` }),
    $.says('ContentPart', { type: 'text', text: `${streamed.slice(20)} now.` }),
    $.calls('c1', 'Shell', {
      command: `curl -u admin:${planted(at('curl'))} https://bot:${planted(at('url'))}@example.com -H "Authorization: Bearer ${planted(at('bearer'))}"`,
      password: planted(at('argument')),
      env: { API_KEY: planted(at('inner argument')) },
    }),
    $.wants('r1', 'c1', {
      description: `Run command \`mysql -p${planted(at('mysql'))}\``,
      display: [{ type: 'shell', language: 'bash', command: `export TOKEN=${planted(at('display'))}` }],
    }),
    $.decides('r1', 'approve', { feedback: `use ${key(at('feedback'))}` }),
    $.results('c1', false, `ok\n${pem}\nAPI_KEY=${planted(at('output'))}\n`),
    ['stderr', `Error: refused, Authorization: Bearer ${planted(at('stderr'))}`],
    ['noise', `debug secret=${planted(at('noise'))}`],
    ['client', { jsonrpc: '2.0', id: 'x', method: `bad_${key(at('method'))}`, params: {} }],
    ['agent', { jsonrpc: '2.0', id: 'x', error: { code: -32601, message: `no ${key(at('error'))}` } }],
    $.calls('c2', 'Write', { path: '/w/.env', content: `A=1\nSECRET_KEY=${planted(at('file'))}\n` }),
    $.wants('r2', 'c2', { action: 'edit', description: `Write with ${key(at('open approval'))}` }),
    $.decides('r2', key(at('a decision that does not exist'))),
    $.results('c2', true, `failed: token ${key(at('failure'))}`),
    $.calls('c3', 'Shell', { command: `sshpass -p ${planted(at('running'))} ssh host` }),
    $.wants('r3', 'c3', { description: `Run \`sshpass -p ${planted(at('asked'))} ssh host\`` }),
    [
      'noise',
      `${JSON.stringify({ jsonrpc: '2.0', id: 'g', method: 'steer', params: { user_input: `try ${key(at('joined'))}` } })}{"jsonrpc":"2.0","id":"h","method":"cancel"}`,
    ],
  ];
};

function tapeOf(which: string): string {
  const rows: object[] = [
    {
      ...{ type: 'metadata', wiretape: 1, session: `20261116T02291${which === 'a' ? 1 : 2}-sec${which}` },
      started_at: '2026-11-16T02:29:11.123456Z',
      command: ['kimi', '--wire', '--api-key', planted(`${which} argv`), `--token=${planted(`${which} argv 2`)}`],
      ...{ cwd: '/w', recorder: 'wiretape 0.1.0' },
    },
    { f: 1, t: 0, from: 'proc', event: 'spawn', pid: 7 },
  ];
  for (const [from, what] of lines(which)) {
    const f = rows.length;
    const at = { f, t: f / 10 };
    if (from === 'stderr') rows.push({ ...at, from, text: what });
    else if (from === 'noise') rows.push({ ...at, from: f > 20 ? 'client' : 'agent', text: what });
    else rows.push({ ...at, from, message: what });
  }
  rows.push({
    f: rows.length,
    t: 9,
    from: 'proc',
    event: 'exit',
    code: 1,
    signal: null,
    reason: `token=${planted(`${which} exit`)}`,
  });
  return `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
}

let dir: string;
const home = () => ({ home: join(dir, 'store') });

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'wiretape-secrets-'));
  for (const which of ['a', 'b']) {
    const folder = join(dir, 'store', 'sessions', `20261116T02291${which === 'a' ? 1 : 2}-sec${which}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'wire.jsonl'), tapeOf(which));
  }
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const FRAMES = Array.from({ length: 24 }, (_, i) => `seca#f${i + 1}`);

const COMMANDS: string[][] = [
  ['ls'],
  ['ls', '--all'],
  ['show', 'seca'],
  ['show', 'seca', '--full'],
  ['show', 'seca', '--tools'],
  ['show', 'seca', '--frames'],
  ['show', 'seca', '-q', 'is:error'],
  ['show', 'seca', '--from', 'stderr'],
  ['show', 'seca', '--from', 'proc'],
  ...FRAMES.map((frame) => ['show', frame]),
  ...FRAMES.map((frame) => ['show', frame, '--full']),
  ['tail', 'seca', '-n', 'all'],
  ['play', 'seca', '--instant'],
  ['filter', 'has:secret'],
  ['filter', 'deploy'],
  ['filter', 'now', '-C', '3'],
  ['filter', 'host', '--pair'],
  ['filter', 'from:agent'],
  ['filter', 'from:client'],
  ['filter', 'from:stderr OR from:proc'],
  ['approvals'],
  ['approvals', 'seca', '--full', '--all'],
  ['approvals', '--by', 'tool,client'],
  ['approvals', '--summary', '--chain'],
  ['why', 'seca'],
  ['why', 'seca', '--watch'],
  ['stats', 'seca'],
  ['stats', '--all'],
  ['check', 'seca'],
  ['check', '--all', '--junit'],
  ['diff', 'seca', 'secb'],
  ['diff', 'seca', 'secb', '--full', '--show-masked'],
  ['diff', 'seca', 'secb', '-y'],
  ['diff', 'seca', 'secb', '-u'],
  ['diff', 'seca', 'secb', '--stat'],
  ['diff', 'seca', 'secb', '--shape'],
  ['diff', 'seca', 'secb', '--junit'],
  ['verify', 'seca'],
  ['rm', 'seca', '--dry-run'],
  ['prune', '--keep', '0', '--dry-run'],
];

/** What a screen that hides secrets must not show: any ten characters of one. */
const LONGEST = 10;
const plain = (text: string) => text.replaceAll(/\x1b\[[0-9;]*m/g, '');

/** Where each piece of a text is a frame of its own, no piece has the whole secret. */
const isOfFrames = (argv: readonly string[]) =>
  argv[0] === 'filter' || argv.includes('--frames') || /#f/.test(argv[1] ?? '');

function seenIn(text: string, argv: readonly string[] = []): string[] {
  const shown = plain(text);
  return [...secrets].flatMap(([place, secret]) => {
    if (place.endsWith('in pieces') && isOfFrames(argv)) return [];
    for (let i = 0; i + LONGEST <= secret.length; i++) {
      const part = secret.slice(i, i + LONGEST);
      if (shown.includes(part)) return [`${place}: ${part}`];
    }
    return [];
  });
}

describe.each<[string, { columns: number; color: boolean }]>([
  ['in a pipe', { columns: Number.POSITIVE_INFINITY, color: false }],
  ['on a narrow terminal with colours', { columns: 80, color: true }],
  ['on a wide one', { columns: 200, color: true }],
])('%s', (_, screen) => {
  it.each(sample(COMMANDS, 8).map((argv) => [argv.join(' '), argv] as const))(
    'wiretape %s hides them',
    async (_name, argv) => {
      const { stdout, stderr, outcome } = await runMain(home(), argv, screen);
      expect(seenIn(stdout + stderr, argv)).toEqual([]);
      expect(stderr).not.toContain('this is a bug');
      expect([0, 1]).toContain(outcome);
      expect(stdout + stderr).not.toBe('');
    },
  );
});

/** Commands that have the option, and how many of the secrets they show at least. */
it.each<[string[], number]>([
  [['ls'], 2],
  [['prune', '--keep', '0', '--dry-run'], 2],
  [['show', 'seca', '--full'], 15],
  [['show', 'seca', '--frames'], 20],
  [['show', 'seca#f4'], 2],
  [['tail', 'seca', '-n', 'all'], 15],
  [['play', 'seca', '--instant', '--full'], 10],
  [['filter', 'has:secret'], 20],
  [['approvals', '--full'], 4],
  [['why', 'seca'], 3],
  [['stats', 'seca'], 1],
  [['check', 'seca'], 2],
  [['diff', 'seca', 'secb', '--full'], 8],
])('wiretape %s --show-secrets shows them', async (argv, least) => {
  const screen = { columns: Number.POSITIVE_INFINITY };
  const { stdout } = await runMain(home(), [...argv, '--show-secrets'], screen);
  expect(seenIn(stdout).length).toBeGreaterThanOrEqual(least);
  expect(seenIn((await runMain(home(), argv, screen)).stdout, argv)).toEqual([]);
});

/** Each secret that is on the tape, but not in pieces. */
const onTape = (which: string) =>
  [...secrets].filter(([place]) => place.startsWith(which) && !/pieces|argv/.test(place));

it.each([
  [['show', 'seca', '--frames', '--json']],
  [['filter', 'session:seca', '--json']],
  [['filter', 'session:seca', '--raw']],
  [['tail', 'seca', '-n', 'all', '--json']],
])('wiretape %s is exact', async (argv) => {
  const { stdout } = await runMain(home(), argv);
  const missing = onTape('a ').filter(
    ([place, secret]) => !stdout.includes(secret) && !(argv.includes('--raw') && /exit/.test(place)),
  );
  expect(missing).toEqual([]);
});

it('the JSON of other commands is exact, too', async () => {
  for (const argv of [
    ['why', 'seca', '--json'],
    ['check', 'seca', '--json'],
    ['approvals', 'seca', '--json'],
    ['approvals', '--csv'],
  ])
    expect(seenIn((await runMain(home(), argv)).stdout), argv.join(' ')).not.toEqual([]);
});

it('nothing stays hidden for the next command', async () => {
  await runMain(home(), ['show', 'seca']);
  const { stdout } = await runMain(home(), ['export', 'seca', '--format', 'jsonl', '--redact', 'none', '-o', '-']);
  expect(seenIn(stdout).length).toBeGreaterThan(0);
});
