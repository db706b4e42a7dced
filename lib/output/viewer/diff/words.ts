/** The words of the diff view. */
import type { DiffOp, DiffSection } from '../../../analysis/diff/result.ts';
import type { Language } from '../app.ts';

export interface DiffWords {
  loading: string;
  one: string;
  same: string;
  sum: (n: number) => string;
  doesNotCount: string;
  beyond: (tolerance: string) => string;
  within: (tolerance: string) => string;
  sections: Record<DiffSection, string>;
  ops: Record<DiffOp, string>;
  maskedOp: string;
  sides: { a: string; b: string };
  facts: (turns: number, frames: number) => string;
  turns: string;
  turnHead: Record<'a' | 'b' | 'what' | 'differences', string>;
  turn: (a: number | null, b: number | null) => string;
  times: string;
  timesNote: string;
  fold: (n: number) => string;
  nothingHere: string;
  showMasked: (n: number) => string;
  showSame: string;
  hint: string;
  next: string;
  previous: string;
  place: (at: number, of: number) => string;
  all: (n: number) => string;
  absent: string;
  masked: string;
  leftOut: string;
  frames: (a: number | null, b: number | null) => string;
  more: (n: number) => string;
}

export const DIFF_WORDS: Record<Language, DiffWords> = {
  en: {
    loading: 'Reading the diff…',
    one: 'This page has one session: there is nothing to compare. Make one of two with: wiretape diff A B --format html',
    same: 'No differences',
    sum: (n) => (n === 1 ? '1 difference' : `${n} differences`),
    doesNotCount: 'shown, but does not count',
    beyond: (tolerance) => `beyond a tolerance of ${tolerance}`,
    within: (tolerance) => `times are within a tolerance of ${tolerance}`,
    sections: {
      ...{ handshake: 'Handshake', conversation: 'Conversation', replayed: 'Sent again' },
      ...{ approvals: 'Approvals', findings: 'Findings' },
      ...{ timing: 'Timing', tokens: 'Tokens', stderr: 'stderr', end: 'How it ended', shape: 'Shape of messages' },
    },
    ops: { same: 'same', changed: 'changed', added: 'added', removed: 'removed', moved: 'moved' },
    maskedOp: 'only ids, times or paths',
    sides: { a: 'A', b: 'B' },
    facts: (turns, frames) => `${turns} ${turns === 1 ? 'turn' : 'turns'}, ${frames} frames`,
    turns: 'Turns',
    turnHead: { a: 'A', b: 'B', what: 'prompt', differences: 'differences' },
    turn: (a, b) => (a === b ? `turn ${a}` : `turn ${a ?? '–'} → ${b ?? '–'}`),
    times: 'Both timelines',
    timesNote: 'On one scale; bands connect matching turns; ticks mark differences',
    fold: (n) => `${n} the same`,
    nothingHere: 'The conversations are the same.',
    showMasked: (n) => `Show differences that are only in ids, times and paths (${n})`,
    showSame: 'Show everything that is the same',
    hint: 'n and N go from one difference to the next',
    next: 'Next difference (n)',
    previous: 'Previous difference (N)',
    place: (at, of) => `${at} of ${of}`,
    all: (n) => `Show all ${n} lines`,
    absent: 'not there',
    masked: 'differs only in what changes from run to run',
    leftOut: 'Not compared, because only one protocol has it',
    frames: (a, b) => [a === null ? '' : `f${a}`, b === null ? '' : `f${b}`].filter((word) => word !== '').join(' → '),
    more: (n) => `Show ${n} more`,
  },
  zh: {
    loading: '正在读取比较结果…',
    one: '本页只有一个会话，无从比较。生成两个会话的页面：wiretape diff A B --format html',
    same: '没有差异',
    sum: (n) => `${n} 处差异`,
    doesNotCount: '仅供参考，不计入差异',
    beyond: (tolerance) => `超出容差（${tolerance}）`,
    within: (tolerance) => `时间在容差之内（${tolerance}）`,
    sections: {
      ...{ handshake: '握手', conversation: '对话', replayed: '重放的历史', approvals: '审批', findings: '检查结果' },
      ...{ timing: '时间', tokens: 'token', stderr: 'stderr', end: '如何结束', shape: '消息结构' },
    },
    ops: { same: '相同', changed: '已改变', added: '新增', removed: '缺失', moved: '已移动' },
    maskedOp: '仅 id、时间或路径不同',
    sides: { a: 'A', b: 'B' },
    facts: (turns, frames) => `${turns} 轮，${frames} 帧`,
    turns: '轮次',
    turnHead: { a: 'A', b: 'B', what: '提示', differences: '差异' },
    turn: (a, b) => (a === b ? `第 ${a} 轮` : `第 ${a ?? '–'} 轮 → 第 ${b ?? '–'} 轮`),
    times: '两条时间线',
    timesNote: '同一比例尺；色带连接对应的轮次，刻度为差异',
    fold: (n) => `${n} 处相同`,
    nothingHere: '两段对话相同。',
    showMasked: (n) => `同时显示仅 id、时间、路径不同之处（${n}）`,
    showSame: '显示全部相同之处',
    hint: 'n 与 N 在差异之间移动',
    next: '下一处差异（n）',
    previous: '上一处差异（N）',
    place: (at, of) => `第 ${at} / ${of} 处`,
    all: (n) => `显示全部 ${n} 行`,
    absent: '没有',
    masked: '仅有每次运行都会变化的内容不同',
    leftOut: '只有一方协议具备，未作比较',
    frames: (a, b) => [a === null ? '' : `f${a}`, b === null ? '' : `f${b}`].filter((word) => word !== '').join(' → '),
    more: (n) => `再显示 ${n} 行`,
  },
};
