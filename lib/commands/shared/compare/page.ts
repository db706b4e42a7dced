/** A page with both sessions side by side. */

import { restrictTo } from '../../../analysis/diff/result.ts';
import { Exit, Failure } from '../../../model/failure.ts';
import { humanBytes, visible } from '../../../model/text/text.ts';
import { inspected, writePieces } from '../../../output/export/file.ts';
import type { Io } from '../../../output/terminal/io.ts';
import type { Session } from '../../../session/session.ts';
import type { SessionPlace } from '../../../storage/store/sessions.ts';
import { type Comparing, engineOptions, withBoth } from './pair.ts';

export interface PageOptions extends Comparing {
  redact?: string;
  output?: string;
  force?: boolean;
}

/** Both sessions in a page, with what differs. */
export async function comparePage(
  io: Io,
  places: Record<'a' | 'b', SessionPlace>,
  { output = '-', force = false, ...options }: PageOptions,
): Promise<number> {
  if (output === '-' && io.interactive) throw new Failure('a page is not for a terminal', 'add -o page.html');
  const { htmlPage } = await import('../../../output/export/html.ts');
  const { diffOfPage } = await import('../../../output/export/html-diff.ts');
  return withBoth(places.a, places.b, async (a, b) => {
    const { leaving } = await import('../redaction.ts');
    const left = leaving([a, b], options, io);
    const [first, second] = left.sessions as [Session, Session];
    const found = diffOfPage(first, second, await engineOptions(a, b, options));
    const diff = options.only ? restrictTo(found, options.only) : found;
    const progress = (done: number, all: number) =>
      io.progress('writing the page, in MB:', Math.floor(done / 1e6), Math.ceil(all / 1e6));
    const replaced = left.replaced ? { replaced: left.replaced } : {};
    const pieces = htmlPage(left.sessions, { diff, progress, ...replaced });
    if (output === '-') for await (const piece of inspected(pieces, left.inspect)) if (!(await io.write(piece))) break;
    const size = output === '-' ? 0 : await writePieces(output, force, pieces, left.inspect);
    io.progress('', 0, 0);
    if (size > 0) io.say(`wiretape: wrote ${visible(output)}: ${humanBytes(size)}`);
    return diff.same ? Exit.ok : Exit.no;
  });
}
