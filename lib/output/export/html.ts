/**
 * A page that shows a session in a browser, in one file and without a network. The data is in inert blocks, one to a line,
 * compressed and in base64, whose alphabet cannot close a block; nothing recorded is in the HTML itself but the title and
 * the summary for those without scripts, both escaped. The same tape gives the same bytes.
 */
import { createHash } from 'node:crypto';
import type { SessionDiff } from '../../analysis/diff/result.ts';
import type { WholeSession } from '../../analysis/why/session-examiner.ts';
import { exactJson } from '../../model/id.ts';
import { HEAD_ID, PAGE_FORMAT } from '../../model/page-format.ts';
import type { Session } from '../../session/session.ts';
import { VERSION } from '../../storage/system/installation.ts';
import { DIFF_ID } from '../page/blocks.ts';
import { brief } from '../page/label.ts';
import type { PageHead, SessionHead } from '../page/page.ts';
import { PageBlockQueue } from './html-blocks.ts';
import { escaped } from './html-escape.ts';
import { sessionBlocks } from './html-session.ts';
import { summaryOf } from './html-summary.ts';
import { type Viewer, viewerFiles } from './html-viewer.ts';

export interface HtmlPageOptions {
  /** The comparison of the two sessions, if it is not the default one. */
  diff?: SessionDiff;
  /** Called with the number of bytes that have been read, and of all bytes. */
  progress?: (done: number, all: number) => void;
  /** Called with the number of frames when the page is complete. */
  frames?: (count: number) => void;
  /** How many values of each kind were replaced in a session, once it was read. */
  replaced?: (session: Session) => Record<string, number>;
  /** The frame that the viewer begins at, from the first session with its whole tree. */
  focus?: (session: WholeSession) => number;
}

/** The page in pieces. */
export async function* htmlPage(
  sessions: readonly Session[],
  options: HtmlPageOptions = {},
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(htmlHead(titleOf(sessions), viewerFiles()));
  const blocks = new PageBlockQueue();
  try {
    const heads = yield* writeBlocks(sessions, blocks, options);
    options.frames?.(heads.reduce((sum, { frames }) => sum + frames, 0));
    yield Buffer.from(`<noscript>\n${summaryOf(heads)}</noscript>\n</body>\n</html>\n`);
  } finally {
    await blocks.stop();
  }
}

/** All blocks, in pieces. */
async function* writeBlocks(
  sessions: readonly Session[],
  blocks: PageBlockQueue,
  { focus: focusIn, ...options }: HtmlPageOptions,
): AsyncGenerator<Uint8Array, SessionHead[]> {
  const heads: SessionHead[] = [];
  let focus: number | undefined;
  for (const [n, session] of sessions.entries()) {
    const onWhole = (whole: WholeSession) => {
      focus = focusIn!(whole);
    };
    const head = yield* sessionBlocks(n, session, blocks, {
      ...options,
      ...(focusIn && n === 0 && { whole: onWhole }),
    });
    const kinds = options.replaced?.(session) ?? {};
    heads.push(head.redaction ? { ...head, redaction: { ...head.redaction, kinds } } : head);
  }
  const [a, b] = sessions;
  if (a && b) blocks.add({ id: DIFF_ID, content: exactJson(options.diff ?? (await usualDiff(a, b))) });
  const head: PageHead = { format: PAGE_FORMAT, version: VERSION, sessions: heads, ...(focus && { focus }) };
  blocks.add({ id: HEAD_ID, content: exactJson(head) });
  yield* blocks.rest();
  return heads;
}

/** Loaded if it is needed: most pages have one session. */
async function usualDiff(a: Session, b: Session): Promise<SessionDiff> {
  const { diffOfPage } = await import('./html-diff.ts');
  return diffOfPage(a, b);
}

/** What is known before the session is read. */
function titleOf(sessions: readonly Session[]): string {
  const words = sessions.map(({ names, metadata }) => {
    const program = metadata.command[0]?.split('/').at(-1) ?? '';
    return names.name ?? `${metadata.session}${program === '' ? '' : ` (${program})`}`;
  });
  return brief(`${words.join(' and ')} - wiretape`);
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function contentSecurityPolicy({ script, style }: Viewer): string {
  return [
    `default-src 'none'`,
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    `img-src blob:`,
    ...['connect', 'font', 'media', 'object', 'frame', 'worker'].map((what) => `${what}-src 'none'`),
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

/** Concatenated, never made with `replace`, which would interpret `$&` in recorded text. */
function htmlHead(title: string, viewer: Viewer): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(viewer)}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="generator" content="wiretape ${escaped(VERSION)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${viewer.style}</style>`,
    '</head>',
    '<body>',
    `<script>${viewer.script}</script>`,
    '',
  ].join('\n');
}
