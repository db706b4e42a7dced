import { visible } from '../core/text.ts';
import { Exit, Failure } from '../failure.ts';
import { nearest } from '../filter/nearest.ts';
import type { Io } from '../io.ts';
import { type Given, misread, SETTINGS, type Setting, settingsOf, writeSetting } from '../store/config.ts';
import { storeHome } from '../store/home.ts';
import type { Define } from './index.ts';

const HELP = `
How much the store keeps. Whenever a recording starts, sessions beyond it are removed: never one that is being recorded.
  $ wiretape config set max-size 5gb
  $ wiretape config set max-age 30d
  $ wiretape config unset max-age
  $ wiretape config                        all settings, and where they come from
  $ wiretape prune --dry-run               what would go now

Settings:
${SETTINGS.map(({ name, help, variable }) => `  ${name.padEnd(10)} ${help}; $${variable} comes first`).join('\n')}
A variable that is "off" means no limit. Without settings, nothing is ever removed. Settings are kept in the store's
config.json; what was removed is noted in its log.jsonl.
Exit codes: 0 done, 1 the setting is not set, 2 there is no such setting, or no such value.`;

export const define: Define = (command, { io, exit }) => {
  const home = () => storeHome(io.env);
  const given = (name: string) => settingsOf(home(), io.env).find(({ setting }) => setting === settingOf(name))!;
  command
    .usage('[list|get|set|unset]')
    .addHelpText('after', HELP)
    .option('--json', 'one object a line: setting, value, from')
    .action((options: { json?: boolean }) => list(io, options.json ?? false));
  command
    .command('list')
    .description('all settings, and where they come from')
    .option('--json', 'one object a line: setting, value, from')
    .action((options: { json?: boolean }) => list(io, options.json ?? false));
  command
    .command('get <setting>')
    .description('print one')
    .action(async (name: string) => {
      const { word, problem } = given(name);
      if (problem !== null) throw new Failure(problem, 'wiretape config set mends it');
      if (word === null) return exit(Exit.no);
      await io.write(`${visible(word)}\n`);
    });
  command
    .command('set <setting> <value>')
    .description('set one')
    .action((name: string, word: string) => {
      const setting = settingOf(name);
      if (setting.read(word) === null) throw new Failure(`${name}: ${misread(setting, word)}`);
      change(home(), setting, word);
      sayIfHidden(io, given(name));
    });
  command
    .command('unset <setting>')
    .description('take one away')
    .action((name: string) => {
      change(home(), settingOf(name), null);
      sayIfHidden(io, given(name));
    });
};

async function list(io: Io, json: boolean): Promise<void> {
  for (const { setting, word, from, problem } of settingsOf(storeHome(io.env), io.env)) {
    const source = from === 'environment' ? setting.variable : from === 'config' ? 'config.json' : null;
    if (json) await io.json({ setting: setting.name, value: word, from: source });
    else {
      const value = word === null ? 'no limit' : visible(word);
      await io.write(`${`${setting.name.padEnd(10)} ${value.padEnd(10)} ${source ?? ''}`.trimEnd()}\n`);
    }
    if (problem !== null) io.say(`wiretape: ${visible(problem)}; it is ignored`);
  }
}

function change(home: string, { name }: Setting, word: string | null): void {
  try {
    writeSetting(home, name, word);
  } catch (error) {
    throw new Failure(`the setting cannot be written: ${(error as Error).message}`);
  }
}

/** What was just written does not count where a variable says something else. */
function sayIfHidden(io: Io, { setting, from }: Given): void {
  if (from === 'environment') io.say(`wiretape: ${setting.variable} is set here, and comes before it`);
}

function settingOf(name: string): Setting {
  const found = SETTINGS.find((setting) => setting.name === name);
  if (found) return found;
  const names = SETTINGS.map((setting) => setting.name);
  const near = nearest(name, names);
  throw new Failure(
    `there is no setting ${JSON.stringify(name)}`,
    `one of ${(near.length > 0 ? near : names).join(', ')}`,
  );
}
