/** Blocks of content as elements: one function for each type, and JSON for those that are not known. */

import type { Block, ClientQuestion, Option } from '../../../model/event.ts';
import { toJson } from '../../../model/message.ts';
import { choiceOf, joinPlainTexts } from '../../../model/question-choice.ts';
import { hasSequences } from '../../../model/text/sequences.ts';
import { humanBytes, visible } from '../../../model/text/text.ts';
import { h } from '../h.ts';
import { styled } from './ansi.ts';
import { patchView } from './diff-view.ts';
import { drawn } from './image.ts';
import { pictureIn } from './image-check.ts';
import { jsonBlock } from './json-block.ts';
import { copyButton, foldedRuns, foldedText, type Pen, recorded } from './pen.ts';
import { prose } from './prose.ts';
import { stateOf } from './todo-change.ts';
import { CONTENT_WORDS, type ContentWords } from './words.ts';

const OUTPUT_LINES = 40;
/** Longer output is shown without colours. */
const MAX_STYLED_CHARS = 2 << 20;
/** Longer addresses are data. */
const MAX_URL_CHARS = 2000;

/** `isProse`: text is Markdown; else it is output. */
export function blockElement(pen: Pen, block: Block, isProse: boolean): HTMLElement {
  switch (block.type) {
    case 'text':
      return isProse ? prose(pen, block.text) : output(pen, block.text);
    case 'diff':
      return patchView(pen, block);
    case 'todo':
      return todo(pen, block.items);
    case 'shell':
      return shell(pen, block.command, block.language);
    case 'resource':
      return resource(pen, block);
    case 'unknown':
      return unknown(pen, block);
    default:
      return media(pen, block);
  }
}

/** What a tool printed, with its colours. */
export function output(pen: Pen, text: string): HTMLElement {
  const plain = { class: 'block-text block-mono block-output', dir: 'auto' };
  if (!hasSequences(text) || text.length > MAX_STYLED_CHARS) return foldedText(pen, text, OUTPUT_LINES, plain);
  const { runs, hidden } = styled(text);
  const box = foldedRuns(pen, runs, OUTPUT_LINES, plain);
  if (hidden === 0) return box;
  return h('div', {}, box, h('p', { class: 'block-note' }, pen.app.words(CONTENT_WORDS).sequences(hidden)));
}

export function shell(pen: Pen, command: string, language: string | null): HTMLElement {
  const { command: name } = pen.app.words(CONTENT_WORDS);
  return h(
    'figure',
    { class: 'block-shell' },
    h('span', { class: 'block-prompt', 'aria-hidden': 'true' }, '$'),
    foldedText(pen, command.replace(/\n+$/, ''), OUTPUT_LINES, { class: 'block-text block-mono', dir: 'ltr' }),
    h(
      'figcaption',
      {},
      h('span', {}, visible(language ?? '')),
      copyButton(pen, () => command, name),
    ),
  );
}

const GLYPHS = { done: '✓', in_progress: '▶', pending: '○', cancelled: '✗' };

function todo(pen: Pen, items: readonly { title: string; status: string }[]): HTMLElement {
  const words = pen.app.words(CONTENT_WORDS);
  const lines = items.map(({ title, status }) => {
    const state = stateOf(status);
    const word = state === null ? visible(status) : words.todoStates[state]!;
    return h(
      'li',
      { class: `todo-item is-${state ?? 'other'}` },
      h('span', { class: 'todo-glyph', 'aria-hidden': 'true' }, state === null ? '·' : GLYPHS[state]),
      recorded(title, { class: 'todo-title' }),
      h('span', { class: 'todo-state' }, word),
    );
  });
  return h('ul', { class: 'todo', 'aria-label': words.todo }, ...lines);
}

function resource(pen: Pen, { uri, text }: Block & { type: 'resource' }): HTMLElement {
  const { resource: name } = pen.app.words(CONTENT_WORDS);
  return h(
    'figure',
    { class: 'block-resource' },
    h(
      'figcaption',
      {},
      h('span', { class: 'block-url', dir: 'ltr' }, visible(uri)),
      copyButton(pen, () => uri, name),
    ),
    text === null ? null : foldedText(pen, text, OUTPUT_LINES, { class: 'block-text block-mono' }),
  );
}

/** Display blocks of some agents that are best read as text, by their name. */
const READABLE: Record<string, readonly string[]> = {
  brief: ['text', 'brief', 'summary'],
  background_task: ['description', 'status', 'task_id', 'id', 'kind'],
  plan: ['content', 'plan', 'text'],
};

