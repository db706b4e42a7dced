/** How the session ended: what the process did, and which requests have no answer. */
import { visible } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { bodyOf } from '../blocks/body.ts';
import { offset } from '../format.ts';
import { h } from '../h.ts';
import { badge, frameButton, linked } from '../parts/marks.ts';
import { lastProcessRows } from './conversation-rows.ts';
import { TALK_WORDS } from './words.ts';

interface NextObligation {
  owes: 'client' | 'agent';
  f: number | null;
  what: string;
  cause: string;
  hint: string | null;
}

export async function endingElement(app: App): Promise<HTMLElement> {
  const words = app.words(TALK_WORDS);
  const { source } = app;
  const lines: HTMLElement[] = [];
  for (const row of lastProcessRows(source.rows)) {
    const { name, text, f, t } = bodyOf(await source.body(row));
    if (name === 'spawn') continue;
    const isExit = name === 'exit';
    const word = isExit ? words.exit(visible(text)) : visible(`${name ?? ''} ${text}`);
    const glyph = isExit ? (/\b0\b/.test(text) ? (['good', '✓'] as const) : (['bad', '✗'] as const)) : null;
    lines.push(
      h(
        'li',
        { 'data-f': f },
        glyph ? badge(glyph[0], glyph[1], word) : word,
        ' ',
        h('span', { class: 'talk-time' }, `+${offset(t)}`),
        ' ',
        frameButton(app, f),
      ),
    );
  }
  const owed = (await source.why()) as unknown as NextObligation[];
  const open = owed
    .filter(({ what }) => typeof what === 'string')
    .map(({ owes, what, cause, hint, f }) =>
      h(
        'li',
        { class: 'talk-owed', 'data-f': f },
        badge('warn', '…', words.owes[owes] ?? owes),
        ': ',
        linked(app, what),
        h('p', {}, linked(app, cause)),
        hint ? h('p', { class: 'block-note' }, `${words.hint}: `, linked(app, hint)) : null,
      ),
    );
  return h(
    'section',
    { class: 'talk-end', 'aria-label': words.ended },
    h('h2', {}, words.ended),
    h('ul', {}, ...open, ...lines),
  );
}
