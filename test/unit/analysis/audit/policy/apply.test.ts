/** What a policy decides: the first rule that matches, each simple command of a chain by itself, paths without tricks. */
import { describe, expect, it } from 'vitest';
import { applyPolicy, policyCallOf } from '../../../../../lib/analysis/audit/policy/apply.ts';
import { addComparison, comparePolicy, noDifferences } from '../../../../../lib/analysis/audit/policy/compare.ts';
import { readPolicy } from '../../../../../lib/analysis/audit/policy/read.ts';
import { type ApprovalRow, makeRow } from '../../../../../lib/analysis/audit/row.ts';

const cwd = '/home/dev/shop';
const row = (more: Partial<ApprovalRow>): ApprovalRow => ({
  ...makeRow('approval', 17, 0, 3),
  ...{ decision: 'allow', by: 'client', executed: 'yes', tool: 'Shell', ...more },
});
const shell = (command: string) => row({ arguments: { command } });
const verdict = (policy: string, one: ApprovalRow) => {
  const { verdict, line } = applyPolicy(readPolicy(policy), policyCallOf(one, cwd));
  return `${verdict} ${line}`;
};

describe('a rule', () => {
  it('decides if it is the first to match, else the default does', () => {
    const policy = 'allow command git status\ndeny tool Shell\ndefault allow';
    expect(verdict(policy, shell('git status'))).toBe('allow 1');
    expect(verdict(policy, shell('  git   status '))).toBe('allow 1');
    expect(verdict(policy, shell('git push'))).toBe('deny 2');
    expect(verdict(policy, row({ tool: 'Task', arguments: { prompt: 'x' } }))).toBe('allow null');
    expect(verdict('', shell('ls'))).toBe('ask null');
  });

  it('matches tools by name or glob', () => {
    expect(verdict('allow tool ReadFile,mcp__*', row({ tool: 'mcp__files__read' }))).toBe('allow 1');
    expect(verdict('allow tool ReadFile,mcp__*', row({ tool: 'Shell' }))).toBe('ask null');
  });

  it('has regular expressions, which match anywhere', () => {
    expect(verdict('deny command /--force\\b/', shell('git push --force'))).toBe('deny 1');
    expect(verdict('allow command /^npm (test|run build)$/', shell('npm run build && rm x'))).toBe('ask null');
  });

  it('sees the words of a command that has no shell', () => {
    const one = row({ arguments: { command: ['bash', '-lc', 'rm -rf build'] } });
    expect(verdict('deny command rm *', one)).toBe('deny 1');
  });
});

