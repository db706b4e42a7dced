/** Which runs a shim records: the command lines of real agents, as their clients and SDKs start them, and all others. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { quote } from '../../../../lib/model/text/shell.ts';
import { AGENT_NAMES } from '../../../../lib/recording/shim/protocol-runs.ts';
import { shimScript } from '../../../../lib/recording/shim/script.ts';
import { executablesIn, SHELLS } from '../../../support/shim.ts';

const dir = mkdtempSync(join(tmpdir(), 'wiretape-runs-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const executable = executablesIn(dir);

const node = executable('node', '#!/bin/sh\necho recorded\n');
const wiretape = executable('wiretape.js', 'not empty');

/** A line with words in quotes as a shell would split it. */
const words = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

/** Runs every line through one shim: `recorded` or `run` for each. */
function outcomes(agent: string, lines: readonly string[], shell: string, shimName?: string): string[] {
  const path = executable(agent, '#!/bin/sh\necho run\n');
  const script = shimScript({ agent: path, node, wiretape, store: null, always: false, replay: null }, shimName);
  const shim = executable(`shim-${agent}`, script.replace('/bin/sh', shell));
  // One shell starts them all: to start each of them from here takes longer than they run.
  const runs = lines.map((line) => `${[shim, ...words(line)].map(quote).join(' ')} 2>&1; printf '\\0'\n`);
  const { stdout } = spawnSync('/bin/sh', ['-c', runs.join('')], { env: { PATH: '/usr/bin:/bin' } });
  const answers = stdout.toString().split('\0');
  return lines.map((line, i) => `${line}: ${answers[i]}`.trim());
}

const SDK = '--output-format stream-json --verbose --input-format stream-json --model=claude-sonnet-4-5';

