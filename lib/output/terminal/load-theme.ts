/** A theme without colours. Chalk is loaded only if colours are used. */
import type { Theme } from './theme.ts';

const unpainted = (text: string) => text;

const PLAIN: Theme = {
  speaker: { client: unpainted, agent: unpainted, stderr: unpainted, proc: unpainted },
  good: unpainted,
  bad: unpainted,
  warn: unpainted,
  dim: unpainted,
  strong: unpainted,
};

export async function loadTheme({ color }: { color: boolean }): Promise<Theme> {
  return color ? (await import('./theme.ts')).themeFor(true) : PLAIN;
}