describe('a chain', () => {
  const chains = [
    ...['git status; rm -rf x', 'git status && rm -rf x', 'git status || rm -rf x', 'git status | rm -rf x'],
    ...['git status & rm -rf x', 'git status\nrm -rf x', 'git status $(rm -rf x)', 'git status "$(rm -rf x)"'],
    ...['git status `rm -rf x`', 'git status <(rm -rf x)', '(git status; rm -rf x)', '{ git status; rm -rf x; }'],
    ...['git status; if true; then rm -rf x; fi', 'git status; sudo -n rm -rf x', 'git status; X=1 rm -rf x'],
    ...[
      'git status; /bin/rm -rf x',
      'git status; r"m" -rf x',
      'git status; \\rm -rf x',
      "git status; sh -c 'rm -rf x'",
    ],
    ...[
      'git status; eval "rm -rf x"',
      'git status \\\n; rm -rf x',
      'git status 2>&1; rm -rf x',
      'git status \\>&rm -rf x',
    ],
    ...['git status; <x rm -rf x', 'git status; 0<x rm -rf x', 'git status; coproc rm -rf x'],
    ...['git status; function f { rm -rf x; }; f', 'git status; trap "rm -rf x" EXIT', 'git status; busybox rm -rf x'],
    ...["git status # it's\nrm -rf x # it's", "git status $'\\'' ; rm -rf x #'", 'git status `echo \\`rm -rf x\\``'],
    ...["git status <<'E'\nit's\nE\nrm -rf x # '", 'git status 2>&1&rm -rf x', 'xargs rm -rf x | git status'],
  ];

  it.each(chains)('does not slip through an allow rule for its first word: %j', (command) => {
    expect(verdict('allow command git *', shell(command))).not.toMatch(/^allow/);
    expect(verdict('allow command git status*\nallow command true', shell(command))).not.toMatch(/^allow/);
  });

  it.each(chains)('is denied if any of its commands is: %j', (command) => {
    expect(verdict('deny command rm *\nallow tool Shell', shell(command))).toBe('deny 1');
  });

  it('is allowed if each of its commands is, by one rule or several', () => {
    const policy = 'allow command git *\nallow command npm test';
    expect(verdict(policy, shell('git add . && git commit -m "a; b | c" && npm test'))).toMatch(/^allow/);
    expect(verdict(policy, shell('git log # all\nnpm test'))).toMatch(/^allow/);
    expect(verdict(policy, shell("git log --format='$(rm x)'"))).toMatch(/^allow/);
  });

  it('may write to a file only if the rule speaks of it', () => {
    expect(verdict('allow command echo *', shell('echo hi > /etc/motd'))).toBe('ask null');
    expect(verdict('allow command echo *', shell('echo hi 2>&1 > /dev/null'))).toBe('allow 1');
    expect(verdict('allow command echo * > *', shell('echo hi > out.txt'))).toBe('allow 1');
    expect(verdict('deny path /etc/*\nallow command echo * > *', shell('echo hi > ../../../etc/motd'))).toBe('deny 1');
  });

  it('cannot be judged by default if nobody can tell what runs, or if a rule before might match', () => {
    expect(verdict('default allow', shell('cat <<E > x\nE'))).toBe('cannot judge null');
    expect(verdict('deny command rm *\nallow tool Shell', shell('echo "open'))).toBe('cannot judge null');
    expect(verdict('deny path *.env\nallow tool Shell', shell('echo "open'))).toBe('cannot judge null');
    // Whoever is asked can tell, and what is denied is denied.
    expect(verdict('deny command rm *\nask tool Shell', shell('echo "open'))).toBe('ask 2');
    expect(verdict('default deny', shell('echo "open'))).toBe('deny null');
    expect(verdict('default allow', shell('ls; echo done'))).toBe('allow null');
  });

  it('is never allowed by a pattern if nobody can tell what runs', () => {
    expect(verdict('allow command echo *', shell('echo "open'))).toBe('ask null');
    expect(verdict('allow command *', shell(`echo ${'$('.repeat(50)}ls${')'.repeat(50)}`))).toBe('ask null');
    expect(verdict('allow tool Shell', shell('echo "open'))).toBe('allow 1');
  });
});

describe('what a shell makes of a word', () => {
  const programs = [
    ...['X=rm; $X -rf x', `\${X} -rf x`, '"$X" x', '$(echo rm) x', '$(echo /bin/rm) x', '`echo rm` x', 'r$Z x'],
    ...['{rm,-rf,x}', '/bin/r? x', '/bin/[r]m x', 'sudo $X x', 'A=1 $X x', 'cat list | xargs $X', '"$@"'],
  ];

  it.each(programs)('is no program that is known: %s', (command) => {
    expect(verdict('deny command rm *\ndefault allow', shell(command))).toBe('cannot judge null');
    expect(verdict('deny command rm *\nallow tool Shell\nallow command *', shell(command))).toBe('cannot judge null');
    expect(verdict('default deny', shell(command))).toBe('deny null');
    expect(comparePolicy(readPolicy('default allow'), shell(command), cwd).unknown).toBe('quoting');
  });

  it.each(['$HOME/bin/tool x', '$(npm bin)/tool x', 'tool "$X" *.txt {a,b}', '[ -f "$X" ] && tool', 'X=$(tool)'])(
    'may be all but the name of the program: %s',
    (command) => {
      expect(verdict('deny command rm *\ndefault allow', shell(command))).toBe('allow null');
    },
  );

  it('is as it was written for a rule that allows', () => {
    expect(verdict('allow command $TOOL *\ndefault deny', shell('$TOOL x'))).toBe('allow 1');
  });

  it.each(['$F', '~root/x', '"$D/x"', '`f`', 'x*'])('is no file that is known: > %s', (file) => {
    const one = shell(`echo x > ${file}`);
    expect(verdict('deny path *.env\ndefault allow', one)).toBe('cannot judge null');
    expect(comparePolicy(readPolicy('deny path *.env\ndefault allow'), one, cwd).unknown).toBe('quoting');
    expect(verdict('deny command rm *\ndefault allow', one)).toBe('allow null');
    expect(verdict('allow path /etc/*\ndefault deny', one)).toBe('deny null');
  });

  it('is the file if an edit names it', () => {
    const edit = row({ tool: 'Write', arguments: { path: 'routes/$id.tsx' } });
    expect(verdict('deny path *.env\ndefault allow', edit)).toBe('allow null');
  });
});

