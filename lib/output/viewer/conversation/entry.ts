/** One message, call or event, as the conversation and the printed document show it. */
import type { ApprovalRow } from '../../../analysis/audit/row.ts';
import { humanSeconds, visible } from '../../../model/text/text.ts';
import { KIND, ROW_MARK } from '../../page/page.ts';
import type { Body } from '../blocks/body.ts';
import { callContent, commandIn, itemContent, resultContent } from '../blocks/item.ts';
import { callOutcome, decisionLine } from '../blocks/outcome.ts';
import type { Pen } from '../blocks/pen.ts';
import { stateOf } from '../blocks/todo-change.ts';
import { tasksIn } from '../blocks/todo-note.ts';
import { CONTENT_WORDS } from '../blocks/words.ts';
import { count, offset } from '../format.ts';
import { fill, h } from '../h.ts';
import { KIND_WORDS } from '../kinds.ts';
import { badge } from '../parts/marks.ts';
import { indentOf } from './conversation-rows.ts';
import { TALK_WORDS, type TalkWords } from './words.ts';

export interface ConversationEntry {
  row: number;
  body: Body;
  audit: ApprovalRow | null;
  label: string;
}

type Make = (pen: Pen, talk: ConversationEntry, words: TalkWords) => (HTMLElement | null)[];

export function entryElement(pen: Pen, talk: ConversationEntry): HTMLElement {
  const { row, body } = talk;
  const { rows } = pen.app.source;
  const kind = body.kind ?? 'other';
  const make = ENTRIES[kind] ?? plain;
  const isAgain = (rows.marks[row]! & ROW_MARK.again) !== 0 || body.flags.includes('discarded');
  const entry = h(
    'article',
    {
      class: `talk-entry is-${kind}${isAgain ? ' is-again' : ''}`,
      'data-f': body.f,
      'data-row': row,
      tabindex: pen.isFlat ? null : -1,
      'aria-label': `f${body.f}, ${pen.app.words(KIND_WORDS)[kind]}, ${visible(talk.label)}`,
    },
    h('span', { class: 'talk-f', title: `+${offset(body.t)}` }, `f${body.f}`),
    ...make(pen, talk, pen.app.words(TALK_WORDS)),
  );
  const indent = indentOf(rows, row);
  if (indent > 0) entry.style.setProperty('--indent', String(indent));
  return entry;
}

const speaker = (name: string): HTMLElement => h('span', { class: 'talk-who' }, name);

/** `discarded` when the step was retried, and the like. */
function flagWords({ flags }: Body, words: TalkWords): HTMLElement | null {
  const shown = flags.filter((flag) => flag !== 'before-call');
  if (shown.length === 0) return null;
  return h(
    'span',
    { class: 'talk-flags' },
    shown.map((flag) => (flag === 'discarded' ? words.discarded : visible(flag))).join(', '),
  );
}

const prompt: Make = (pen, { body }, words) => [
  speaker(body.kind === 'steer' ? words.adds : words.client),
  ...itemContent(pen, body, null),
  flagWords(body, words),
];

const text: Make = (pen, { body }, words) => [...itemContent(pen, body, null), flagWords(body, words)];

/** Folded: its first words are the label. On paper it is shorter type. */
const thinking: Make = (pen, { body, label }, words) => {
  const size = words.characters(count(body.text.length + body.longer, pen.app.state.value.language));
  if (pen.isFlat) return [speaker(words.thinking(size)), ...itemContent(pen, body, null)];
  return [
    folded(
      h(
        'span',
        { class: 'talk-line' },
        h('b', {}, words.thinking(size)),
        ' ',
        h('span', { class: 'talk-label', dir: 'auto' }, label),
      ),
      () => itemContent(pen, body, null),
    ),
  ];
};

const call: Make = (pen, talk, words) => {
  const { body } = talk;
  const line = h(
    'span',
    { class: 'talk-line' },
    h('b', { dir: 'auto' }, visible(body.tool ?? words.tool)),
    h('span', { class: 'talk-label talk-args', dir: 'auto' }, callWords(pen, talk, words)),
    flagWords(body, words),
    talk.audit && unasked(pen, talk.audit),
    callOutcome(pen, talk.row, body),
  );
  const why = () => (talk.audit ? decisionLine(pen, body, talk.audit) : null);
  const content = () => [why(), ...callContent(pen, body), ...resultContent(pen, body)].filter((one) => one !== null);
  return pen.isFlat ? [line, ...content()] : [folded(line, content)];
};

