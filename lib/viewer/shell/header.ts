/** What the session was, in two lines. Counts that can be looked at are buttons. */
import { humanBytes, humanSeconds, visible } from '../../core/text.ts';
import { count, moment } from '../format.ts';
import { h } from '../h.ts';
import { nextTheme } from './actions.ts';
import { type Facts, factsOf } from './head-facts.ts';
import { HEADER_WORDS } from './header-words.ts';
import { phasesBar } from './phases-bar.ts';
import type { Shell } from './shell.ts';

export function makeHeader(app: Shell): HTMLElement {
  const facts = factsOf(app.source.head);
  return h('div', { class: 'head' }, titleLine(app, facts), numbersLine(app, facts));
}

function titleLine(app: Shell, facts: Facts): HTMLElement {
  const words = app.words(HEADER_WORDS);
  const { language } = app.state.value;
  const { head } = app.source;
  const known = [
    facts.agent && h('span', { class: 'head-agent', dir: 'auto' }, visible(facts.agent)),
    facts.protocol && h('span', { dir: 'auto', title: words.protocol }, visible(facts.protocol)),
    facts.client && h('span', { dir: 'auto', title: words.client }, `${words.by} ${visible(facts.client)}`),
    h('time', { title: words.started }, moment(head.started, language)),
  ];
  return h(
    'div',
    { class: 'head-line' },
    h('h1', { class: 'head-title', dir: 'auto', title: visible(head.session) }, visible(facts.title)),
    sessionSwitch(app),
    h('div', { class: 'head-facts' }, ...known.filter((one) => one !== null)),
    h('div', { class: 'head-tools' }, ...tools(app)),
  );
}

/** Which of two sessions is shown. */
function sessionSwitch(app: Shell): HTMLElement | null {
  if (app.sources.length < 2) return null;
  const words = app.words(HEADER_WORDS);
  const buttons = app.sources.map(({ head }, session) => {
    const isShown = app.state.value.session === session;
    const label = `${'AB'[session]} ${visible(head.session)}`;
    const one = h(
      'button',
      { type: 'button', class: 'head-session', 'aria-pressed': String(isShown), title: label },
      'AB'[session],
    );
    one.addEventListener('click', () => app.state.set({ session, f: null, row: -1, to: null, zoom: null }));
    return one;
  });
  return h('div', { class: 'head-sessions', role: 'group', 'aria-label': words.session }, ...buttons);
}

function tools(app: Shell): HTMLElement[] {
  const words = app.words(HEADER_WORDS);
  const { theme, language } = app.state.value;
  const { tape } = app.source.head;
  const button = (face: string, label: string, run: () => void, name = '') => {
    const one = h('button', { type: 'button', class: `shell-button ${name}`, title: label, 'aria-label': label }, face);
    one.addEventListener('click', run);
    return one;
  };
  const themeButton = button(THEME_FACES[theme], words.theme, () => nextTheme(app));
  app.state.watch(['theme'], (now) => {
    themeButton.textContent = THEME_FACES[now.theme];
  });
  return [
    button(`⤓ ${humanBytes(tape.bytes)}`, words.download, () => app.frame.download()),
    themeButton,
    button(language === 'en' ? '中文' : 'EN', words.language, () =>
      app.prefer({ language: language === 'en' ? 'zh' : 'en' }),
    ),
    button('⌘K', words.palette, () => app.frame.palette(''), 'head-wide'),
    button('?', words.help, () => app.frame.help()),
  ];
}

const THEME_FACES = { system: '◐', light: '☀', dark: '☾' };

function numbersLine(app: Shell, facts: Facts): HTMLElement {
  const words = app.words(HEADER_WORDS);
  const { language } = app.state.value;
  const number = (n: number) => count(n, language);
  const { counts } = app.source.head;
  const found = counts.findings.error + counts.findings.warning + counts.findings.info;
  const show = (view: 'approvals' | 'findings', query: string) => () => {
    app.state.set({ view });
    if (query !== '') app.frame.ask(query);
  };
  return h(
    'div',
    { class: 'head-line head-numbers' },
    metric(humanSeconds(facts.wall), words.wall),
    metric(number(app.source.head.frames), words.frames(app.source.head.frames)),
    metric(number(facts.turns), words.turns(facts.turns)),
    metric(number(facts.steps), words.steps(facts.steps)),
    metric(number(facts.tools), words.tools(facts.tools)),
    facts.errors > 0 &&
      pressable(app, number(facts.errors), `✕ ${words.errors(facts.errors)}`, 'head-bad', () =>
        app.frame.ask('is:error'),
      ),
    counts.open > 0 && metric(number(counts.open), words.open(counts.open), 'head-bad'),
    counts.approvals > 0 &&
      pressable(
        app,
        number(counts.approvals),
        words.approvals(counts.approvals, facts.waited > 0 ? humanSeconds(facts.waited) : ''),
        '',
        show('approvals', ''),
      ),
    found > 0 &&
      pressable(
        app,
        number(found),
        `◆ ${words.findings(found)}`,
        counts.findings.error > 0 ? 'head-bad' : 'head-warn',
        show('findings', ''),
      ),
    counts.stderr > 0 && pressable(app, number(counts.stderr), words.stderr, '', () => app.frame.ask('from:stderr')),
    phasesBar(app, facts.phases),
    redactionTag(app),
  );
}

function metric(value: string, label: string, name = ''): HTMLElement {
  return h('span', { class: `head-metric ${name}` }, h('b', {}, value), ` ${label}`);
}

function pressable(app: Shell, value: string, label: string, name: string, run: () => void): HTMLElement {
  const button = h('button', {
    type: 'button',
    class: `head-metric head-button ${name}`,
    title: app.words(HEADER_WORDS).showThem,
  });
  button.append(h('b', {}, value), ` ${label}`);
  button.addEventListener('click', run);
  return button;
}

function redactionTag(app: Shell): HTMLElement | null {
  const { redaction } = app.source.head;
  if (redaction === null) return null;
  const words = app.words(HEADER_WORDS);
  const kinds = Object.entries(redaction.kinds);
  const sum = kinds.reduce((all, [, n]) => all + n, 0);
  const title = kinds.map(([kind, n]) => `${visible(kind)}: ${n}`).join('\n');
  const text = redaction.text ? ` · ${words.textRedacted}` : '';
  return h(
    'span',
    { class: 'head-metric head-redacted', title },
    `◪ ${words.redacted(count(sum, app.state.value.language), sum)}${text}`,
  );
}