/** As tapes, SDKs, editors and `--help` have them. */
const RUNS: Record<string, { recorded: string[]; run: string[] }> = {
  kimi: {
    recorded: [
      ...[
        '--wire',
        '--wire --config-file /home/dev/kimi/config.json',
        '--session 1 --work-dir /x --wire --no-thinking',
      ],
      ...['acp', '--debug acp', '--model m --yolo acp', '-w /x acp', '--config=x acp', '-p acp acp'],
      ...['--print --output-format stream-json -p hello', '-p hello --output-format=stream-json', '--wire -- --help'],
    ],
    run: [
      ...[
        '',
        '--version',
        '-V',
        '--help',
        'info --json',
        'info',
        'login --json',
        'logout',
        'mcp auth acp',
        'mcp test wire',
      ],
      ...[
        '-p acp',
        '--prompt acp',
        '-c acp',
        '--command acp',
        '-p',
        'vis',
        '--wire --help',
        '--version --wire',
        '--wired',
      ],
      ...['mcp add calc -- calc --acp', 'mcp add calc calc --acp'],
    ],
  },
  qwen: {
    recorded: [
      ...['--acp', '--acp=true', '--experimental-acp', '--model m --experimental-acp', '-o stream-json hello'],
      ...['--input-format stream-json --output-format stream-json', '--input-format=stream-json', '-p hi -o json'],
    ],
    run: ['', '--acp=false', '-i acp', '--prompt-interactive acp', 'mcp list', '--input-format text', '--input-format'],
  },
  claude: {
    recorded: [
      ...[SDK, `${SDK} --permission-prompt-tool=stdio --setting-sources= --permission-mode=acceptEdits`],
      ...[`${SDK} --max-turns=3 --json-schema={"type":"object"} --setting-sources=`],
      ...[
        '-p "fix the mcp server" --output-format stream-json --verbose',
        '-p hello --output-format json',
        'mcp serve',
      ],
    ],
    run: [
      ...['', '--version', '-v', 'update', 'doctor', 'setup-token', 'mcp list', 'mcp add calc -- npx calc --stdio'],
      ...['mcp add-json calc "{}"', 'auth login', '-p hello', 'plugin install x', '--continue', '-p mcp'],
    ],
  },
  codex: {
    recorded: [
      ...['app-server', '-c model="o3" app-server', 'app-server --listen stdio://', 'app-server proxy', 'mcp-server'],
      ...['exec --json --skip-git-repo-check -m gpt-5.5 -s danger-full-access "fix it"', 'exec "fix it" --json'],
      ...['exec --experimental-json --model gpt-5.5 --sandbox read-only --cd /x --config approval_policy="never"'],
      ...['exec resume --last --json', 'e --json hello', '-m gpt-5.5 exec --json hello'],
    ],
    run: [
      ...[
        '',
        '--version',
        'login',
        'login status',
        'logout',
        'mcp add calc -- calc --json',
        'mcp list --json',
        'exec hello',
      ],
      ...[
        'app-server generate-ts --out x',
        'app-server generate-json-schema',
        'app-server daemon start',
        'resume --last',
      ],
      ...['exec --help --json', 'app-server --help', 'exec -- --json', 'completion bash', 'apply', 'features list'],
    ],
  },
  gemini: {
    recorded: [
      ...['--acp', '--experimental-acp', '-p hello --output-format stream-json', '-p hello -o stream-json'],
      ...['-p hello --output-format stream-json --approval-mode yolo', '-p hello -o json', '--model x --acp'],
    ],
    run: [
      ...['', '--version', '-p hello', '-p hello -o text', 'mcp add calc calc --acp', 'mcp list', '--list-sessions'],
      ...['extensions install x', 'extensions link x --acp', 'skills list', 'hooks migrate'],
    ],
  },
  copilot: {
    recorded: [
      ...['--headless --no-auto-update --stdio --no-auto-login', '--acp', '--acp --stdio', '--server --stdio'],
      ...['-p "hello you" --output-format json', '-p hello --output-format json --allow-all-tools'],
    ],
    run: ['', '--version', 'login', 'update', '-p hello', 'mcp add calc -- calc --stdio', '--banner', 'help config'],
  },
  opencode: {
    recorded: ['acp', 'acp --cwd /x', '--print-logs acp', 'run --format json hello', 'run -m a/b --format=json hello'],
    run: [
      ...['', '--version', 'run hello', 'run --format default hello', 'auth login', 'mcp add', 'mcp list', 'upgrade'],
      ...['models', 'serve --port 1', 'export x', 'session list --format json', 'run -- --format json'],
    ],
  },
  cline: {
    recorded: ['--json "fix it"', '--acp', '--acp --auto-approve false -P openai-compatible -m mock-model -k sk-mock'],
    run: ['', '--version', 'auth', 'auth -p openai -k x --json', 'history --json', 'config --json', '"fix it"'],
  },
  vibe: {
    recorded: [
      '-p hello --output json --agent auto-approve',
      '-p hello --output streaming',
      '--output=streaming -p hi',
    ],
    run: ['', '--version', '-p hello', '-p hello --output text', '--setup', '--continue'],
  },
  pi: {
    recorded: [
      ...['--mode rpc --provider mock --model mock-model', '--mode rpc -e /opt/clients/pi-gate.ts', '--mode=rpc'],
      ...['--mode json --provider mock --model mock-model hello', '-p --mode json hello'],
    ],
    run: [
      '',
      '--version',
      '-v',
      '-p hello',
      '--mode text hello',
      'list',
      'install npm:x',
      'update --self',
      '--list-models',
    ],
  },
  letta: {
    recorded: ['-p --input-format stream-json --output-format stream-json', '-p hello --output-format stream-json'],
    run: ['', '--version', '-p hello', 'mcp', 'environments list'],
  },
  'vibe-acp': { recorded: [''], run: ['--version', '--help', '-h', '--setup'] },
  'codex-acp': { recorded: ['', '-c model="o3"'], run: ['--version', '-h', '-V'] },
  'claude-code-acp': { recorded: [''], run: ['--version'] },
  'mcp-server-everything': { recorded: ['', 'stdio'], run: ['--help', '--version'] },
  'github-mcp-server': { recorded: ['stdio', 'stdio --read-only'], run: ['--version'] },
  'typescript-language-server': { recorded: ['--stdio', '--stdio --log-level 4'], run: ['--version', '--help'] },
  'vscode-json-languageserver': { recorded: ['--stdio'], run: ['--version'] },
  'pyright-langserver': { recorded: ['--stdio'], run: ['--version'] },
  // A name that nobody knows: what means the same everywhere.
  "an agent's": {
    recorded: [
      ...[
        '--wire',
        'acp',
        '--acp',
        '--experimental-acp=true',
        '--output-format stream-json',
        'app-server',
        'mcp-server',
      ],
      ...['exec --json hello', 'run --format json hello', '--mode rpc', '--stdio', '--headless --stdio'],
      ...[
        'hello --output-format stream-json',
        '-p acp --output-format stream-json',
        'run it --output-format stream-json',
      ],
    ],
    run: [
      ...['', '--version', 'wire', '-- acp', '-- --wire', '-- --input-format stream-json', 'fix the acp server'],
      ...[
        '--debug fix the acp server',
        '--prompt=acp',
        '--output-format=json',
        'stream-json',
        'acp --help',
        'exec hello',
      ],
      ...['run it', 'mcp add x y --stdio', '--json', 'app-server generate-ts'],
    ],
  },
};

describe.each(SHELLS)('in %s, a shim', (shell) => {
  it.each(Object.entries(RUNS))(
    'of %s records what speaks a protocol, and only runs the rest',
    (agent, { recorded, run }) => {
      expect(outcomes(agent, recorded, shell)).toEqual(recorded.map((line) => `${line}: recorded`));
      expect(outcomes(agent, run, shell)).toEqual(run.map((line) => `${line}: run`));
    },
  );
});

describe('the name', () => {
  const [shell] = SHELLS as [string];

  it.each(['codex-0.166.0', 'codex.js', 'codex@v1', 'Codex'])('%s is that of codex', (name) => {
    expect(outcomes(name, ['e --json hi', 'mcp list --json'], shell)).toEqual([
      'e --json hi: recorded',
      'mcp list --json: run',
    ]);
  });

  it('of the shim counts if that of its program says nothing', () => {
    expect(outcomes('index.mjs', ['--json hi'], shell)).toEqual(['--json hi: run']);
    expect(outcomes('index.mjs', ['--json hi'], shell, 'cline')).toEqual(['--json hi: recorded']);
    expect(outcomes('kimi', ['info --json'], shell, 'cline')).toEqual(['info --json: run']);
  });

  it('of each agent has a shim that a shell can read, and passes --version', () => {
    for (const name of AGENT_NAMES) expect(outcomes(name, ['--version'], shell)).toEqual(['--version: run']);
  });
});