/** It ran without being asked about; why is in the title and in the details. */
function unasked(pen: Pen, { decision, by, mode }: ApprovalRow): HTMLElement {
  const words = pen.app.words(CONTENT_WORDS);
  const title = [words.by[by], mode].filter((one) => one).join(', ');
  return badge('quiet', '○', words.decisions[decision], { title: visible(title) });
}

/** What a call is about, in a line: its label, or the tasks or the files that it shows instead. */
function callWords(pen: Pen, { row, body, label }: ConversationEntry, words: TalkWords): string {
  const { rows } = pen.app.source;
  // The question itself follows.
  if (row + 1 < rows.end[row]! && rows.kind[row + 1] === KIND.question) return '';
  const tool = visible(body.tool ?? words.tool);
  const rest = label.startsWith(tool) ? label.slice(tool.length).trimStart() : label;
  const tasks = tasksIn(body);
  if (tasks) return words.tasks(tasks.filter(({ status }) => stateOf(status) === 'done').length, tasks.length);
  const command = typeof body.arguments === 'string' ? commandIn(body.arguments) : null;
  // A command of several lines is not in the label.
  if (command?.trim().includes('\n')) return `$ ${visible(command.trim().split('\n', 1)[0]!)} … ${rest}`;
  const paths = [...body.displays, ...body.blocks].flatMap((block) =>
    block.type === 'diff' ? [visible(block.path)] : [],
  );
  return [...[...new Set(paths)].filter((path) => !rest.includes(path)), rest].filter((one) => one !== '').join(' ');
}

const approval: Make = (pen, { body, audit, label }, words) => {
  const line = h(
    'span',
    { class: 'talk-line' },
    h(
      'span',
      { class: 'talk-label', dir: 'auto' },
      visible(body.description ?? '') || label || words.asksTool(body.tool ?? ''),
    ),
    decisionLine(pen, body, audit) ?? badge('warn', '?', words.open),
  );
  const feedback = body.feedback ? h('blockquote', { dir: 'auto' }, visible(body.feedback, true)) : null;
  return pen.isFlat ? [line, feedback] : [folded(line, () => itemContent(pen, body, audit)), feedback];
};

const question: Make = (pen, { body, audit }, words) => [speaker(words.asks), ...itemContent(pen, body, audit)];

const plan: Make = (pen, { body }, words) => [speaker(words.plan), ...itemContent(pen, body, null)];

const subagent: Make = (pen, { body }, words) => [
  speaker(words.subagent(visible(body.subagent ?? body.name ?? ''))),
  ...itemContent(pen, body, null),
];

const line =
  (say: (body: Body, words: TalkWords) => string): Make =>
  (pen, { body }, words) => {
    const wait = body.latency ? ` ${humanSeconds(body.latency)}` : '';
    const error = body.code === null ? null : badge('bad', '!', pen.app.words(CONTENT_WORDS).error(body.code));
    return [h('span', { class: 'talk-line', dir: 'auto' }, say(body, words), wait, error)];
  };

const error: Make = (pen, { body }) => [
  badge('bad', '!', pen.app.words(CONTENT_WORDS).error(body.code)),
  ...itemContent(pen, { ...body, code: null }, null),
];

const plain: Make = (pen, { body, label }, words) => {
  const kind = h('b', {}, pen.app.words(KIND_WORDS)[body.kind ?? 'other']);
  const flags = flagWords(body, words);
  if (pen.isFlat) return [h('span', { class: 'talk-line' }, kind, flags), ...itemContent(pen, body, null)];
  return [h('span', { class: 'talk-line' }, kind, h('span', { class: 'talk-label', dir: 'auto' }, label), flags)];
};

const ENTRIES: Partial<Record<NonNullable<Body['kind']>, Make>> = {
  prompt,
  steer: prompt,
  text,
  thinking,
  'tool-call': call,
  approval,
  hook: approval,
  'client-call': approval,
  question,
  plan,
  'turn-begin': subagent,
  subagent,
  error,
  cancel: line((_, words) => words.cancelled),
  compaction: line((_, words) => words.compaction),
  mode: line(({ name, text }, words) => words.mode(visible(name ?? text))),
  'step-retry': line(({ name, text }, words) => words.retry(visible([name, text].filter((one) => one).join(', ')))),
  'step-interrupted': line((_, words) => words.interrupted),
};

/** One line that opens. What is inside is made then. */
function folded(summary: HTMLElement, content: () => HTMLElement[]): HTMLElement {
  const inside = h('div', { class: 'talk-inside' });
  const box = h('details', { class: 'talk-fold' }, h('summary', { tabindex: -1 }, summary), inside);
  box.addEventListener('toggle', () => {
    if (box.open && inside.childElementCount === 0) fill(inside, ...content());
  });
  return box;
}