function unknown(pen: Pen, { name, value }: Block & { type: 'unknown' }): HTMLElement {
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const keys = READABLE[name] ?? [];
  const known = keys.filter((key) => Object.hasOwn(fields, key) && typeof fields[key] !== 'object');
  const rest = Object.keys(fields).filter((key) => key !== 'type' && !known.includes(key));
  if (known.length === 0 || rest.length > 0) return jsonBlock(pen, toJson(value), name);
  const pairs = known.flatMap((key) => [h('dt', {}, visible(key)), h('dd', {}, prose(pen, String(fields[key])))]);
  return h(
    'figure',
    { class: 'block-named' },
    h('figcaption', {}, visible(name.replaceAll('_', ' '))),
    h('dl', {}, ...pairs),
  );
}

function media(pen: Pen, { type, mime, size, url }: Block & { type: 'image' | 'audio' | 'video' }): HTMLElement {
  const words = pen.app.words(CONTENT_WORDS);
  const isData = url?.startsWith('data:') ?? false;
  const picture = type === 'image' && isData ? pictureIn(url!) : null;
  const about = [mime, size === null ? null : humanBytes(size), mediaNote(pen, words, picture)];
  const caption = h(
    'figcaption',
    {},
    h('span', {}, visible([words[type], ...about.filter((one) => one !== null)].join(' · '))),
  );
  const figure = h('figure', { class: 'block-image' }, caption);
  if (url !== null && !isData) {
    const shown = url.length > MAX_URL_CHARS ? `${url.slice(0, MAX_URL_CHARS)}…` : url;
    caption.append(h('span', { class: 'block-url', dir: 'ltr' }, visible(shown)));
    const copy = copyButton(pen, () => url, 'URL');
    if (copy) caption.append(copy);
  }
  if (picture !== null && typeof picture === 'object' && !pen.isFlat) {
    figure.prepend(drawn(picture, `${words.image} ${words.pixels(picture.width, picture.height)}`));
  }
  return figure;
}

function mediaNote(pen: Pen, words: ContentWords, picture: ReturnType<typeof pictureIn> | null): string | null {
  if (picture === null) return null;
  if (typeof picture === 'string') return words.notDrawn[picture];
  return pen.isFlat ? words.notDrawn.print : words.pixels(picture.width, picture.height);
}

/** A question with its options, and which were chosen. */
export function questionElement(pen: Pen, question: ClientQuestion, answers: unknown): HTMLElement {
  const words = pen.app.words(CONTENT_WORDS);
  const choice = choiceOf(question, answers);
  const { chosen, other } = choice ?? { chosen: [], other: [] };
  if (question.options.length === 0) return fieldElement(pen, question, choice && joinPlainTexts(other));
  const glyph = (isChosen: boolean) => (question.multiple ? (isChosen ? '☑' : '☐') : isChosen ? '◉' : '○');
  const line = (label: string, description: string | null, isChosen: boolean) =>
    h(
      'li',
      { class: isChosen ? 'question-option is-chosen' : 'question-option' },
      h('span', { class: 'question-glyph', 'aria-hidden': 'true' }, glyph(isChosen)),
      recorded(label, { class: 'question-label' }),
      isChosen && h('span', { class: 'question-chosen' }, words.chosen),
      description !== null && recorded(description, { class: 'question-about' }),
    );
  return h(
    'div',
    { class: 'question' },
    h(
      'div',
      { class: 'question-text' },
      prose(pen, question.text),
      question.multiple && h('span', { class: 'block-note' }, words.several),
    ),
    h(
      'ul',
      {},
      ...question.options.map(({ label, description }) => line(label, description, chosen.includes(label))),
      ...other.map((one) => line(typeof one === 'string' ? one : toJson(one), null, true)),
    ),
    choice === null && h('p', { class: 'block-note' }, words.notAnswered),
  );
}

/** A question to which the answer is typed: `Name: Ada`. `given`: safe to print; null if nothing was. */
function fieldElement(pen: Pen, { text }: ClientQuestion, given: string | null): HTMLElement {
  const answer =
    given === null
      ? h('span', { class: 'block-note' }, pen.app.words(CONTENT_WORDS).notAnswered)
      : h('span', { class: 'question-given', dir: 'auto' }, given);
  return h('p', { class: 'question question-field' }, recorded(`${text}:`, { class: 'question-label' }), ' ', answer);
}

/** The answers that a request offers; `taken`: the decision or the option. */
export function optionsElement(pen: Pen, options: readonly Option[], taken: readonly (string | null)[]): HTMLElement {
  const words = pen.app.words(CONTENT_WORDS);
  return h(
    'ul',
    { class: 'question', 'aria-label': words.options },
    ...options.map(({ id, decision, label }) => {
      const isChosen = taken.includes(id);
      return h(
        'li',
        { class: isChosen ? 'question-option is-chosen' : 'question-option' },
        h('span', { class: 'question-glyph', 'aria-hidden': 'true' }, isChosen ? '◉' : '○'),
        recorded(label ?? id, { class: 'question-label' }),
        isChosen && h('span', { class: 'question-chosen' }, words.chosen),
        decision !== null && h('span', { class: 'question-about' }, words.decisions[decision]),
      );
    }),
  );
}

export { jsonBlock, prose };
