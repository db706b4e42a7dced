/** The numbers of the session. Those that can be looked at are buttons. */
import { humanSeconds, visible } from '../../../model/text/text.ts';
import type { ViewName } from '../app.ts';
import { count } from '../format.ts';
import { h } from '../h.ts';
import type { HeadFacts } from './head-facts.ts';
import { HEADER_WORDS } from './header-words.ts';
import { phasesBar } from './phases-bar.ts';
import type { Shell } from './shell.ts';

/** What was sent again is not counted. */
const ONCE = 'NOT is:replayed';

interface Metric {
  value: number;
  label: string;
  /** Before the number, so that it does not depend on colour. */
  sign?: string;
  name?: string;
  title?: string;
  run?: () => void;
}

export function numbersLine(app: Shell, facts: HeadFacts): HTMLElement {
  return h(
    'div',
    { class: 'head-line head-numbers' },
    h('span', { class: 'head-metric' }, h('b', {}, humanSeconds(facts.wall)), ` ${app.words(HEADER_WORDS).wall}`),
    ...metricsOf(app, facts).map((metric) => elementOf(app, metric)),
    facts.phases && phasesBar(app, facts.phases),
  );
}

function metricsOf(app: Shell, { turns, steps, tools, failed, errors, waited, phases }: HeadFacts): Metric[] {
  const words = app.words(HEADER_WORDS);
  const { approvals, findings, open, stderr } = app.source.head.counts;
  const found = findings.error + findings.warning + findings.info;
  const show = (view: ViewName, query: string) => {
    app.state.set({ view });
    app.controls.ask(query);
  };
  // Other views do not have all frames.
  const ask = (query: string) => () => show(app.state.value.view === 'frames' ? 'frames' : 'timeline', query);
  // What was asked before would hide some of them.
  const showAll = (view: ViewName) => () => show(view, '');
  const bad = { sign: '✕', name: 'head-bad' };
  const all: (Metric & { isAlways?: boolean })[] = [
    { value: turns, label: words.turns(turns), isAlways: phases !== null },
    { value: steps, label: words.steps(steps) },
    { value: tools, label: words.tools(tools), run: ask(`kind:tool-call,tool-result ${ONCE}`) },
    { value: failed, label: words.failed(failed), ...bad, run: ask(`kind:tool-result is:error ${ONCE}`) },
    { value: errors, label: words.errors(errors), ...bad, run: ask(`is:error ${ONCE}`) },
    { value: open, label: words.open(open), sign: '▸', name: 'head-bad', run: showAll('findings') },
    {
      value: approvals,
      label: words.approvals(approvals, waited > 0 ? humanSeconds(waited) : ''),
      ...(waited > 0 && { title: words.waitedTitle }),
      run: showAll('approvals'),
    },
    {
      value: found,
      label: words.findings(found),
      sign: '◆',
      name: findings.error > 0 ? 'head-bad' : findings.warning > 0 ? 'head-warn' : '',
      run: showAll('findings'),
    },
    { value: stderr, label: words.stderr, sign: '≡', run: ask('from:stderr kind:log') },
  ];
  return all.filter(({ value, isAlways }) => value > 0 || isAlways);
}

function elementOf(app: Shell, { value, label, sign, name = '', title, run }: Metric): HTMLElement {
  const children = [sign && `${sign} `, h('b', {}, count(value, app.state.value.language)), ` ${label}`];
  if (!run) return h('span', { class: `head-metric ${name}` }, ...children);
  const about = { class: `head-metric head-button ${name}`, title: title ?? app.words(HEADER_WORDS).showThem };
  const button = h('button', { type: 'button', ...about }, ...children);
  button.addEventListener('click', run);
  return button;
}

/** What was replaced before the page was written. If nothing was, a line above the view says so. */
export function redactionTag(app: Shell): HTMLElement | null {
  const { redaction } = app.source.head;
  if (redaction === null) return null;
  const words = app.words(HEADER_WORDS);
  const kinds = Object.entries(redaction.kinds);
  const sum = kinds.reduce((all, [, n]) => all + n, 0);
  const title = kinds.map(([kind, n]) => `${visible(kind)}: ${n}`).join('\n');
  const text = redaction.text ? ` · ${words.textRedacted}` : '';
  const redacted = words.redacted(count(sum, app.state.value.language), sum);
  return h('span', { title }, `◪ ${redacted}${text}`);
}
