/** A page with both sessions side by side. */

import { restrictTo } from '../../../analysis/diff/result.ts';
import { Exit, Failure } from '../../../model/failure.ts';
import { humanBytes, visible } from '../../../model/text/text.ts';
import { inspectedPieces, writePieces } from '../../../output/export/write-pieces.ts';
import type { Io } from '../../../output/terminal/io.ts';
import type { Session } from '../../../session/session.ts';
import type { SessionPlace } from '../../../storage/store/sessions.ts';
import { diffOptionsFor, type SessionCompareOptions, withSessions } from './pair.ts';

export interface ComparePageOptions extends SessionCompareOptions {
  redact?: string;
  output?: string;
  force?: boolean;
}

/** Both sessions in a page, with what differs. */
export async function comparePage(
  io: Io,
  places: Record<'a' | 'b', SessionPlace>,
  { output = '-', force = false, ...options }: ComparePageOptions,
): Promise<number> {
  if (output === '-' && io.interactive) throw new Failure('a page is not for a terminal', 'add -o page.html');
  const { htmlPage } = await import('../../../output/export/html.ts');
  const { diffOfPage } = await import('../../../output/export/html-diff.ts');
  return withSessions(places.a, places.b, async (a, b) => {
    const { prepareOutbound: leaving } = await import('../redaction.ts');
    const outbound = leaving([a, b], options, io);
    const [first, second] = outbound.sessions as [Session, Session];
    const found = diffOfPage(first, second, await diffOptionsFor(a, b, options));
    const diff = options.only ? restrictTo(found, options.only) : found;
    const progress = (done: number, all: number) =>
      io.progress('writing the page, in MB:', Math.floor(done / 1e6), Math.ceil(all / 1e6));
    const replaced = outbound.replaced ? { replaced: outbound.replaced } : {};
    const pieces = htmlPage(outbound.sessions, { diff, progress, ...replaced });
    if (output === '-')
      for await (const piece of inspectedPieces(pieces, outbound.inspect)) if (!(await io.write(piece))) break;
    const size = output === '-' ? 0 : await writePieces(output, force, pieces, outbound.inspect);
    io.progress('', 0, 0);
    if (size > 0) io.say(`wiretape: wrote ${visible(output)}: ${humanBytes(size)}`);
    return diff.same ? Exit.ok : Exit.no;
  });
}
