/** Who talked to whom, where and how it ended, and what the handshake said. */
import { visible } from '../../../model/text/text.ts';
import type { Summary } from '../../../session/summary.ts';
import type { SessionHead } from '../../page/page.ts';
import type { Language } from '../app.ts';
import { moment } from '../format.ts';
import { h } from '../h.ts';
import type { StatsWords } from './words.ts';

export function environmentOf(
  { summary, handshake, started }: SessionHead,
  words: StatsWords,
  language: Language,
): HTMLElement {
  const about = summary as unknown as Summary;
  const facts = handshake as Record<string, unknown>;
  const exit = about.exit ? (about.exit.signal ?? (about.exit.code === null ? null : String(about.exit.code))) : null;
  const tags = Object.entries(about.tags).map(([key, value]) => `${key}=${value}`);
  const rows: [keyof StatsWords['about'], string | null][] = [
    ['name', about.name],
    ['agent', joined(about.agent, about.agent_version)],
    ['client', about.client],
    ['model', textOf(facts.model)],
    ['dialect', joined(about.dialect, about.protocol)],
    ['mode', textOf(facts.mode)],
    ['command', about.command.join(' ')],
    ['cwd', about.cwd],
    ['where', [about.user, about.host].filter((word) => word !== null).join('@')],
    ['started', moment(started, language)],
    ['ended', about.ended === null ? null : moment(Date.parse(about.ended) * 1000, language)],
    ['state', words.states[about.state] ?? about.state],
    ['exit', exit],
    ['source', about.source],
    ['tags', tags.join(' ')],
    ['conversations', about.conversations.join(' ')],
    ['digest', about.digest],
  ];
  const known = rows.filter(([, text]) => text !== null && text !== '');
  return h(
    'div',
    {},
    h(
      'dl',
      { class: 'stats-about' },
      ...known.flatMap(([name, text]) => [h('dt', {}, words.about[name]), h('dd', { dir: 'auto' }, visible(text!))]),
    ),
    Object.keys(facts).length === 0
      ? null
      : h(
          'details',
          {},
          h('summary', {}, words.handshake),
          h('pre', { class: 'stats-json', dir: 'auto', tabindex: 0 }, visible(JSON.stringify(facts, null, 2), true)),
        ),
  );
}

const joined = (...words: (string | null)[]): string => words.filter((word) => word !== null).join(' ');

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
