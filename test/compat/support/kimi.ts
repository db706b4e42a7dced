/** kimi-cli without a model: the options that make it play scripts, one for each time it would ask its model. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './twice.ts';

/** Writes scripts and configuration into the stage's folder. */
export function scriptedKimi({ dir, work }: Stage, scripts: string[]): string[] {
  return ['--config-file', writeConfig(dir, scripts), '--work-dir', work];
}

/** For clients that choose the options themselves: the configuration is where kimi looks for it by default. */
export function scriptedHome({ dir }: Stage, scripts: string[]): NodeJS.ProcessEnv {
  writeConfig(dir, scripts);
  return { KIMI_SHARE_DIR: dir };
}

function writeConfig(dir: string, scripts: string[]): string {
  const [scriptFile, configFile] = [join(dir, 'scripts.json'), join(dir, 'config.toml')];
  writeFileSync(scriptFile, JSON.stringify(scripts));
  const config = `
default_model = "scripted"
[models.scripted]
provider = "scripts"
model = "scripted_echo"
max_context_size = 100000
[providers.scripts]
type = "_scripted_echo"
base_url = ""
api_key = ""
env = { KIMI_SCRIPTED_ECHO_SCRIPTS = ${JSON.stringify(scriptFile)} }
`;
  writeFileSync(configFile, config);
  return configFile;
}

/** The line of a script that has the model ask for a shell command. */
export function shell(id: string, command: string): string {
  const call = { id, name: 'Shell', arguments: JSON.stringify({ command }) };
  return `tool_call: ${JSON.stringify(call)}`;
}
