/** The readable side of a row or a frame. */
import { humanSeconds, visible } from '../../../model/text/text.ts';
import { KIND, ROW_KINDS } from '../../page/page.ts';
import type { App } from '../app.ts';
import { blockElement, jsonBlock } from '../blocks/blocks.ts';
import { type Body, bodyOf } from '../blocks/body.ts';
import { itemContent, sourceToggle } from '../blocks/item.ts';
import { callOutcome, decisionLine } from '../blocks/outcome.ts';
import type { Pen } from '../blocks/pen.ts';
import { previousTasks, taskNote } from '../blocks/todo-note.ts';
import { type AuditByFrame, auditByFrame, auditOf } from '../conversation/load-entry.ts';
import { count } from '../format.ts';
import { h } from '../h.ts';
import { KIND_WORDS } from '../kinds.ts';
import { frameButton } from '../parts/marks.ts';
import type { SourceLine } from '../source.ts';
import { sentText } from './copies.ts';
import { framesOf } from './facts.ts';
import { findingsAt } from './related.ts';
import { DETAIL_WORDS } from './words.ts';

const BRACKETS = new Set([KIND.turn, KIND.step]);

const ASKS = new Set(['approval', 'question', 'hook', 'client-call']);

/** Frames of a row that are listed at first, and when asked for more. */
const FRAMES_AT_ONCE = 24;
const MORE = 2000;

export async function viewTab(app: App, row: number, line: SourceLine): Promise<HTMLElement> {
  const { rows } = app.source;
  const { f } = line.frame;
  const isBracket = row >= 0 && BRACKETS.has(rows.kind[row]!);
  // A frame that has no row of its own is shown by itself.
  const isAlone = row < 0 || (isBracket && rows.f[row] !== f);
  const found = await findingsAt(app, isAlone ? -1 : row, f);
  return h('div', { class: 'detail-view' }, found, ...(await contentOf(app, row, line, isAlone)));
}

async function contentOf(app: App, row: number, line: SourceLine, isAlone: boolean): Promise<(HTMLElement | null)[]> {
  const pen: Pen = { app, isFlat: false };
  const { f } = line.frame;
  if (isAlone) return [alone(pen, row, line)];
  const body = bodyOf(await app.source.body(row));
  if (BRACKETS.has(app.source.rows.kind[row]!)) return [bracket(app, row, body), framesList(app, row, f)];
  const audit = await auditByFrame(app.source);
  const content = itemContent(pen, body, auditOf(audit, body));
  const isText = body.kind === 'text' || body.kind === 'thinking' || body.kind === 'prompt';
  return [
    body.kind === 'tool-call'
      ? h('p', { class: 'detail-call' }, h('b', { dir: 'auto' }, visible(body.tool ?? '')), callOutcome(pen, row, body))
      : null,
    ...(body.kind === 'tool-call' ? await asksOf(pen, row, body, audit) : []),
    ...(content.length > 0 || body.kind === 'tool-call' ? content : [alone(pen, -1, line)]),
    isText && content[0] ? sourceToggle(pen, body.text, content[0]) : null,
    await tasks(app, row, body),
    flagsLine(app, body),
    framesList(app, row, f),
  ];
}

/** Who allowed a call, or why nobody was asked. */
async function asksOf(pen: Pen, row: number, call: Body, audit: AuditByFrame): Promise<HTMLElement[]> {
  const { source } = pen.app;
  const { rows } = source;
  const lines: HTMLElement[] = [];
  for (let inside = row + 1; inside < rows.end[row]!; inside = rows.end[inside]!) {
    const body = bodyOf(await source.body(inside));
    if (!ASKS.has(body.kind ?? '')) continue;
    const line = decisionLine(pen, body, auditOf(audit, body));
    const kind = h('span', {}, pen.app.words(KIND_WORDS)[body.kind!]);
    if (line) line.prepend(frameButton(pen.app, body.f), kind);
    if (line) lines.push(line);
  }
  const unasked = auditOf(audit, call);
  const line = unasked && decisionLine(pen, call, unasked);
  return line ? [...lines, line] : lines;
}

async function tasks(app: App, row: number, body: Body): Promise<HTMLElement | null> {
  const before = await previousTasks(app.source, row, body);
  return before ? taskNote(app, before, body) : null;
}

