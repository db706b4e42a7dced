/**
 * The page of a review: static, without scripts and without a network. Everything in it is escaped. It contains private
 * data, so it is only for the user who made it.
 */
import { createHash } from 'node:crypto';
import type { Review, ReviewContext, ReviewedValue } from '../../analysis/redact/review.ts';
import { shellWord } from '../../model/text/shell.ts';
import { visible } from '../../model/text/text.ts';
import type { ReportLanguage } from '../report/words.ts';
import { escaped } from './html-escape.ts';
import { REVIEW_WORDS, type ReviewWords } from './review-words.ts';

export interface ReviewPageOptions {
  session: string;
  frames: number;
  language: ReportLanguage;
}

/** More are only counted. */
const MAX_LISTED = 500;

export function* reviewPage(
  { kept, replaced }: Review,
  { session, frames, language }: ReviewPageOptions,
): Generator<string> {
  const words = REVIEW_WORDS[language];
  yield [
    '<!doctype html>',
    `<html lang="${language === 'zh' ? 'zh-Hans' : 'en'}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${cell(words.title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<p class="private" role="note">${cell(words.private)}</p>`,
    '<main>',
    `<h1>${cell(words.title)}</h1>`,
    `<p class="about">${cell(words.about(session, frames))}</p>`,
    '',
  ].join('\n');
  yield* section(words.kept, kept, kept.length > 0 ? words.keptHow : words.keptNone, '--also', words);
  yield* section(
    words.replaced,
    replaced,
    replaced.length > 0 ? words.replacedHow : words.replacedNone,
    '--keep',
    words,
  );
  yield '</main>\n</body>\n</html>\n';
}

function* section(
  title: string,
  all: readonly ReviewedValue[],
  how: string,
  option: string,
  words: ReviewWords,
): Generator<string> {
  yield `<section>\n<h2>${cell(title)} <span class="count">${all.length}</span></h2>\n<p>${cell(how)}</p>\n`;
  for (const one of all.slice(0, MAX_LISTED)) yield entry(one, option, words);
  if (all.length > MAX_LISTED) yield `<p class="more">${cell(words.more(all.length - MAX_LISTED))}</p>\n`;
  yield '</section>\n';
}

function entry(one: ReviewedValue, option: string, words: ReviewWords): string {
  const { kind, name, shown, length, places, frames, contexts, pattern } = one;
  const where = frames.length === 0 ? words.beside : frames.map((f) => `f${f}`).join(', ');
  const rest = frames.length > 0 && places > frames.length ? ', …' : '';
  const type = pattern === null ? null : `${option} ${shellWord(pattern)}`;
  return [
    '<article>',
    '<h3>',
    name === null ? '' : `<code class="name">${cell(name)}</code> `,
    `<code class="value" dir="auto">${cell(shown)}</code> <span class="kind">${cell(words.kinds[kind] ?? kind)}</span>`,
    '</h3>',
    `<p class="facts">${cell(`${words.characters(length)} · ${words.places(places)} · ${where}${rest}`)}</p>`,
    contexts.length === 0
      ? `<p class="facts">${cell(words.noContext)}</p>`
      : `<ul>\n${contexts.map((at) => line(at, name ?? shown)).join('\n')}\n</ul>`,
    type === null
      ? `<p class="facts">${cell(words.noPattern)}</p>`
      : `<p class="option"><code>${cell(type)}</code></p>`,
    '</article>',
    '',
  ].join('\n');
}

function line({ f, before, behind }: ReviewContext, value: string): string {
  const at = f > 0 ? `<span class="frame">f${f}</span> ` : '';
  return `<li dir="auto">${at}${cell(before)}<mark>${cell(value)}</mark>${cell(behind)}</li>`;
}

const cell = (text: string): string => escaped(visible(text));

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c2024, #e6e8ea); --paper: light-dark(#fff, #15181b);
  --quiet: light-dark(#5b6470, #9aa4af); --line: light-dark(#d9dee3, #30363c); --sunk: light-dark(#f3f5f7, #1e2226);
  --warn-ink: light-dark(#7a2e00, #ffd7a8); --warn: light-dark(#fff0d9, #4a2c0a); --mark: light-dark(#ffe58a, #6b5200); }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.private { position: sticky; top: 0; margin: 0; padding: 10px 20px; background: var(--warn); color: var(--warn-ink);
  border-bottom: 1px solid var(--line); font-weight: 600; }
main { max-width: 900px; margin: 0 auto; padding: 12px 20px 60px; }
h1 { margin: 12px 0 0; font-size: 1.6rem; }
h2 { margin: 32px 0 4px; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; font-weight: 400; }
p { margin: 4px 0; }
code, li { font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.about, .facts, .more, .count, .frame { color: var(--quiet); }
.facts, .more { font-size: 0.875rem; }
.count { font-weight: 400; }
article { margin: 14px 0; padding: 12px 14px; border: 1px solid var(--line); border-radius: 8px; }
.value { padding: 1px 5px; background: var(--mark); border-radius: 4px; }
.name { font-weight: 600; }
.kind { margin-left: 4px; }
ul { margin: 8px 0; padding: 8px 10px; list-style: none; background: var(--sunk); border-radius: 6px; }
li { white-space: pre-wrap; }
li + li { margin-top: 6px; padding-top: 6px; border-top: 1px solid var(--line); }
mark { color: inherit; background: var(--mark); border-radius: 3px; }
.option code { display: inline-block; padding: 4px 8px; border: 1px solid var(--line); border-radius: 6px; user-select: all; cursor: copy; }
@media print { .private { position: static; } article { break-inside: avoid; } }
`;

const POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');
