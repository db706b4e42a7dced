/** What an item of the timeline says: the same in the detail pane, in the conversation and on paper. */

import type { ApprovalRow } from '../../../analysis/audit/row.ts';
import type { Block } from '../../../model/event.ts';
import { isObject, parseJson, toJson } from '../../../model/message.ts';
import { processWords } from '../../../model/text/process-text.ts';
import { type ArgumentSummary, describeArguments, describeValue } from '../../../model/timeline/arguments.ts';
import type { Language } from '../app.ts';
import { count } from '../format.ts';
import { h } from '../h.ts';
import { badge } from '../parts/marks.ts';
import { blockElement, jsonBlock, optionsElement, output, prose, questionElement, shell } from './blocks.ts';
import type { Body } from './body.ts';
import { decisionLine } from './outcome.ts';
import { foldedText, type Pen, press, recorded } from './pen.ts';
import { CONTENT_WORDS } from './words.ts';

const AS_SENT: Record<Language, string> = { en: 'Arguments as sent', zh: '原始参数' };

/** `audit`: its row of the audit, if it has one. */
export function itemContent(pen: Pen, body: Body, audit: ApprovalRow | null): HTMLElement[] {
  const found = contentOf(pen, body, audit).filter((one) => one !== null);
  const { longer } = body;
  if (longer > 0) found.push(note(pen.app.words(CONTENT_WORDS).longer(count(longer, pen.app.state.value.language))));
  return found;
}

function contentOf(pen: Pen, body: Body, audit: ApprovalRow | null): (HTMLElement | null)[] {
  switch (body.kind) {
    case 'text':
    case 'thinking':
    case 'prompt':
    case 'steer':
    case 'plan':
      return messageContent(pen, body);
    case 'tool-call':
      return [...callContent(pen, body), ...resultContent(pen, body)];
    case 'approval':
    case 'question':
    case 'hook':
    case 'client-call':
      return askContent(pen, body, audit);
    default:
      return otherContent(pen, body);
  }
}

const note = (text: string): HTMLElement => h('p', { class: 'block-note' }, text);

/** Text, and the blocks that it came with. The text of blocks is the text itself. */
function messageContent(pen: Pen, { text, blocks }: Body): (HTMLElement | null)[] {
  const shown = blocks.filter((block) => block.type !== 'text' || text === '');
  return [text === '' ? null : prose(pen, text), ...shown.map((block) => blockElement(pen, block, true))];
}

function otherContent(pen: Pen, body: Body): (HTMLElement | null)[] {
  const { text, blocks, name, answer_text, code, kind } = body;
  if (kind === 'process') return [output(pen, processWords(name, text))];
  const isLog = kind === 'log' || kind === 'noise' || kind === 'tool-result';
  const shown = blocks.filter((block) => block.type !== 'text' || text === '');
  return [
    name === null ? null : h('p', { class: 'item-name' }, recorded(name)),
    text === '' ? null : isLog ? output(pen, text) : prose(pen, text),
    ...shown.map((block) => blockElement(pen, block, !isLog)),
    answer_text
      ? labelled(pen.app.words(CONTENT_WORDS).answer, foldedText(pen, answer_text, 40, { class: 'block-text' }))
      : null,
    code === null ? null : badge('bad', '!', pen.app.words(CONTENT_WORDS).error(code)),
  ];
}

function labelled(label: string, ...children: (HTMLElement | null)[]): HTMLElement {
  return h('section', { class: 'item-part' }, h('h3', {}, label), ...children);
}

/** The arguments of a call. */
export function callContent(pen: Pen, body: Body): (HTMLElement | null)[] {
  const words = pen.app.words(CONTENT_WORDS);
  const args = typeof body.arguments === 'string' ? body.arguments : toJson(body.arguments);
  const shown = [...body.blocks, ...body.displays];
  const parts = spokenParts(pen, describeArguments(args, shown), commandIn(args), shown);
  const blocks = unrepeated(body.blocks, body.displays).map((block) => blockElement(pen, block, false));
  return [
    body.text === '' ? null : recorded(body.text, { class: 'item-name' }),
    ...parts,
    ...blocks,
    args === '' || args === 'null' || pen.isFlat
      ? null
      : lazily(pen.app.words(AS_SENT), () => jsonBlock(pen, args, words.arguments)),
  ];
}

/** Words and blocks that stand for arguments. */
function spokenParts(
  pen: Pen,
  { words, blocks }: ArgumentSummary,
  command: string | null,
  shown: readonly Block[],
): HTMLElement[] {
  const isShown =
    command !== null && shown.some((block) => block.type === 'shell' && block.command.trim() === command.trim());
  const lines = words.filter((word) => !(command !== null && word.startsWith('$ ')));
  return [
    ...(command === null || isShown ? [] : [shell(pen, command, null)]),
    ...(lines.length === 0 ? [] : [h('ul', { class: 'item-words' }, ...lines.map((word) => wordLine(pen, word)))]),
    ...blocks.filter(({ type }) => type !== 'shell').map((block) => blockElement(pen, block, false)),
  ];
}

/** Longer objects and lists are shown as JSON. */
const MAX_WORD_CHARS = 80;

