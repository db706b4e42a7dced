/** The buttons over the timeline, and what its patterns mean. */
import { h } from '../h.ts';
import type { TimelineWords } from './words.ts';

export interface ToolbarActions {
  zoom(factor: number): void;
  fit(): void;
  fold(isFolded: boolean): void;
  lanes(isShown: boolean): void;
  tokens(isShown: boolean): void;
  /** On narrow screens: the tree alone, or the waterfall with little of it. */
  pane(name: 'tree' | 'waterfall'): void;
}

export function makeToolbar(words: TimelineWords, hasFolds: boolean, actions: ToolbarActions): HTMLElement {
  const fold = toggle(words.foldIdle, true, (isOn) => actions.fold(isOn));
  fold.hidden = !hasFolds;
  const panes = (['tree', 'waterfall'] as const).map((name) =>
    h('button', { type: 'button', class: 'tl-button' }, words[name]),
  );
  const show = (name: 'tree' | 'waterfall'): void => {
    for (const [n, one] of panes.entries()) one.setAttribute('aria-pressed', String((n === 0) === (name === 'tree')));
    actions.pane(name);
  };
  panes[0]!.addEventListener('click', () => show('tree'));
  panes[1]!.addEventListener('click', () => show('waterfall'));
  show('tree');
  return h(
    'div',
    { class: 'tl-toolbar', role: 'toolbar', 'aria-label': words.waterfall },
    h('div', { class: 'tl-group tl-panes', role: 'group', 'aria-label': words.panes }, ...panes),
    h(
      'div',
      { class: 'tl-group' },
      button('−', words.zoomOut, () => actions.zoom(2)),
      button('+', words.zoomIn, () => actions.zoom(0.5)),
      button('⤢', words.fit, () => actions.fit()),
    ),
    h(
      'div',
      { class: 'tl-group' },
      toggle(words.lanesToggle, false, (isOn) => actions.lanes(isOn)),
      toggle(words.tokensToggle, false, (isOn) => actions.tokens(isOn)),
      fold,
    ),
    legend(words),
  );
}

/** Expands or collapses everything: beside the tree. */
export function makeTreeTools(words: TimelineWords, setAll: (isOpen: boolean) => void): HTMLElement {
  return h(
    'div',
    { class: 'tl-group' },
    button('▾', words.expand, () => setAll(true), true),
    button('▸', words.collapse, () => setAll(false), true),
  );
}

/** `isNamed`: its label is also written on it, where there is room. */
function button(sign: string, label: string, act: () => void, isNamed = false): HTMLButtonElement {
  const name = isNamed && h('span', { class: 'tl-button-name' }, ` ${label}`);
  const made = h('button', { type: 'button', class: 'tl-button', title: label, 'aria-label': label }, sign, name);
  made.addEventListener('click', act);
  return made;
}

function toggle(label: string, isOn: boolean, act: (isOn: boolean) => void): HTMLButtonElement {
  const made = h('button', { type: 'button', class: 'tl-button', 'aria-pressed': isOn ? 'true' : 'false' }, label);
  made.addEventListener('click', () => {
    const isNow = made.getAttribute('aria-pressed') !== 'true';
    made.setAttribute('aria-pressed', String(isNow));
    act(isNow);
  });
  return made;
}

const KEYS = ['text', 'thinking', 'args', 'queued', 'waiting', 'running', 'failed', 'open', 'finding'] as const;

function legend(words: TimelineWords): HTMLElement {
  const entries = KEYS.map((name) =>
    h(
      'li',
      { class: 'tl-key' },
      h('span', { class: 'tl-swatch', 'data-legend': name, 'aria-hidden': 'true' }),
      words.legend[name],
    ),
  );
  return h('ul', { class: 'tl-legend' }, ...entries);
}
