/** The HTML around the data: what is recorded cannot become part of it. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { HEAD_ID } from '../../../../lib/model/page-format.ts';
import { safeName } from '../../../../lib/output/export/file-names.ts';
import type { HtmlPageOptions } from '../../../../lib/output/export/html.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { documentOf, pageOf } from '../../../support/page.ts';

const HOSTILE = `</title></script><script>alert(1)</script><img src=x onerror=alert(1)>$&$\`$'--><!--\u202e"'&amp;`;

function hostileSession() {
  const message = { jsonrpc: '2.0', id: '1', method: 'prompt', params: { user_input: HOSTILE } };
  const begin = { jsonrpc: '2.0', method: 'event', params: { type: 'TurnBegin', payload: { user_input: HOSTILE } } };
  const frames = [message, begin].map((value, i): Frame => {
    const raw = Buffer.from(JSON.stringify(value));
    const from = i === 0 ? 'client' : 'agent';
    return { f: i + 1, t: i, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
  });
  return sessionInMemory({ ...metadataFor(HOSTILE, [HOSTILE, '--wire']), cwd: HOSTILE }, frames);
}

/** Without the viewer's own script and style. */
function withoutViewer(page: string): string {
  const style = page.indexOf('<style>');
  const script = page.lastIndexOf('</script>', page.indexOf('<script type='));
  return page.slice(0, style) + page.slice(script);
}

describe('a page', () => {
  it('names the frame to begin at, if there is one', async () => {
    const headOf = async (options: HtmlPageOptions) => {
      const text = documentOf(await pageOf([hostileSession()], options)).getElementById(HEAD_ID)!.textContent;
      return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString());
    };
    expect((await headOf({ focus: ({ meter }) => meter.last })).focus).toBe(2);
    expect(await headOf({})).not.toHaveProperty('focus');
  });

  it('escapes its title and its summary, and has nothing else of what was recorded', async () => {
    const page = (await pageOf([hostileSession()])).toString();
    const title = /<title>([^<]*)<\/title>/.exec(page)![1]!;
    expect(title).toContain('&lt;/title&gt;&lt;/script&gt;');
    expect(title).toContain('$&amp;$`$&#39;');
    const rest = withoutViewer(page);
    expect(rest).not.toMatch(/<script>|<img|onerror=alert\(1\)>/);
    expect(rest).not.toContain('\u202e');
    expect(rest).toMatch(/<li value="1" dir="auto">&lt;\/title&gt;/);
    expect(rest.match(/<noscript>[\s\S]*<\/noscript>/)![0].length).toBeLessThan(65_536);
  });

  it('allows exactly its own script and style', async () => {
    const page = (await pageOf([hostileSession()])).toString();
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
    const script = page.slice(page.indexOf('<body>\n<script>') + 15, page.indexOf('</script>\n<script type='));
    const style = page.slice(page.indexOf('<style>') + 7, page.indexOf('</style>'));
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      'img-src blob:',
      ...['connect', 'font', 'media', 'object', 'frame', 'worker'].map((what) => `${what}-src 'none'`),
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<title>'));
    expect(page).toContain('<meta name="referrer" content="no-referrer">');
  });

  it('is the same every time, with blocks that nothing can close', async () => {
    const [one, other] = [await pageOf([hostileSession()]), await pageOf([hostileSession()])];
    expect(one.equals(other)).toBe(true);
    const { ids } = documentOf(one);
    const blocks = one.toString('latin1').match(/<script type="application\/octet-stream"/g)!;
    expect(ids.length).toBe(blocks.length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('names of files', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..', 'session'],
    ['.hidden', 'hidden'],
    ['run.jsonl', 'run'],
    ['both.html@2', 'both-2'],
    ['a b\n<c>/d:e', 'd-e'],
    ['20261116T022911-k3f9', '20261116T022911-k3f9'],
    ['会话', 'session'],
  ])('%j becomes %s', (id, name) => expect(safeName(id)).toBe(name));
});
