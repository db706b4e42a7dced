/** Opens the page that this script is in. */
import type { OpenPage } from './shell/shell.ts';
import { embeddedSources } from './source-embedded.ts';

export function openPage(): Promise<OpenPage> {
  return embeddedSources(document);
}
