/** A page as a document has it: its blocks by id. */
import { type HtmlPageOptions, htmlPage } from '../../lib/output/export/html.ts';
import { bodyOf } from '../../lib/output/viewer/blocks/body.ts';
import { embeddedSources } from '../../lib/output/viewer/source-embedded.ts';
import type { Session } from '../../lib/session/session.ts';

export async function pageOf(sessions: readonly Session[], options: HtmlPageOptions = {}): Promise<Buffer> {
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

export async function sourcesOf(sessions: readonly Session[], options: HtmlPageOptions = {}) {
  return embeddedSources(documentOf(await pageOf(sessions, options)));
}

/** A row with what a page leaves out because it is empty, without what is the same in all rows or follows from others. */
export function bodyIn({ session: _, at: __, ...row }: Record<string, unknown>): Record<string, unknown> {
  return { hidden: null, n: null, ...bodyOf(row) };
}
