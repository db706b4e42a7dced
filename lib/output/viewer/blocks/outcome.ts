/** What came of an item: who decided a request, and how a call ended. */
import type { ApprovalRow } from '../../../analysis/audit/row.ts';
import { humanSeconds, visible } from '../../../model/text/text.ts';
import { STATE } from '../../page/page.ts';
import type { Language } from '../app.ts';
import { h } from '../h.ts';
import { badge, linked, type Tone } from '../parts/marks.ts';
import type { Body } from './body.ts';
import type { Pen } from './pen.ts';
import { CONTENT_WORDS } from './words.ts';

const WORDS: Record<
  Language,
  {
    comma: string;
    after: (time: string) => string;
    mode: (mode: string) => string;
    grant: (f: number) => string;
    deny: (f: number) => string;
  }
> = {
  en: {
    comma: ', ',
    after: (time) => `after ${time}`,
    mode: (mode) => `mode ${mode}`,
    grant: (f) => `granted at f${f}`,
    deny: (f) => `the same was denied at f${f}`,
  },
  zh: {
    comma: '，',
    after: (time) => `历时 ${time}`,
    mode: (mode) => `模式 ${mode}`,
    grant: (f) => `授权见 f${f}`,
    deny: (f) => `相同请求曾在 f${f} 被拒绝`,
  },
};

const TONES: Record<string, [Tone, string]> = {
  allow: ['good', '✓'],
  'allow-always': ['good', '✓'],
  answered: ['good', '✓'],
  deny: ['bad', '✗'],
  cancelled: ['warn', '⊘'],
  dismissed: ['warn', '⊘'],
  unasked: ['warn', '○'],
  none: ['warn', '?'],
  unknown: ['quiet', '?'],
};

/** `✓ allowed by the client after 2.10 s`. A call to the client asks for no permission: it is answered. */
export function decisionLine(pen: Pen, body: Body, audit: ApprovalRow | null): HTMLElement | null {
  const words = pen.app.words(CONTENT_WORDS);
  const more = pen.app.words(WORDS);
  const decided = audit?.decision ?? body.decision ?? (body.pair_f === null ? 'none' : null);
  if (decided === null) return null;
  const isServed = body.kind === 'client-call' && decided === 'allow';
  const decision = isServed ? 'answered' : decided;
  const [tone, glyph] = TONES[decision] ?? ['plain', ''];
  const wait = audit?.wait ?? body.wait;
  const facts = [
    isServed ? null : audit ? words.by[audit.by] : decision === 'none' ? words.notAnswered : null,
    wait ? more.after(humanSeconds(wait)) : null,
    audit?.mode ? more.mode(visible(audit.mode)) : null,
    audit?.grant_f != null ? more.grant(audit.grant_f) : null,
    audit?.deny_f != null ? more.deny(audit.deny_f) : null,
    body.resolved !== null && body.resolved !== decision ? words.resolved(words.decisions[body.resolved]) : null,
  ].filter((one) => one !== null);
  return h(
    'p',
    { class: 'item-decision' },
    badge(tone, glyph, words.decisions[decision]),
    pen.isFlat ? facts.join(more.comma) : linked(pen.app, facts.join(more.comma)),
  );
}

const CALL_TONES: Record<string, [Tone, string]> = { ok: ['good', '✓'], error: ['bad', '✗'], denied: ['bad', '✗'] };

/** `✓ ok · ran 25 ms`. The result of a call that was denied is an error, but the row knows better, as in the timeline. */
export function callOutcome(pen: Pen, row: number, { status: sent, wait, run }: Body): HTMLElement {
  const words = pen.app.words(CONTENT_WORDS);
  const status = pen.app.source.rows.state[row] === STATE.denied ? 'denied' : sent;
  const [tone, glyph] = CALL_TONES[status ?? ''] ?? ['warn', '…'];
  const time = run === null ? '' : humanSeconds(run);
  const word = words.status[status ?? 'running'] ?? visible(status ?? '');
  const waited = wait ? ` + ${humanSeconds(wait)}` : '';
  return h(
    'span',
    { class: 'item-outcome' },
    badge(tone, glyph, word),
    time && h('span', { class: 'item-time', title: waited && pen.app.words(WORDS).after(humanSeconds(wait!)) }, time),
  );
}
