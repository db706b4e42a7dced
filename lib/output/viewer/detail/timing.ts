/** When it was, how long each part took, and who was waited for. */
import { humanSeconds } from '../../../model/text/text.ts';
import type { App, Language } from '../app.ts';
import { moment, offset } from '../format.ts';
import { h } from '../h.ts';
import type { SourceLine } from '../source.ts';
import { type DetailFacts, number } from './facts.ts';

const WORDS: Record<Language, TimingWords> = {
  en: {
    parts: 'Parts of the time',
    args: 'Arguments arrive',
    queue: 'Queued',
    wait: 'Waiting for the client',
    run: 'Running',
    stream: 'Arriving',
    frame: 'This frame',
    at: 'At',
    wall: 'Wall clock',
    gap: 'Since the frame before',
    arriving: 'From first to last byte',
    latency: 'Request to answer',
    row: 'All of it',
    begins: 'Begins',
    ends: 'Ends',
    lasted: 'Lasted',
    noEnd: 'never; the bar goes to the end of the recording',
    rate: (parts, rate) => `${parts} frames, ${rate} per second`,
    pieces: 'In',
    share: (percent) => `${percent} of the session`,
  },
  zh: {
    parts: '时间构成',
    args: '参数到达',
    queue: '排队',
    wait: '等待客户端',
    run: '运行',
    stream: '到达',
    frame: '此帧',
    at: '时刻',
    wall: '钟表时间',
    gap: '距前一帧',
    arriving: '首字节至末字节',
    latency: '请求至答复',
    row: '整体',
    begins: '开始',
    ends: '结束',
    lasted: '持续',
    noEnd: '未结束；时间条延伸到录制结束',
    rate: (parts, rate) => `${parts} 帧，每秒 ${rate} 帧`,
    pieces: '分为',
    share: (percent) => `占会话的 ${percent}`,
  },
};

interface TimingWords {
  parts: string;
  args: string;
  queue: string;
  wait: string;
  run: string;
  stream: string;
  frame: string;
  at: string;
  wall: string;
  gap: string;
  arriving: string;
  latency: string;
  row: string;
  begins: string;
  ends: string;
  lasted: string;
  noEnd: string;
  rate(parts: number, rate: string): string;
  pieces: string;
  share(percent: string): string;
}

export function timing(app: App, row: number, facts: DetailFacts, line: SourceLine): HTMLElement {
  const words = app.words(WORDS);
  return h('div', { class: 'timing' }, row < 0 ? null : rowTimes(app, words, row), frameTimes(app, words, facts, line));
}

type NamedValues = [name: string, value: string][];

function table(title: string, facts: NamedValues): HTMLElement {
  return h(
    'section',
    { class: 'item-part' },
    h('h3', {}, title),
    h('dl', { class: 'detail-facts' }, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
  );
}

function frameTimes(app: App, words: TimingWords, { gap, latency }: DetailFacts, { frame }: SourceLine): HTMLElement {
  const { started } = app.source.head;
  const facts: NamedValues = [
    [words.at, `+${offset(frame.t)}`],
    [words.wall, moment(started + frame.t * 1e6, app.state.value.language)],
  ];
  if (number(gap) !== null) facts.push([words.gap, humanSeconds(number(gap)!)]);
  if (frame.t0 !== null) facts.push([words.arriving, humanSeconds(frame.t - frame.t0)]);
  if (number(latency) !== null) facts.push([words.latency, humanSeconds(number(latency)!)]);
  return table(words.frame, facts);
}

interface TimingSegment {
  name: string;
  kind: string;
  from: number;
  to: number;
}

const OPEN = 2;

function rowTimes(app: App, words: TimingWords, row: number): HTMLElement {
  const { rows, head } = app.source;
  const isOpen = rows.state[row] === OPEN;
  const [from, to] = [rows.t[row]!, isOpen ? Math.max(head.duration, rows.t_end[row]!) : rows.t_end[row]!];
  const whole = to - from;
  const facts: NamedValues = [
    [words.begins, `+${offset(from)}`],
    [words.ends, isOpen ? words.noEnd : `+${offset(to)}`],
    [words.lasted, `${humanSeconds(whole)}${share(words, whole, head.duration)}`],
  ];
  const parts = rows.parts[row]!;
  if (parts > 1 && whole > 0) facts.push([words.pieces, words.rate(parts, (parts / whole).toFixed(1))]);
  const segments = segmentsOf(app, words, row, to);
  return h(
    'div',
    {},
    table(words.row, facts),
    segments.length === 0 || whole <= 0 ? null : bars(words, segments, from, whole),
  );
}

function share(words: TimingWords, part: number, all: number): string {
  const percent = all > 0 ? (100 * part) / all : 0;
  return percent >= 0.1 ? ` · ${words.share(`${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`)}` : '';
}

function segmentsOf(app: App, words: TimingWords, row: number, end: number): TimingSegment[] {
  const { t, ready, wait, wait_end, run, parts } = app.source.rows;
  const [begin, isReady, waits, waited, runs] = [t[row]!, ready[row]!, wait[row]!, wait_end[row]!, run[row]!];
  const out: TimingSegment[] = [];
  const put = (name: string, kind: string, from: number, to: number) => {
    if (to > from) out.push({ name, kind, from, to });
  };
  put(words.args, 'args', begin, isReady);
  const next = Number.isNaN(waits) ? runs : waits;
  put(words.queue, 'queue', Number.isNaN(isReady) ? begin : isReady, Number.isNaN(isReady) ? Number.NaN : next);
  put(words.wait, 'wait', waits, waited);
  put(words.run, 'run', runs, end);
  if (out.length === 0 && parts[row]! > 1) put(words.stream, 'stream', begin, end);
  return out;
}

function bars(words: TimingWords, segments: readonly TimingSegment[], from: number, whole: number): HTMLElement {
  const lines = segments.map(({ name, kind, from: begin, to }) => {
    const bar = h('span', { class: `timing-bar is-${kind}` });
    bar.style.insetInlineStart = `${(100 * (begin - from)) / whole}%`;
    bar.style.width = `${Math.max(0.5, (100 * (to - begin)) / whole)}%`;
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, name),
      h('td', { class: 'timing-track', 'aria-hidden': 'true' }, bar),
      h('td', { class: 'timing-n' }, humanSeconds(to - begin)),
    );
  });
  return h(
    'section',
    { class: 'item-part' },
    h('h3', {}, words.parts),
    h('table', { class: 'timing-table' }, h('tbody', {}, ...lines)),
  );
}
