/** The Python that kimi-cli needs, wherever people keep it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Newest first: both run every version of kimi-cli that is tested. */
const MINORS = ['3.13', '3.12'];

/** A Python 3.12 or 3.13 that really starts, with venv and pip; null if there is none. */
export function findPython(): string | null {
  return candidates().find(works) ?? null;
}

function candidates(): string[] {
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const installed = existsSync(pyenv) ? readdirSync(pyenv) : [];
  return [
    // A name on PATH may be a shim of pyenv's for a version that is not switched on: `works` finds out.
    ...MINORS.map((minor) => `python${minor}`),
    ...MINORS.flatMap((minor) => installed.filter((version) => version.startsWith(`${minor}.`))).map((version) =>
      join(pyenv, version, 'bin', 'python'),
    ),
    'python3',
  ];
}

function works(python: string): boolean {
  const check = 'import sys, venv, ensurepip; sys.exit(not (3, 12) <= sys.version_info[:2] <= (3, 13))';
  try {
    execFileSync(python, ['-c', check], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
