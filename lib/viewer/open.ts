/** Opens the page that this script is in. */
import type { OpenPage } from './shell/shell.ts';

export async function openPage(): Promise<OpenPage> {
  throw new Error('there is no session in it');
}
