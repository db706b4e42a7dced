/** Colours by meaning: who speaks, what is wrong, what is secondary. */
import { Chalk } from 'chalk';
import type { From } from '../../model/frame.ts';

export interface Theme {
  speaker: Record<From, (text: string) => string>;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

export function themeFor(color: boolean): Theme {
  const c = new Chalk({ level: color ? 1 : 0 });
  return {
    speaker: { client: c.cyan, agent: c.green, stderr: c.yellow, proc: c.magenta },
    good: c.green,
    bad: c.red,
    warn: c.yellow,
    dim: c.dim,
    strong: c.bold,
  };
}
