/** The audit on a screen: at 80 and 200 cells, in Chinese, with hostile text, with and without colours. */
import { describe, expect, it } from 'vitest';
import { ApprovalGroups } from '../../../../lib/analysis/audit/groups.ts';
import type { ListedApproval } from '../../../../lib/analysis/audit/listed-approval.ts';
import { maskedRow } from '../../../../lib/analysis/audit/mask-row.ts';
import { type ApprovalRow, makeRow } from '../../../../lib/analysis/audit/row.ts';
import { emptySum } from '../../../../lib/analysis/audit/sum.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { ApprovalTable } from '../../../../lib/output/terminal/approvals-table.ts';
import { approvalsInFull, sessionTotals } from '../../../../lib/output/terminal/approvals-view.ts';
import { groupTable } from '../../../../lib/output/terminal/groups-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';

const plain = themeFor(false);
const session = '20261116T022911-k3f9';

const listed = (more: Partial<ApprovalRow>): ListedApproval => ({
  ...{ session, startedAt: Date.UTC(2026, 10, 16, 23, 59, 58) * 1000, cwd: '/home/dev/project', caveats: [] },
  ...{ client: null, agent: null, command: ['kimi', '--wire'] },
  row: { ...makeRow('approval', 17, 0, 3), decision: 'allow', by: 'client', ...more },
});

const ROWS = [
  listed({ tool: 'Shell', arguments: { command: 'rm -rf 构建' }, wait: 2.1, executed: 'yes', run: 0.02, result: 'ok' }),
  listed({ tool: 'mcp__files__delete_everything', description: '删除文件', decision: 'none', by: 'client-error' }),
  listed({ tool: 'WriteFile', arguments: { path: '/home/dev/project/说明.md', content: 'x' }, flags: ['subagent'] }),
];

function table(rows: ListedApproval[], columns: number, several = true, theme = plain): string {
  const made = new ApprovalTable(columns, theme);
  for (const row of rows) made.add(row);
  return [...made.print(several)].join('');
}

describe('a row in full', () => {
  it.each([80, 200])('fits %i cells, flags and all', (columns) => {
    const flags = ['before-call', 'feedback', 'late-answer', 'outside-turn', 'ran-although-denied', 'wrong-request-id'];
    const rows = [...ROWS, listed({ tool: 'a long name of a tool', wait: 2, executed: 'yes', result: 'error', flags })];
    const lines = [...approvalsInFull(rows, true, columns, plain)].join('').split('\n');
    for (const line of lines) expect(cells(line), line).toBeLessThanOrEqual(columns);
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(`[${flags.join(' ')}]`);
  });
});

describe('the totals', () => {
  const words = (more: object) =>
    [
      ...sessionTotals(
        { session, sum: { ...emptySum(), ...more }, grants: [], bypass: [], unknowns: [], read: null },
        500,
        plain,
      ),
    ].join('');

  it('do not claim that a call ran if the tape does not tell', () => {
    const unsure_by = { mode: { yolo: 2 }, grant: 0, hook: 0, agent: 1 };
    expect(words({ unasked: 3, by_mode: { yolo: 2 }, unsure: 3, unsure_by })).toContain(
      '0 asked; 2 calls ran unasked because the agent did not ask; ' +
        '3 calls may have run unasked: 2 in yolo mode, 1 because the agent did not ask\n',
    );
    expect(words({ unasked: 2 })).toContain('2 calls ran unasked because the agent did not ask');
  });

  it('say who allowed what nobody was asked about, and what was stopped', () => {
    expect(words({ unasked: 3, by_hook: 2, refused: 1, partly: 1 })).toContain(
      '0 asked; 2 calls ran unasked because a hook allowed it; 1 call stopped before the end; ' +
        '1 call refused without asking\n',
    );
  });

  it('account for every question', () => {
    const questions = { unanswered: 4, cancelled: 1, unknown: 1 };
    const others = { question: 12, 'client-call': 0, hook: 0 };
    expect(words({ others, answered: 5, dismissed: 1, questions })).toContain(
      '12 questions: 5 answered, 1 dismissed, 4 not answered, 1 cancelled, 1 unknown',
    );
  });
});

