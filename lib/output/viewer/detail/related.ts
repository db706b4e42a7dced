/** What belongs to a frame: its partner, its call with approval and result, where it is, and what was found at it. */
import { visible } from '../../../model/text/text.ts';
import { KIND, ROW_KINDS } from '../../page/page.ts';
import type { App, Language } from '../app.ts';
import { bodyOf } from '../blocks/body.ts';
import { offset } from '../format.ts';
import { h } from '../h.ts';
import { KIND_WORDS } from '../kinds.ts';
import { badge, frameButton, linked, type Tone } from '../parts/marks.ts';
import type { FrameSource } from '../source.ts';
import { type DetailFacts, framesOf, number, text } from './facts.ts';

const WORDS: Record<Language, RelatedWords> = {
  en: {
    pair: 'Request and answer',
    asks: 'is answered by',
    answers: 'answers',
    call: (id) => `Everything about call ${id}`,
    place: 'Location',
    findings: 'Findings here',
    none: 'Nothing else belongs to this frame',
    more: (n) => `and ${n} more frames`,
    gone: 'The other frame is not in this page',
    severity: { error: 'error', warning: 'warning', info: 'info' },
  },
  zh: {
    pair: '请求与答复',
    asks: '答复为',
    answers: '答复的是',
    call: (id) => `与调用 ${id} 有关的帧`,
    place: '所在位置',
    findings: '此处的发现',
    none: '没有其他相关内容',
    more: (n) => `以及另外 ${n} 帧`,
    gone: '另一帧不在本页',
    severity: { error: '错误', warning: '警告', info: '提示' },
  },
};

interface RelatedWords {
  pair: string;
  asks: string;
  answers: string;
  call(id: string): string;
  place: string;
  findings: string;
  none: string;
  more(n: number): string;
  gone: string;
  severity: Record<string, string>;
}

/** Lines of a part, and frames of a row that are counted. */
const MAX_LINES = 40;
const MAX_FRAMES_OF_CALL = 2000;

export async function related(app: App, row: number, facts: DetailFacts): Promise<HTMLElement> {
  const words = app.words(WORDS);
  const parts = [
    pair(app, words, facts),
    await ofCall(app, words, row, facts),
    place(app, words, row),
    await findingsAt(app, row, facts.f),
  ].filter((one) => one !== null);
  return h('div', { class: 'related' }, ...(parts.length > 0 ? parts : [h('p', { class: 'block-note' }, words.none)]));
}

function part(title: string, lines: (HTMLElement | null)[]): HTMLElement | null {
  const shown = lines.filter((line) => line !== null);
  return shown.length === 0 ? null : h('section', { class: 'item-part' }, h('h3', {}, title), h('ul', {}, ...shown));
}

function line(app: App, f: number, ...more: (string | HTMLElement)[]): HTMLElement {
  const { frames, rows } = app.source;
  const row = frames.rowOf(f);
  return h(
    'li',
    { class: 'related-line' },
    frameButton(app, f),
    ...more,
    row < 0 ? '' : h('span', { class: 'related-label', dir: 'auto' }, app.source.label(row) ?? ''),
    row < 0 ? '' : h('span', { class: 'related-time' }, `+${offset(rows.t[row]!)}`),
  );
}

function pair(app: App, words: RelatedWords, { f, pair_f }: DetailFacts): HTMLElement | null {
  const other = number(pair_f);
  if (other === null) return null;
  if (app.source.frames.indexOf(other) < 0) return part(words.pair, [h('li', {}, `f${other}: ${words.gone}`)]);
  const word = h('span', { class: 'related-word' }, other > f ? words.asks : words.answers);
  return part(words.pair, [h('li', { class: 'related-line' }, word, frameButton(app, other), label(app, other))]);
}

function label(app: App, f: number): HTMLElement {
  const row = app.source.frames.rowOf(f);
  return h('span', { class: 'related-label', dir: 'auto' }, row < 0 ? '' : (app.source.label(row) ?? ''));
}

const ASKS = new Set([KIND.approval, KIND.question, KIND.hook, KIND['client-call']]);

/** What a frame means; for what a subagent did, that. */
function kindIn(kinds: unknown): string {
  const [first, second] = Array.isArray(kinds) ? kinds : [];
  return String((first === 'subagent' && second) || (first ?? 'other'));
}

/** The row of the call that a row is, or asks about; -1 if there is none. */
function callRow({ rows }: FrameSource, row: number): number {
  if (row < 0 || rows.kind[row] === KIND['tool-call']) return row;
  const up = rows.parent[row]!;
  return ASKS.has(rows.kind[row]!) && up >= 0 && rows.kind[up] === KIND['tool-call'] ? up : -1;
}