describe('input from a file', () => {
  it('is not part of the words', () => {
    expect(verdict('deny command sort -u\ndefault allow', shell('sort <x -u'))).toBe('deny 1');
    expect(verdict('deny command *secret*\ndefault allow', shell('sort < secret'))).toBe('deny 1');
  });

  it('is no file that is written, but where it is opened for both', () => {
    expect(verdict('deny path /etc/*\ndefault allow', shell('sort < /etc/passwd'))).toBe('allow null');
    expect(verdict('deny path /etc/*\ndefault allow', shell('sort <> /etc/passwd'))).toBe('deny 1');
  });
});

describe('a path', () => {
  const write = (path: string) => row({ tool: 'WriteFile', arguments: { path, content: 'x' } });

  it('is relative to the folder of the session', () => {
    expect(verdict('allow path src/*', write('src/a.ts'))).toBe('allow 1');
    expect(verdict('allow path src/*', write('/home/dev/shop/src/a/b.ts'))).toBe('allow 1');
    expect(verdict('allow path src/*', write('/home/dev/other/src/a.ts'))).toBe('ask null');
  });

  it('cannot leave its folder', () => {
    expect(verdict('allow path src/*', write('src/../../../../etc/passwd'))).toBe('ask null');
    expect(verdict('deny path /etc/*', write('src/../../../../etc//./passwd'))).toBe('deny 1');
    expect(verdict('ask path *.env\nallow path *', write('a/.env'))).toBe('ask 1');
  });

  it('must be allowed each, where there are several', () => {
    const move = row({ tool: 'move', arguments: { source: 'src/a', destination: '/etc/a' } });
    expect(verdict('allow path src/*', move)).toBe('ask null');
    expect(verdict('deny path /etc/*\nallow path src/*', move)).toBe('deny 1');
  });
});

describe('a call of which the tape does not tell what it does', () => {
  const subject = { name: null, command: null, title: null, paths: [] };
  const execute = row({ tool: 'Tests', action: 'execute', subject: { ...subject, title: 'rm -rf x' } });
  const edit = row({ tool: 'Editing files', action: 'edit', subject });
  const cases: [string, ApprovalRow][] = [
    ['a command that only a title describes', execute],
    ['a command that is nowhere', row({ tool: 'Shell' })],
    ['an empty command', shell('  ')],
    ['arguments that are too long to keep', row({ tool: 'run_shell_command', arguments: null })],
    ['an edit without a path', edit],
    ['a write without a path', row({ tool: 'WriteFile', arguments: { content: 'x' } })],
    ['a patch without files', row({ tool: 'apply_patch', arguments: { patch: 'x' } })],
    ['an action without a command', row({ tool: null, action: 'run command' })],
    ['neither tool nor arguments', row({ tool: 'Doing it', action: 'other', subject })],
    ['a title that may be a command', row({ tool: 'touch x', action: 'other', arguments: {}, subject })],
    ['a title without a kind', row({ tool: 'touch x', arguments: { description: 'x' }, subject })],
    ['a tool of which only the name is known', row({ tool: 'mcp__x__exec', action: 'other' })],
    ['arguments that are a text', row({ tool: 'mcp__x__exec', arguments: 'touch x' })],
    ['a move to nobody knows where', row({ tool: 'x', action: 'move', subject: { ...subject, paths: ['a'] } })],
    ['a tool that moves', row({ tool: 'fs__move_file', arguments: { path: 'a', to: 'x.txt' } })],
    ['more files than are kept', row({ tool: 'x', action: 'edit', subject: { ...subject, paths: ['a'], cut: true } })],
  ];

  it.each(cases)('is never allowed by default: %s', (_, one) => {
    expect(verdict('default allow', one)).toBe('cannot judge null');
    expect(verdict('allow command *\nallow path *\ndefault allow', one)).toBe('cannot judge null');
    expect(verdict('deny command touch *\ndeny path *.txt\nallow tool *\ndefault allow', one)).not.toMatch(/^allow/);
    expect(verdict('deny command *\ndeny path *\ndefault allow', one)).toMatch(/^deny/);
    expect(verdict('default deny', one)).toBe('deny null');
    expect(verdict('', one)).toBe('ask null');
  });

  it('is denied if what may be its command is', () => {
    expect(verdict('deny command rm *\ndefault allow', execute)).toBe('deny 1');
    expect(verdict('allow command rm *\ndefault allow', execute)).toBe('cannot judge null');
  });

  it('may be allowed by a rule that needs to know only its tool', () => {
    expect(verdict('allow tool Shell\ndefault deny', row({ tool: 'Shell' }))).toBe('allow 1');
    expect(verdict('allow tool execute', execute)).toBe('allow 1');
  });

  it('has no name but its title, which rules that deny look at and rules that allow do not', () => {
    expect(verdict('allow tool Edit*', edit)).toBe('ask null');
    expect(verdict('deny tool Edit*', edit)).toBe('deny 1');
  });

  it('is not allowed past a rule for a tool whose name it may have', () => {
    const titled = row({ tool: 'Tick', action: 'execute', arguments: { command: 'rm x > y' }, subject });
    expect(verdict('deny tool bash\ndefault allow', titled)).toBe('cannot judge null');
    expect(verdict('ask tool bash\nallow command *>*\ndefault deny', titled)).toBe('cannot judge null');
    expect(verdict('deny tool bash command rm *\ndefault allow', titled)).toBe('cannot judge null');
    expect(verdict('deny tool bash path y\ndefault allow', titled)).toBe('cannot judge null');
    expect(verdict('deny tool bash command ls\ndefault allow', titled)).toBe('allow null');
    expect(verdict('deny tool bash path z\ndefault allow', titled)).toBe('allow null');
    expect(verdict('deny tool bash\ndefault deny', titled)).toBe('deny null');
    expect(verdict('allow tool bash\ndefault ask', titled)).toBe('ask null');
    expect(comparePolicy(readPolicy('deny tool bash\ndefault allow'), titled, cwd).unknown).toBe('tool');
    const named = { ...titled, subject: { ...subject, name: 'terminal' } };
    expect(verdict('deny tool bash\ndefault allow', named)).toBe('allow null');
  });

  it('is not one that has neither command nor path by its nature', () => {
    const adds = row({ tool: 'mcp__calc__add', arguments: { a: 2, b: 40 } });
    expect(verdict('deny command *\ndeny path *\ndefault allow', adds)).toBe('allow null');
    const titled = { ...subject, name: 'enter_plan_mode' };
    expect(verdict('default allow', row({ tool: 'Plan', action: 'other', subject: titled }))).toBe('allow null');
    const fetches = row({ tool: 'Look it up', action: 'fetch', arguments: { url: 'https://a.example' }, subject });
    expect(verdict('default allow', fetches)).toBe('allow null');
    const named = row({ tool: 'WebFetch', action: 'fetch', subject: { ...subject, name: 'WebFetch' } });
    expect(verdict('default allow', named)).toBe('allow null');
  });

  it('counts by itself, and differs from nothing', () => {
    const sum = noDifferences();
    for (const one of [execute, edit, shell('ls')])
      addComparison(sum, comparePolicy(readPolicy('default allow'), one, cwd));
    expect(sum).toEqual({ calls: 3, would: { allow: 1, ask: 0, deny: 0 }, unjudged: 2, differ: 0 });
    const unknown = (one: ApprovalRow) => comparePolicy(readPolicy('default allow'), one, cwd).unknown;
    expect([execute, edit, shell('echo "'), shell('ls')].map(unknown)).toEqual(['command', 'path', 'quoting', null]);
  });
});

