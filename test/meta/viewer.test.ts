/**
 * Recorded text is hostile, and the viewer shows it to people: nothing in it can make HTML, links or code of a string, and
 * everything in it fits into a page that is quick to load.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const viewer = join(root, 'lib/output/viewer');
const built = join(root, 'dist/viewer');
/** It is larger than planned, and may not grow unnoticed. */
const MOST_BYTES = 450 << 10;
const MOST_COMPRESSED = 156 << 10;

/** What makes HTML, a document, a link, a request or code of a string. */
const BANNED: readonly RegExp[] = [
  /\.?\b(?:inner|outer)HTML\b/,
  /\binsertAdjacentHTML\b/,
  /\bsetHTML(?:Unsafe)?\b/,
  /\bparseHTML(?:Unsafe)?\b/,
  /\bdocument\s*\.\s*(?:write|writeln|open|domain|cookie)\b/,
  /\bcreateContextualFragment\b/,
  /\bDOMParser\b/,
  /\bXSLTProcessor\b/,
  /\bsrcdoc\b/,
  /\beval\b\s*\(/,
  /\bnew\s+Function\b|(?<![\w.])Function\s*\(/,
  /\bimport\s*\(/,
  /\bset(?:Timeout|Interval)\s*\(\s*['"`]/,
  /\bjavascript:/i,
  /\bsetAttribute(?:NS|Node)?\s*\(\s*['"`](?:on|href|src|style|action|formaction|xlink|ping|target|data['"`])/i,
  /\.(?:href|src|action|formAction|srcset|cssText|ping)\s*=(?!=)/,
  /\.on[a-z]+\s*=(?!=)/,
  /\bdangerously/,
  /\btrustedTypes\b/,
  /\bnew\s+(?:Worker|SharedWorker|EventSource|WebSocket|XMLHttpRequest|Audio)\b/,
  /\bfetch\s*\(/,
  /\b(?:sendBeacon|importScripts|serviceWorker)\b/,
  /\bwindow\s*\.\s*open\b|\blocation\s*\.\s*(?:assign|replace)\b|\blocation\s*=(?!=)/,
  /h\(\s*'(?:a|iframe|object|embed|form|base|link|script|style|meta|svg|video|audio)'/,
  /createElement\s*\(\s*['"`](?:iframe|object|embed|form|base|link|script|style|meta)/i,
  /\bcreateElementNS\b/,
];

/**
 * What one place may do, with the reason. A line that ends with this comment is not looked at; each is listed here, so that
 * another one is seen in review.
 */
const ALLOWED: Record<string, readonly RegExp[]> = {
  // A blob that the page has made, and whose type is one of four.
  'blocks/image.ts': [/image\.src = source;/],
  // The tape, by a click on a button.
  'shell/download.ts': [/\.href = /],
  // A message to ourselves: the next turn of the event loop.
  'slices.ts': [/\.onmessage = /],
};

const sources = (readdirSync(viewer, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));

/** Code without comments. */
const codeOf = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

function sinksIn(name: string, text: string): string[] {
  return codeOf(text)
    .split('\n')
    .filter((line) => BANNED.some((sink) => sink.test(line)) && !ALLOWED[name]?.some((one) => one.test(line)))
    .map((line) => `${name}: ${line.trim()}`);
}

describe('the viewer', () => {
  it('has no way to make HTML, links, requests or code of a text', () => {
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.flatMap((name) => sinksIn(name, readFileSync(join(viewer, name), 'utf8')))).toEqual([]);
  });

  it.each([
    'element.innerHTML = text;',
    "element['outerHTML'] = text;",
    "x.insertAdjacentHTML('beforeend', text);",
    'document.write(text);',
    "frame.setAttribute('srcdoc', text);",
    'eval(text);',
    'const f = new Function(text);',
    "a.setAttribute('href', url);",
    "a.setAttribute('onclick', text);",
    'image.src = url;',
    'range.createContextualFragment(text);',
    "new DOMParser().parseFromString(text, 'text/html');",
    'button.onclick = run;',
    "h('iframe', {});",
    'fetch(url);',
    "setTimeout('run()', 1);",
    'location.replace(url);',
  ])('would be caught with %s', (line) => {
    expect(sinksIn('new.ts', line)).toHaveLength(1);
  });

  it('is allowed only what is still there', () => {
    const unused = Object.entries(ALLOWED).filter(([name, lines]) => {
      const code = sources.includes(name) ? codeOf(readFileSync(join(viewer, name), 'utf8')) : '';
      return !lines.every((line) => line.test(code));
    });
    expect(unused.map(([name]) => name)).toEqual([]);
  });

  it('is small', () => {
    const files = ['viewer.js', 'viewer.css'].map((name) => join(built, name));
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const compressed = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
    expect(bytes, `${files.map((file) => `${relative(root, file)} ${statSync(file).size}`)}`).toBeLessThanOrEqual(
      MOST_BYTES,
    );
    expect(compressed).toBeLessThanOrEqual(MOST_COMPRESSED);
  });

  it('can stand in HTML as it is', () => {
    expect(readFileSync(join(built, 'viewer.js'), 'utf8')).not.toMatch(/<\/script|<!--|\r|\0|^\ufeff/i);
    expect(readFileSync(join(built, 'viewer.css'), 'utf8')).not.toMatch(/<\/style|<!--|\r|\0|^\ufeff|@import|url\(/i);
  });

  it('names colours in one file', () => {
    const styles = readdirSync(join(viewer, 'styles')).filter((name) => name.endsWith('.css') && name !== 'tokens.css');
    const COLOUR = /#[0-9a-f]{3,8}\b(?![^{]*\{)|\b(?:rgb|hsl|oklch|oklab|lab|lch)a?\(/i;
    const found = styles.flatMap((name) => {
      const lines = readFileSync(join(viewer, 'styles', name), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .split('\n');
      return lines.filter((line) => COLOUR.test(line)).map((line) => `${name}: ${line.trim()}`);
    });
    expect(found).toEqual([]);
  });
});