/** `key: value`, or a path. The words are safe already. */
function wordLine(pen: Pen, word: string): HTMLElement {
  const [, key, rest = ''] = /^([\w.-]{1,40}): (.*)$/s.exec(word) ?? [];
  if (key === undefined) return h('li', { dir: 'auto' }, word);
  const isJson = rest.length > MAX_WORD_CHARS && /^[[{]/.test(rest) && parseJson(rest) !== undefined;
  return h('li', { dir: 'auto' }, h('b', {}, key), isJson ? jsonBlock(pen, rest) : ` ${rest}`);
}

export function commandIn(args: string): string | null {
  const value = parseJson(args);
  if (!isObject(value)) return null;
  for (const key of ['command', 'cmd']) if (typeof value[key] === 'string') return value[key];
  return null;
}

/** Blocks that are not among the others. */
function unrepeated(blocks: readonly Block[], others: readonly Block[]): Block[] {
  const known = new Set(others.map((block) => JSON.stringify(block)));
  return blocks.filter((block) => !known.has(JSON.stringify(block)));
}

/** What a call gave: what it printed, and what the agent wanted shown. */
export function resultContent(pen: Pen, { output: blocks, displays }: Body): (HTMLElement | null)[] {
  const words = pen.app.words(CONTENT_WORDS);
  // The tasks, the change or the command first: they say what was done.
  const shown = displays.filter(({ type }) => type !== 'text');
  const texts = new Set(blocks.map((block) => (block.type === 'text' ? block.text.trim() : '')));
  const notes = displays.filter((block) => block.type === 'text' && !texts.has(block.text.trim()));
  const exit = exitCode(blocks);
  return [
    ...shown.map((block) => blockElement(pen, block, false)),
    blocks.length === 0
      ? null
      : labelled(
          words.output,
          ...blocks.map((block) => blockElement(pen, block, false)),
          exit === null ? null : badge(exit === '0' ? 'good' : 'bad', exit === '0' ? '✓' : '✗', words.exit(exit)),
        ),
    notes.length === 0 ? null : labelled(words.shown, ...notes.map((block) => blockElement(pen, block, true))),
  ];
}

/** As agents write it at the end of what a command printed. */
function exitCode(blocks: readonly Block[]): string | null {
  const last = blocks.at(-1);
  if (last?.type !== 'text') return null;
  return /exit(?:ed with)?(?: code| status)?[ :=]+(-?\d{1,10})\b/i.exec(last.text.slice(-200))?.[1] ?? null;
}

/** Made when it is opened. */
function lazily(label: string, make: () => HTMLElement): HTMLElement {
  const box = h('details', { class: 'item-more' }, h('summary', {}, label));
  box.addEventListener('toggle', () => {
    if (box.open && box.children.length === 1) box.append(make());
  });
  box.addEventListener('click', (event) => event.stopPropagation());
  return box;
}

/** The text of a question is often the questions themselves; the message of a form is not. */
function isTextShown({ kind, text, questions }: Body): boolean {
  if (kind === 'question') return !questions.some((question) => text.includes(question.text));
  return kind === 'hook' || kind === 'client-call';
}

function askContent(pen: Pen, body: Body, audit: ApprovalRow | null): (HTMLElement | null)[] {
  const words = pen.app.words(CONTENT_WORDS);
  const { questions, answers, options, displays, edited } = body;
  const asked = questions.map((question) => questionElement(pen, question, answers ?? audit?.answers));
  const about = [body.description ?? body.action, isTextShown(body) ? body.text : null];
  const given = audit?.arguments ?? body.arguments;
  const shown = displays.filter(({ type }) => type !== 'text');
  const command = isObject(given) ? commandIn(toJson(given)) : null;
  // The options of one question are in the question.
  const taken = [
    audit?.option ?? null,
    ...options
      .filter(({ decision }) => audit?.option == null && decision !== null && decision === body.decision)
      .map(({ id }) => id),
  ];
  const names = about.filter((text, i) => text && about.indexOf(text) === i) as string[];
  return [
    ...names.map((text) => recorded(text, { class: 'item-name' })),
    ...asked,
    ...displays.map((block) => blockElement(pen, block, true)),
    ...(asked.length > 0 ? [] : spokenParts(pen, describeValue(given, shown), command, shown)),
    options.length === 0 || asked.length > 0 ? null : optionsElement(pen, options, taken),
    decisionLine(pen, body, audit),
    body.feedback ? labelled(words.feedback, h('blockquote', {}, recorded(body.feedback))) : null,
    edited === null || edited === undefined ? null : labelled(words.edited, jsonBlock(pen, toJson(edited))),
    body.answer_text && body.answer_text !== body.feedback
      ? labelled(words.answer, foldedText(pen, body.answer_text, 40, { class: 'block-text' }))
      : null,
  ];
}

/** Text as it was written, or rendered. */
export function sourceToggle(pen: Pen, text: string, rendered: HTMLElement): HTMLButtonElement | null {
  const words = pen.app.words(CONTENT_WORDS);
  const plain = foldedText(pen, text, 400, { class: 'block-text block-mono' });
  let isPlain = false;
  const button = press(pen, words.source, () => {
    isPlain = !isPlain;
    (isPlain ? rendered : plain).replaceWith(isPlain ? plain : rendered);
    button!.textContent = isPlain ? words.rendered : words.source;
  });
  return button;
}