describe('what happened', () => {
  const differs = (policy: string, more: Partial<ApprovalRow>) =>
    comparePolicy(readPolicy(policy), row({ arguments: { command: 'ls' }, ...more }), cwd).differs;

  it.each([
    ['allow tool *', { decision: 'allow' }, null],
    ['allow tool *', { decision: 'deny', executed: 'no' }, 'was denied, would be allowed'],
    ['allow tool *', { decision: 'unasked', by: 'agent' }, null],
    ['ask tool *', { decision: 'unasked', by: 'mode' }, 'ran unasked, would be asked about'],
    ['ask tool *', { decision: 'deny', executed: 'no' }, null],
    ['ask tool *', { decision: 'unknown', by: 'unknown' }, null],
    ['deny tool *', { decision: 'allow' }, 'ran, would be denied'],
    ['deny tool *', { decision: 'unasked', executed: 'unknown' }, 'may have run, would be denied'],
    ['deny tool *', { decision: 'none', by: 'nobody', executed: 'no' }, null],
    ['deny tool *', { decision: 'unasked', executed: 'no' }, null],
  ] as [string, Partial<ApprovalRow>, string | null][])('%s, %j: %s', (policy, more, expected) => {
    expect(differs(policy, more)).toBe(expected);
  });
});

describe('hostile text', () => {
  it('takes linear time', () => {
    const policy = 'deny command *a*a*a*b\nallow command git *';
    for (const part of [
      '$(',
      '`',
      '"',
      "'",
      '(',
      ';',
      '\\',
      '>',
      '<<',
      '$(a;',
      'a|',
      ' a',
      '<',
      '{,',
      '[',
      'A=1 ',
      'sudo ',
    ])
      expect(verdict(policy, shell(part.repeat(20_000)))).not.toMatch(/^allow/);
  });
});
