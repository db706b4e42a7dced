import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '../model/failure.ts';
import { quote } from '../model/text/shell.ts';
import { visible } from '../model/text/text.ts';
import type { Io } from '../output/terminal/io.ts';
import { table } from '../output/terminal/table.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { type FoundShim, findShims, shimAt } from '../recording/shim/find-shims.ts';
import {
  findAgent,
  isFirstOnPath,
  lastingNode,
  removeShim,
  shimFolder,
  writeShim,
} from '../recording/shim/write-shim.ts';
import { makeFolder, storeHome } from '../storage/store/home.ts';
import { locate } from '../storage/store/open.ts';
import { PROGRAM } from '../storage/system/installation.ts';
import type { Define, Flags } from './index.ts';

const HELP = `
A shim is for clients that accept only the path of an agent. It is a small
script that runs the agent, and records it if its arguments select a protocol
(--wire, acp, --acp, stream-json, app-server, exec --json, --mode rpc, --stdio
and others, depending on the agent). It runs the agent unrecorded for anything
else (--version, login, mcp add), if WIRETAPE=off is set, or if wiretape has
been removed.
  $ wiretape shim kimi                    in the bin folder of the store
  $ wiretape shim ./venv/bin/kimi --out ~/bin/kimi
  $ wiretape shim my-mcp-server --always  record every run
  $ wiretape shim --list
  $ wiretape shim --remove kimi

With --replay it replays a session in place of the agent. If an agent is given,
that still runs for --version and the like:
  $ wiretape shim --replay last --out ./fake-agent
  $ wiretape shim kimi --replay bug.jsonl --out ./fake-kimi

NAME is looked up on the PATH, skipping shims. Only shims are ever replaced or
removed.`;

interface ShimOptions extends Flags<'always' | 'remove' | 'list' | 'json'> {
  out?: string;
  replay?: string;
}

export const define: Define = (command, { io }) => {
  command
    .usage('[options] NAME|PATH')
    .argument('[agent]', 'the agent, by name or path (with --remove: the shim)')
    .option('--out <file>', 'write the shim to this file')
    .option('--always', 'record every run, whatever its arguments')
    .option('--replay <session>', 'replay this session in place of the agent')
    .option('--remove', 'remove a shim')
    .option('--list', 'list the shims in the store and on the PATH')
    .option('--json', 'print one JSON object per shim')
    .addHelpText('after', HELP)
    .action((agent: string | undefined, options: ShimOptions) => {
      if (options.list) return list(io, options);
      if (options.remove) return remove(io, agent, options);
      return createShim(io, agent, options);
    });
};

async function createShim(io: Io, word: string | undefined, options: ShimOptions): Promise<void> {
  const { replay } = options;
  if (!word && replay === undefined) throw new Failure('no agent given', 'for example: wiretape shim kimi');
  if (!word && options.out === undefined) throw new Failure('no file given for the shim', 'add --out FILE');
  const home = resolve(storeHome(io.env));
  const PATH = io.env.PATH ?? '';
  const agent = word ? findAgent(word, PATH) : '';
  const path = options.out === undefined ? join(shimFolder(home), basename(word!)) : resolve(options.out);
  if (options.out === undefined) makeFolder(shimFolder(home));
  const before = writeShim(path, {
    agent,
    node: lastingNode(PATH),
    wiretape: PROGRAM,
    store: home === storeHome({}) ? null : home,
    always: options.always ?? false,
    replay: replay === undefined ? null : lastingName(home, replay),
  });
  const first = isFirstOnPath(path, PATH);
  if (options.json) return void (await io.json({ ...shimAt(path), replaced: before !== null, on_path: first }));
  await io.write(`${visible(path)} ${before ? 'now ' : ''}${shimAction(shimAt(path)!)}\n`);
  if (before && before.agent !== agent) await io.write(`  it ran ${visible(before.agent || 'no agent')} before\n`);
  await io.write(`  for one client:     set its agent executable to ${visible(path)}\n`);
  if (first) return void (await io.write(`  for every client:   nothing to do: it comes first on your PATH\n`));
  if (replay !== undefined) return;
  await io.write(`  for every client:   export PATH=${visible(quote(dirname(path)))}:"$PATH"\n`);
}

function shimAction({ agent, always, replay }: Pick<FoundShim, 'agent' | 'always' | 'replay'>): string {
  const isAlways = always || agent === '';
  if (replay === null) return `runs ${visible(agent)} and records ${always ? 'every run' : 'protocol runs'}`;
  return `replays ${visible(replay)}${isAlways ? '' : ` in protocol runs, else runs ${visible(agent)}`}`;
}

/** `last` is another session tomorrow, and a path is relative to somewhere else. */
function lastingName(home: string, word: string): string {
  const { ours, id, tape } = locate(home, word);
  return ours ? id : resolve(tape);
}

async function remove(io: Io, word: string | undefined, options: ShimOptions): Promise<void> {
  const shim = removeShim(shimToRemove(io, word));
  if (options.json) return void (await io.json({ removed: shim.path, agent: shim.agent }));
  const rest = shim.agent === '' ? '' : `; its agent is ${visible(shim.agent)}`;
  await io.write(`removed ${visible(shim.path)}${rest}\n`);
}

/** A name means the shim in the store, else the first on the PATH. Without a name, there must be only one. */
function shimToRemove(io: Io, word: string | undefined): string {
  if (word?.includes('/')) return resolve(word);
  const [only, ...others] = everyShim(io).filter(({ path }) => word === undefined || basename(path) === word);
  if (only && (word !== undefined || others.length === 0)) return only.path;
  if (word !== undefined) return existsSync(word) ? resolve(word) : join(shimFolder(storeHome(io.env)), word);
  throw new Failure(only ? 'there are several shims' : 'there are no shims', only ? 'see: wiretape shim --list' : null);
}

async function list(io: Io, options: ShimOptions): Promise<void> {
  const shims = everyShim(io);
  if (options.json) {
    for (const shim of shims)
      if (!(await io.json({ ...shim, on_path: isFirstOnPath(shim.path, io.env.PATH ?? '') }))) return;
    return;
  }
  if (shims.length === 0) {
    io.say('wiretape: no shims in the store or on the PATH');
    io.say('hint: create one: wiretape shim AGENT');
    return;
  }
  const theme = themeFor(io.color);
  const rows = shims.map(({ path, agent, always, replay, problem, outdated }) => [
    { text: visible(path) },
    problem === null
      ? { text: outdated ? 'works, but is outdated' : 'works', paint: outdated ? theme.warn : theme.good }
      : { text: visible(problem), paint: theme.bad },
    { text: replay === null ? visible(agent) : shimAction({ agent, always, replay }) },
  ]);
  await io.write(table(['shim', 'state', 'agent'], rows, io.columns, theme));
}

function everyShim({ env }: Io): FoundShim[] {
  return findShims([shimFolder(storeHome(env)), ...(env.PATH ? [env.PATH] : [])].join(':'));
}
