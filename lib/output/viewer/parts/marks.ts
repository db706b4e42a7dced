/** Small things that several views are made of: buttons that jump, words with a glyph, texts whose frames can be followed. */
import { visible } from '../../../model/text/text.ts';
import type { App, Language, ViewName } from '../app.ts';
import { type Attributes, h } from '../h.ts';
import { framesIn } from './frames-in.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'plain';

const WORDS: Record<Language, { go: (f: number) => string; missing: (f: number) => string }> = {
  en: { go: (f) => `Go to f${f}`, missing: (f) => `Frame ${f} is not in this page` },
  zh: { go: (f) => `转到 f${f}`, missing: (f) => `本页不含第 ${f} 帧` },
};

export interface JumpTo {
  /** Shows the frame in this view. */
  view?: ViewName;
  /** Of those in the page, if not the one that is shown. */
  session?: number;
}

/** `f123`, which selects that frame. */
export function frameButton(app: App, f: number, { view, session }: JumpTo = {}): HTMLElement {
  const source = session === undefined ? app.source : app.sources[session]!;
  const words = app.words(WORDS);
  if (source.frames.indexOf(f) < 0) return h('span', { class: 'mark-frame', title: words.missing(f) }, `f${f}`);
  const button = h(
    'button',
    { type: 'button', class: 'mark-frame', 'data-f': f, 'aria-label': words.go(f), title: words.go(f) },
    `f${f}`,
  );
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    if (session !== undefined && session !== app.state.value.session) app.state.set({ session });
    app.select({ f }, { jump: true, ...(view && { view, focus: true }) });
  });
  return button;
}

/** A glyph and a word: colour says it a second time. */
export function badge(tone: Tone, glyph: string, word: string, more: Attributes = {}): HTMLElement {
  return h(
    'span',
    { ...more, class: `mark-badge is-${tone}` },
    glyph === '' ? null : h('span', { class: 'mark-glyph', 'aria-hidden': 'true' }, glyph),
    word,
  );
}

/** Recorded text: harmless, and in its own direction. */
export function recordedText(text: string, more: Attributes = {}): HTMLElement {
  return h('span', { ...more, dir: 'auto' }, visible(text));
}

/** A sentence in which frames such as `f12` can be followed. */
export function linked(app: App, text: string, to: JumpTo = {}): HTMLElement {
  const parts = framesIn(visible(text)).map((part) =>
    part.f === null || app.source.frames.indexOf(part.f) < 0 ? part.text : frameButton(app, part.f, to),
  );
  return h('span', { class: 'mark-linked', dir: 'auto' }, ...parts);
}

export function button(label: string, action: () => void, more: Attributes = {}): HTMLButtonElement {
  const made = h('button', { type: 'button', class: 'mark-button', ...more }, label);
  made.addEventListener('click', action);
  return made;
}

/** A bar as long as its share of the whole, for the eye: the number stands beside it. */
export function shareBar(parts: readonly { share: number; kind: string }[]): HTMLElement {
  const bar = h('span', { class: 'mark-bar', 'aria-hidden': 'true' });
  for (const { share, kind } of parts) {
    if (!(share > 0)) continue;
    const part = h('span', { class: `mark-part is-${kind}` });
    part.style.width = `${Math.max(1, Math.min(100, 100 * share))}%`;
    bar.append(part);
  }
  return bar;
}