function flagsLine(app: App, { flags }: Body): HTMLElement | null {
  if (flags.length === 0) return null;
  return h(
    'p',
    { class: 'block-note' },
    `${app.words(DETAIL_WORDS).flags}: ${flags.map((flag) => visible(flag)).join(', ')}`,
  );
}

function alone(pen: Pen, row: number, { frame, bytes }: SourceLine): HTMLElement {
  const words = pen.app.words(DETAIL_WORDS);
  const { rows } = pen.app.source;
  const text = frame.form === 'event' ? new TextDecoder().decode(bytes) : sentText(frame);
  const where =
    row < 0
      ? null
      : h(
          'p',
          { class: 'block-note' },
          `${words.partOf} `,
          frameButton(pen.app, rows.f[row]!),
          ` ${pen.app.words(KIND_WORDS)[ROW_KINDS[rows.kind[row]!]!]}`,
        );
  return h(
    'div',
    {},
    where,
    frame.from === 'stderr' ? blockElement(pen, { type: 'text', text }, false) : jsonBlock(pen, text),
  );
}

/** A turn or a step: how it ended, and what is inside. */
function bracket(app: App, row: number, body: Body): HTMLElement {
  const words = app.words(DETAIL_WORDS);
  const { rows } = app.source;
  const number = (n: number) => count(n, app.state.value.language);
  const inside = { step: 0, call: 0, ask: 0, error: 0 };
  for (let i = row + 1; i < rows.end[row]!; i++) {
    const kind = ROW_KINDS[rows.kind[i]!]!;
    if (kind === 'step') inside.step++;
    else if (kind === 'tool-call') inside.call++;
    else if (kind === 'approval' || kind === 'question' || kind === 'hook' || kind === 'client-call') inside.ask++;
    if (rows.state[i] === 1) inside.error++;
  }
  const facts: [string, string][] = [
    [words.status, visible(body.status ?? '…') + (body.code === null ? '' : ` (${body.code})`)],
    [words.lasted, humanSeconds(rows.t_end[row]! - rows.t[row]!)],
    [
      words.inside,
      [
        inside.step > 0 ? words.steps(inside.step) : '',
        words.calls(inside.call),
        inside.ask > 0 ? words.asks(inside.ask) : '',
        inside.error > 0 ? words.errors(inside.error) : '',
      ]
        .filter((one) => one !== '')
        .join(', '),
    ],
  ];
  if (body.wait) facts.push([words.waited, humanSeconds(body.wait)]);
  const { usage } = body;
  if (usage && usage.input + usage.output + usage.cache_read > 0)
    facts.push([
      words.tokens,
      words.tokenWords(number(usage.input + usage.cache_write), number(usage.cache_read), number(usage.output)),
    ]);
  const label = app.source.label(row);
  return h(
    'div',
    {},
    label ? h('p', { class: 'item-name', dir: 'auto' }, label) : null,
    h(
      'dl',
      { class: 'detail-facts' },
      ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', { dir: 'auto' }, value)]),
    ),
  );
}

/** The frames that a row was made of. */
function framesList(app: App, row: number, f: number): HTMLElement | null {
  const words = app.words(DETAIL_WORDS);
  const { frames, count: all } = framesOf(app.source, row, MORE);
  if (all < 2) return null;
  const number = (n: number) => count(n, app.state.value.language);
  const list = h('p', { class: 'detail-frames' });
  const put = (from: number, to: number) => {
    for (const one of frames.slice(from, to)) {
      const button = frameButton(app, one);
      if (one === f) button.setAttribute('aria-current', 'true');
      list.append(button, ' ');
    }
  };
  put(0, FRAMES_AT_ONCE);
  if (frames.length > FRAMES_AT_ONCE) {
    const more = h(
      'button',
      { type: 'button', class: 'detail-button' },
      words.moreFrames(number(all - FRAMES_AT_ONCE)),
    );
    more.addEventListener('click', () => {
      more.remove();
      put(FRAMES_AT_ONCE, frames.length);
      if (all > frames.length) list.append(words.moreFrames(number(all - frames.length)));
    });
    list.append(more);
  }
  return h(
    'section',
    { class: 'item-part' },
    h('h3', {}, words.frames(number(all), frames[0]!, app.source.rows.f_end[row]!)),
    list,
  );
}
