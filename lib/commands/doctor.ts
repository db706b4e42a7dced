import { Exit } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { checkAgents } from '../recording/doctor/agents.ts';
import { checkBudget } from '../recording/doctor/budget.ts';
import { checkMachine } from '../recording/doctor/machine.ts';
import { checkStore } from '../recording/doctor/store.ts';
import { storeHome } from '../storage/store/home.ts';
import type { Define, Flags } from './index.ts';

const HELP = `
Checks the store, its index, this machine, and the agents and shims on the
PATH. It reads every tape to compare it with the index. It changes nothing.
  $ wiretape doctor
  $ wiretape doctor --json | jq 'select(.level != "ok")'
Exit codes: 0 no problems (there may be warnings), 1 problems found.`;

export const define: Define = (command, { io, exit }) => {
  command
    .option('--json', 'print one JSON object per check: check, level, message, hint')
    .addHelpText('after', HELP)
    .action(async (options: Flags<'json'>) => {
      const theme = themeFor(io.color);
      const marks = { ok: theme.good('ok     '), warning: theme.warn('warning'), problem: theme.bad('problem') };
      const home = storeHome(io.env);
      const progress = (done: number, all: number) => io.progress('comparing tapes and index', done, all);
      const findings = [
        ...checkMachine(io.env),
        ...checkStore(home, progress),
        ...checkBudget(home, io.env),
        ...checkAgents(home, io.env),
      ];
      for (const finding of findings) {
        const { check, level, message, hint } = finding;
        if (options.json) await io.json(finding);
        else await io.write(`${marks[level]}  ${check.padEnd(15)} ${visible(message)}\n`);
        if (hint && !options.json) await io.write(`${' '.repeat(25)}${theme.dim(`hint: ${visible(hint)}`)}\n`);
      }
      exit(findings.some(({ level }) => level === 'problem') ? Exit.no : Exit.ok);
    });
};