/** The frames of a call and of what was asked about it. */
function framesOfCall(source: FrameSource, call: number): number[] {
  const { rows } = source;
  const found = framesOf(source, call, MAX_FRAMES_OF_CALL).frames;
  for (let inside = call + 1; inside < rows.end[call]!; inside = rows.end[inside]!)
    if (ASKS.has(rows.kind[inside]!)) found.push(...framesOf(source, inside, MAX_FRAMES_OF_CALL).frames);
  return found;
}

/** Every frame with the same call id, and those of its rows, since frames of subagents have the id of the call above. */
async function ofCall(
  app: App,
  words: RelatedWords,
  row: number,
  { tool_call_id }: DetailFacts,
): Promise<HTMLElement | null> {
  const { source } = app;
  const { frames } = source;
  const call = callRow(source, row);
  const id = (call < 0 ? null : bodyOf(await source.body(call)).tool_call_id) ?? text(tool_call_id);
  if (id === null) return null;
  const [ids, kinds, pairs, times] = await Promise.all([
    frames.column('tool_call_id'),
    frames.column('kinds'),
    frames.column('pair_f'),
    frames.column('t'),
  ]);
  if (ids.is !== 'coded' || kinds.is !== 'coded') return null;
  const found = new Set(call < 0 ? [] : framesOfCall(source, call).map((f) => frames.indexOf(f)));
  const code = ids.values.indexOf(id);
  for (let index = 0; code >= 0 && index < frames.count; index++) {
    if (ids.codes[index] !== code) continue;
    found.add(index);
    // The answer of the client does not name the call.
    const other =
      pairs.is === 'numbers' ? pairs.numbers[index]! : Number(pairs.values[pairs.codes[index]!] ?? Number.NaN);
    const at = other > frames.f(index) ? frames.indexOf(other) : -1;
    if (at >= 0) found.add(at);
  }
  const all = [...found].sort((a, b) => a - b);
  const lines = all.slice(0, MAX_LINES).map((index) => {
    const kind = kindIn(kinds.values[kinds.codes[index]!]);
    const name = app.words(KIND_WORDS)[kind as keyof (typeof KIND_WORDS)['en']] ?? visible(kind);
    const time = times.is === 'numbers' ? `+${offset(times.numbers[index]!)}` : '';
    const at = h('span', { class: 'related-time' }, time);
    const word = h('span', { class: 'related-word' }, name);
    return h('li', { class: 'related-line' }, frameButton(app, frames.f(index)), word, at);
  });
  if (lines.length < 2) return null;
  const left = all.length - lines.length;
  if (left > 0) lines.push(h('li', { class: 'block-note' }, words.more(left)));
  return part(words.call(visible(id)), lines);
}

/** The rows around it, from the outside in. */
function place(app: App, words: RelatedWords, row: number): HTMLElement | null {
  const { rows } = app.source;
  const lines: HTMLElement[] = [];
  for (let up = row < 0 ? -1 : rows.parent[row]!; up >= 0; up = rows.parent[up]!) {
    const name = app.words(KIND_WORDS)[ROW_KINDS[rows.kind[up]!]!];
    const at = up;
    const go = h('button', { type: 'button', class: 'mark-frame', 'data-f': rows.f[up]! }, `f${rows.f[up]}`);
    go.addEventListener('click', () => app.select({ row: at }, { jump: true }));
    const number = ROW_KINDS[rows.kind[up]!] === 'turn' ? ` ${rows.turn[up]}` : '';
    lines.unshift(
      h(
        'li',
        { class: 'related-line' },
        go,
        h('span', { class: 'related-word' }, `${name}${number}`),
        h('span', { class: 'related-label', dir: 'auto' }, app.source.label(up) ?? ''),
      ),
    );
  }
  return part(words.place, lines);
}

const TONES: Record<string, [Tone, string]> = { error: ['bad', '!'], warning: ['warn', '▲'], info: ['quiet', 'i'] };

/** What was found at a frame and at the others of its row; -1: it has none. */
export async function findingsAt(app: App, row: number, f: number): Promise<HTMLElement | null> {
  const words = app.words(WORDS);
  const { frames } = app.source;
  const all = await app.source.findings();
  const isHere = (at: number) => at === f || (row >= 0 && frames.rowOf(at) === row);
  const lines = all
    .filter((finding) => typeof finding.f === 'number' && isHere(finding.f))
    .slice(0, MAX_LINES)
    .map((finding) => {
      const severity = String(finding.severity);
      const [tone, glyph] = TONES[severity] ?? ['plain', ''];
      return line(
        app,
        finding.f as number,
        badge(tone, glyph, words.severity[severity] ?? severity),
        h('code', {}, visible(String(finding.rule ?? ''))),
        linked(app, String(finding.message ?? finding.text ?? '')),
      );
    });
  return part(words.findings, lines);
}
