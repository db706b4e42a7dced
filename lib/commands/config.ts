import { Exit, Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import type { Io } from '../output/terminal/io.ts';
import {
  invalidSettingText,
  SETTINGS,
  type Setting,
  type SettingValue,
  settingsOf,
  writeSetting,
} from '../storage/store/config.ts';
import { storeHome } from '../storage/store/home.ts';
import type { Define, Flags } from './index.ts';
import { oneNamed } from './shared/options.ts';

const HELP = `
Sessions that exceed the limits are removed whenever a recording starts.
Running sessions are never removed.
  $ wiretape config set max-size 5gb
  $ wiretape config set max-age 30d
  $ wiretape config unset max-age
  $ wiretape config           list all settings and their sources
  $ wiretape prune --dry-run  show what would be removed now

Settings:
${SETTINGS.map(({ name, help, variable }) => `  ${name.padEnd(10)} ${help}\n${' '.repeat(13)}(overridden by $${variable})`).join('\n')}
Set a variable to "off" for no limit. Without settings, nothing is ever removed.
Settings are stored in config.json in the store. Removals are logged in
log.jsonl.
Exit codes: 0 success, 1 the setting is not set, 2 unknown setting or invalid
value.`;

export const define: Define = (command, { io, exit }) => {
  const home = () => storeHome(io.env);
  const given = (name: string) =>
    settingsOf(home(), io.env).find(({ setting }) => setting === oneNamed('setting', name, SETTINGS))!;
  command
    .usage('[list|get|set|unset]')
    .addHelpText('after', HELP)
    .option('--json', 'print one JSON object per setting: setting, value, from')
    .action((options: Flags<'json'>) => list(io, options.json ?? false));
  command
    .command('list')
    .description('list all settings and their sources')
    .option('--json', 'print one JSON object per setting: setting, value, from')
    .action((options: Flags<'json'>) => list(io, options.json ?? false));
  command
    .command('get <setting>')
    .description('print a setting')
    .action(async (name: string) => {
      const { word, problem } = given(name);
      if (problem !== null) throw new Failure(problem, 'fix it with: wiretape config set');
      if (word === null) return exit(Exit.no);
      await io.write(`${visible(word)}\n`);
    });
  command
    .command('set <setting> <value>')
    .description('change a setting')
    .action((name: string, word: string) => {
      const setting = oneNamed('setting', name, SETTINGS);
      if (setting.read(word) === null) throw new Failure(`${name}: ${invalidSettingText(setting, word)}`);
      changeSetting(home(), setting, word);
      sayIfHidden(io, given(name));
    });
  command
    .command('unset <setting>')
    .description('remove a setting')
    .action((name: string) => {
      changeSetting(home(), oneNamed('setting', name, SETTINGS), null);
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
    if (problem !== null) io.say(`wiretape: ${visible(problem)}; ignored`);
  }
}

function changeSetting(home: string, { name }: Setting, word: string | null): void {
  try {
    writeSetting(home, name, word);
  } catch (error) {
    throw new Failure(`cannot write the setting: ${(error as Error).message}`);
  }
}

/** Notes that an environment variable overrides the setting that was just written. */
function sayIfHidden(io: Io, { setting, from }: SettingValue): void {
  if (from === 'environment') io.say(`wiretape: ${setting.variable} is set and overrides this setting`);
}
