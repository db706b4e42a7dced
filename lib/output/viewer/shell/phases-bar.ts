/** How the time was spent: a bar, and the same in words. */
import { humanSeconds } from '../../../model/text/text.ts';
import { h } from '../h.ts';
import type { Phases } from './head-facts.ts';
import { HEADER_WORDS } from './header-words.ts';
import type { Shell } from './shell.ts';

export function phasesBar(app: Shell, phases: Phases): HTMLElement | null {
  const words = app.words(HEADER_WORDS);
  const sum = phases.busy + phases.waiting + phases.idle;
  if (sum <= 0) return null;
  const parts = (['busy', 'waiting', 'idle'] as const).filter((name) => phases[name] > 0);
  const segments = parts.map((name) => {
    const segment = h('span', { class: `phases-part phases-${name}` });
    segment.style.flexGrow = String(phases[name] / sum);
    return segment;
  });
  const spans = parts.map((name) => `${words[name]} ${humanSeconds(phases[name])}`);
  return h(
    'span',
    { class: 'phases', title: `${words.phases}: ${spans.join(', ')}` },
    h('span', { class: 'phases-bar', 'aria-hidden': 'true' }, ...segments),
    ...parts.map((name) =>
      h(
        'span',
        { class: 'phases-word' },
        h('i', { class: `phases-key phases-${name}`, 'aria-hidden': 'true' }),
        `${words[name]} `,
        h('b', {}, humanSeconds(phases[name])),
      ),
    ),
  );
}
