/** What the session was, in two lines, and the tools of the page. */
import { humanBytes, visible } from '../../../model/text/text.ts';
import { moment } from '../format.ts';
import { h } from '../h.ts';
import { nextTheme } from './actions.ts';
import { button } from './button.ts';
import { factsOf, type HeadFacts } from './head-facts.ts';
import { numbersLine, redactionTag } from './header-numbers.ts';
import { HEADER_WORDS } from './header-words.ts';
import type { Shell } from './shell.ts';

export function makeHeader(app: Shell): HTMLElement {
  const facts = factsOf(app.source.head);
  return h('div', { class: 'head' }, titleLine(app, facts), numbersLine(app, facts));
}

function titleLine(app: Shell, facts: HeadFacts): HTMLElement {
  const words = app.words(HEADER_WORDS);
  const { language } = app.state.value;
  const { head } = app.source;
  const known = [
    facts.agent && h('span', { class: 'head-agent', dir: 'auto', title: visible(facts.agent) }, visible(facts.agent)),
    facts.protocol && h('span', { dir: 'auto', title: words.protocol }, visible(facts.protocol)),
    facts.client && clientOf(facts.client, words.client, words.by),
    h('time', { class: 'head-time', title: words.started }, moment(head.started, language)),
    redactionTag(app),
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

function clientOf(client: string, word: string, by: string): HTMLElement {
  const name = visible(client);
  return h('span', { class: 'head-client', dir: 'auto', title: `${word}: ${name}` }, `${by} ${name}`);
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
  const themeButton = button(THEME_FACES[theme], words.theme, () => nextTheme(app));
  app.state.watch(['theme'], (now) => {
    themeButton.textContent = THEME_FACES[now.theme];
  });
  const size = humanBytes(tape.bytes);
  const download = button(`⤓ ${size}`, words.download(size), () => app.controls.download());
  download.setAttribute('aria-label', words.download(size));
  return [
    download,
    themeButton,
    button(language === 'en' ? '中文' : 'EN', words.language, () =>
      app.prefer({ language: language === 'en' ? 'zh' : 'en' }),
    ),
    button('Ctrl+K', words.palette, () => app.controls.palette(''), 'head-wide'),
    button('?', words.help, () => app.controls.help()),
  ];
}

const THEME_FACES = { system: '◐', light: '☀', dark: '☾' };