describe('sums by a key', () => {
  const cwd = '/home/dev/project/with/a/rather/long/name';
  const groups = new ApprovalGroups(['project', 'tool']);
  for (const by of ['mode', 'grant', 'hook', 'agent'] as const)
    groups.add({ ...listed({}), cwd }, { ...listed({}).row, tool: 'Shell', decision: 'unasked', by });
  const shown = (columns: number) => [...groupTable(groups.keys, groups.all, columns, plain)].join('');

  it('lose nothing where the table is too wide', () => {
    expect(shown(80)).toBe(`${cwd}  Shell\n    unasked 4: 1 mode, 1 grant, 1 hook, 1 agent\n`);
    expect(shown(200)).toContain(`4: 1 mode, 1 grant, 1 hook, 1 agent  ${cwd}  Shell\n`);
    expect(shown(Number.POSITIVE_INFINITY)).toBe(shown(200));
  });
});

describe('the table', () => {
  it.each([80, 200])('fits %i cells, whatever the script', (columns) => {
    for (const line of table(ROWS, columns).split('\n')) expect(cells(line), line).toBeLessThanOrEqual(columns);
  });

  it('has everything where there is room', () => {
    expect(table(ROWS, 200)).toBe(
      `${[
        'session               frame  time      tool                           decision  by              wait  ran    run  result  flags  what was asked             what ran',
        '20261116T022911-k3f9  f17    00:00:01  Shell                          allow     client        2.10 s  yes  20 ms  ok             $ rm -rf 构建              as asked',
        '20261116T022911-k3f9  f17    00:00:01  mcp__files__delete_everything  none      client-error          ?                          删除文件',
        '20261116T022911-k3f9  f17    00:00:01  WriteFile                      allow     client                ?                   sub    /home/dev/project/说明.md',
      ].join('\n')}\n`,
    );
  });

  it('has the command or the path alone, whole, without the other arguments', () => {
    const edit = { file_path: '/home/dev/project/a.txt', old_string: 'a', new_string: 'b', replace_all: false };
    expect(table([listed({ tool: 'Edit', arguments: edit })], 200)).toMatch(/ \/home\/dev\/project\/a\.txt\n$/);
    const shell = { command: 'rm a\nrm b', description: 'Clean', timeout: 60 };
    expect(table([listed({ tool: 'Bash', arguments: shell })], 200)).toMatch(/ \$ rm a␊rm b\n$/);
    expect(table([listed({ tool: 'Bash', arguments: shell })], 80)).toMatch(/\n {4}\$ rm a␊rm b\n$/);
  });

  const EDITED = listed({
    ...{
      tool: 'Bash',
      executed: 'yes',
      result: 'ok',
      flags: ['edited'],
      arguments: { command: 'npm test', timeout: 60 },
    },
    executed_arguments: { command: 'npm run lint', timeout: 60 },
  });

  it.each([60, 80, 100, 159])('has what was asked and what ran, and the tool, result and flags, at %i', (columns) => {
    const text = table([EDITED], columns, false);
    expect(text).toMatch(/^frame .*tool .*result +flags\nf17 .*Bash .*yes .*ok +edited\n/);
    expect(text).toMatch(/\n {4}asked: \$ npm test\n {4}ran: {3}\$ npm run lint\n$/);
  });

  it.each([160, 200, Number.POSITIVE_INFINITY])('as two columns at %i', (columns) => {
    expect(table([EDITED], columns, false)).toMatch(/ok +edited +\$ npm test +\$ npm run lint\n$/);
    const { row } = EDITED;
    const longer = { ...row, executed_arguments: { command: 'npm test', timeout: 600 } };
    // The command is the same, and yet it is not what was asked.
    expect(table([{ ...EDITED, row: longer }], columns, false)).toMatch(/edited +\$ npm test +\$ npm test\n$/);
    const same = { ...row, flags: [], executed_arguments: row.arguments };
    expect(table([{ ...EDITED, row: same }], columns, false)).toMatch(/\$ npm test +as asked\n$/);
  });

  const grant = { decision: 'unasked', by: 'grant', grant_f: 12 } as const;
  const WORST = [
    listed({ tool: 'Shell', f: 12345, arguments: { command: `echo ${'x'.repeat(80)}` }, decision: 'allow-always' }),
    listed({
      tool: 'Shell',
      decision: 'none',
      by: 'client-error',
      wait: 1000,
      flags: ['ran-although-denied'],
      executed: 'yes',
    }),
    listed({
      tool: 'WriteFile',
      decision: 'unasked',
      by: 'mode',
      mode: 'bypassPermissions',
      arguments: { path: '/etc/x' },
    }),
    listed({ tool: 'Shell', ...grant, executed: 'yes', arguments: { command: 'ls' }, flags: ['under-grant'] }),
  ];

  it.each([80, 100, 139, 140, 200])('keeps what was decided, by whom, whether it ran, and what, at %i', (columns) => {
    const text = table(WORST, columns);
    const [head = ''] = text.split('\n');
    for (const name of ['frame', 'tool', 'decision', 'by', 'ran', 'flags']) expect(head.split(/ +/)).toContain(name);
    expect(text).toContain(`$ echo ${'x'.repeat(20)}`);
    for (const line of text.split('\n')) expect(cells(line), line).toBeLessThanOrEqual(columns);
  });

  it('says the tool, the mode and the grant where they have no column, and sessions as headings', () => {
    const lines = table(WORST, 80).split('\n');
    expect(lines[1]).toBe(session);
    expect(lines[4]).toMatch(/^f17 +Shell .* yes! +RAN-DENIED$/);
    expect(lines[5]).toMatch(/^f17 +WriteFile +unasked +mode [bypasPermion]+…? +\?$/);
    expect(lines[6]).toBe('    /etc/x');
    expect(lines[7]).toMatch(/^f17 +Shell +unasked +grant f12 +yes$/);
    expect(lines[8]).toBe('    $ ls');
    expect(table(WORST, 80, false)).not.toContain(session);
  });

  it('leaves out the session where there is one, and is not cut in a pipe', () => {
    const long = listed({ tool: 'Shell', arguments: { command: `echo ${'x'.repeat(500)}` } });
    const text = table([long], Number.POSITIVE_INFINITY, false);
    expect(text).toMatch(/^frame /);
    expect(text).toContain('x'.repeat(500));
  });

  it('is harmless', () => {
    const evil = '\x1b]0;owned\x07\u202e\u009b31m';
    const text = table([listed({ tool: evil, arguments: { command: evil }, flags: [evil] })], 200);
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  it('has colours only if asked to', () => {
    expect(table(ROWS, 200)).not.toContain('\x1b');
    expect(table(ROWS, 200, true, themeFor(true))).toContain('\x1b[32mallow');
  });
});

describe('in full', () => {
  const full = (more: Partial<ApprovalRow>) => [...approvalsInFull([listed(more)], false, 100, plain)].join('');

  it('shows where what ran is not what was asked about', () => {
    const text = full({
      ...{ tool: 'Bash', arguments: { command: 'ls', cwd: '/' }, executed_arguments: { cwd: '/', command: 'ls -a' } },
      ...{ executed: 'yes', result: 'ok', flags: ['edited'] },
    });
    expect(text).toContain('ran with other arguments (- asked, + ran):');
    expect(text).toMatch(/-\s+"command": "ls"/);
    expect(text).toMatch(/\+\s+"command": "ls -a"/);
    expect(full({ arguments: { a: 1, b: 2 }, executed_arguments: { b: 2, a: 1 } })).not.toContain('not what was asked');
  });

  it('shows changes, and every line of a command', () => {
    const diff = { type: 'diff' as const, path: 'a.txt', before: 'one\ntwo\n', after: 'one\n二\n' };
    expect(full({ displays: [diff] })).toMatch(/a\.txt\n +one\n +- two\n +\+ 二\n/);
    expect(full({ arguments: { command: 'set -e\nmake' } })).toMatch(/\$ set -e\n +> make\n/);
  });

  it('says a command once', () => {
    const command = 'make\nmake install';
    const text = full({
      ...{ description: `Run command \`${command}\``, arguments: { command } },
      displays: [{ type: 'shell', command, language: null }],
    });
    expect(text.match(/make install/g)).toHaveLength(1);
    expect(full({ description: 'Run command `ls`', arguments: { command: 'ls' } }).match(/ls/g)).toHaveLength(1);
    expect(full({ description: 'To see the files', arguments: { command: 'ls' } })).toContain('To see the files');
  });

  it('hides secrets', () => {
    const { row } = listed({
      arguments: { command: 'deploy --password hunter2', token: 'abc' },
      description: 'token=abc',
    });
    const text = [...approvalsInFull([{ ...listed({}), row: maskedRow(row) }], false, 100, plain)].join('');
    expect(text).toContain('$ deploy --password ***');
    expect(text).not.toMatch(/hunter2|abc/);
  });

  it('says which option was chosen, and what was said with it', () => {
    const options = [{ id: 'x', decision: 'deny' as const, label: 'No, and say why' }];
    const text = full({ decision: 'deny', options, option: 'x', feedback: 'not\x1b[2J here' });
    expect(text).toContain('chosen: No, and say why');
    expect(text).toContain('"not␛[2J here"');
  });
});

describe('what a session comes to', () => {
  const told = (more: object) =>
    [
      ...sessionTotals(
        { session, sum: emptySum(), grants: [], bypass: [], unknowns: [], read: null, ...more },
        80,
        plain,
      ),
    ].join('');

  it('names the calls under a grant, few of many', () => {
    const grant = { f: 12, answer_f: 13, tool: 'Shell', scope: 'run command', given_for: 'echo  ok\n' };
    const grants = (count: number) => {
      const ran = Array.from({ length: count }, (_, i) => ({
        f: i + 20,
        what: i === 0 ? `rm ${'x'.repeat(99)}` : 'ls',
      }));
      const one = { ...grant, covers: 'every command of this session', covered: ran.map(({ f }) => f), ran };
      return told({ grants: [one] }).replaceAll(/\s+/g, ' ');
    };
    expect(grants(0)).toContain(
      'standing grant f12: given for `echo ok`, covers every command of this session; nothing ran under it',
    );
    expect(grants(2)).toMatch(/; ran under it: f20 `rm x+…`, f21 `ls`/);
    expect(grants(30)).toMatch(/f31 `ls` and 18 more/);
  });

  it('counts what ran in a mode, and what ran after it was denied', () => {
    const text = told({
      sum: { ...emptySum(), by_mode: { yolo: 2 }, after_deny: 1, unasked: 3, refused: 1, unknown: 4 },
    });
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '0 asked; 4 calls ran unasked: 2 in yolo mode, 2 because the agent did not ask; 1 call refused without asking; ' +
        '1 call ran after the same was denied; 4 unknown',
    );
  });

  it('names the modes in which nobody is asked, from where to where', () => {
    const bypass = [
      { from: 0, to: 40, mode: 'yolo', frees: 'all' },
      { from: 50, to: 60, mode: 'acceptEdits', frees: 'edits' },
      { from: 70, to: null, mode: 'print', frees: 'run' },
    ];
    const text = told({ bypass });
    expect(text).toContain('mode yolo from the start to f40: no approvals needed');
    expect(text).toContain('mode acceptEdits from f50 to f60: no approvals needed for edits');
    expect(text).toContain('mode print from f70: nobody is asked');
  });
});
