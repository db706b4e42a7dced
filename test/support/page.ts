/** A page as a document has it: its blocks by id. */
import { htmlPage, type PageOptions } from '../../lib/export/html.ts';
import type { Session } from '../../lib/session/session.ts';
import { embeddedSources } from '../../lib/viewer/source-embedded.ts';

export async function pageOf(sessions: readonly Session[], options: PageOptions = {}): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of htmlPage(sessions, options)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const BLOCK = /^<script type="application\/octet-stream" id="([^"]+)">([^<]*)<\/script>$/gm;

export function documentOf(page: Buffer) {
  const blocks = new Map([...page.toString('latin1').matchAll(BLOCK)].map(([, id, text]) => [id!, text!]));
  return {
    ids: [...blocks.keys()],
    getElementById: (id: string) => (blocks.has(id) ? { textContent: blocks.get(id)! } : null),
  };
}

export async function sourcesOf(sessions: readonly Session[], options: PageOptions = {}) {
  return embeddedSources(documentOf(await pageOf(sessions, options)));
}
