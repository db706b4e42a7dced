/** A theme without colours. Chalk is loaded only if colours are used. */
import type { Theme } from './theme.ts';

const same = (text: string) => text;

const PLAIN: Theme = {
  speaker: { client: same, agent: same, stderr: same, proc: same },
  good: same,
  bad: same,
  warn: same,
  dim: same,
  strong: same,
};

export async function loadTheme({ color }: { color: boolean }): Promise<Theme> {
  return color ? (await import('./theme.ts')).themeFor(true) : PLAIN;
}
