/** The words of the timeline. */
import type { Lane, RowState } from '../../page/page.ts';
import type { Language } from '../app.ts';
import type { Segment } from './segments.ts';

export interface TimelineWords {
  lanes: Record<Lane, string>;
  states: Record<RowState, string>;
  parts: Record<Segment, string>;
  severities: Record<'error' | 'warning' | 'info', string>;
  turn(n: number): string;
  step(n: number): string;
  noResult: string;
  noAnswer: string;
  noEnd: string;
  waited(time: string): string;
  ran(time: string): string;
  took(time: string): string;
  frames(n: string): string;
  finding(severity: string): string;
  unasked: string;
  again: string;
  background: string;
  hiddenByFilter: string;
  bookmarked: string;
  subagent(id: string): string;
  nothing: string;
  nothingFound: string;
  tree: string;
  waterfall: string;
  panes: string;
  rowsHead: string;
  axis(from: string, to: string): string;
  overview(turns: number, errors: number, approvals: number): string;
  overviewName: string;
  overviewKeys: Record<'frames' | 'context' | 'waits' | 'errors', string>;
  windowStart: string;
  windowEnd: string;
  idle(time: string): string;
  expand: string;
  collapse: string;
  zoomIn: string;
  zoomOut: string;
  fit: string;
  foldIdle: string;
  lanesToggle: string;
  tokensToggle: string;
  resize: string;
  table: string;
  chart: string;
  lanesLabel(n: string): string;
  usageLabel(n: string): string;
  columns: Record<
    | 'lane'
    | 'what'
    | 'frame'
    | 'from'
    | 'to'
    | 'duration'
    | 'state'
    | 'step'
    | 'context'
    | 'input'
    | 'cacheRead'
    | 'cacheWrite'
    | 'output',
    string
  >;
  context: string;
  tokens: string;
  limit(size: string): string;
  compaction: string;
  noUsage: string;
  more(n: string): string;
  total: string;
  legend: Record<
    'thinking' | 'text' | 'args' | 'queued' | 'waiting' | 'running' | 'failed' | 'open' | 'finding',
    string
  >;
}

export const WORDS: Record<Language, TimelineWords> = {
  en: {
    lanes: {
      client: 'client',
      agent: 'agent',
      tools: 'tools',
      approvals: 'approvals',
      subagents: 'subagents',
      stderr: 'stderr',
      noise: 'noise',
      findings: 'findings',
    },
    states: {
      done: 'done',
      error: 'error',
      open: 'not finished',
      denied: 'denied',
      cancelled: 'cancelled',
      interrupted: 'interrupted',
    },
    parts: {
      args: 'arguments',
      queued: 'queued',
      waiting: 'waiting for an answer',
      running: 'running',
      after: 'after the answer',
      whole: 'time',
    },
    severities: { error: 'error', warning: 'warning', info: 'note' },
    turn: (n) => `Turn ${n}`,
    step: (n) => `Step ${n}`,
    noResult: 'no result',
    noAnswer: 'no answer',
    noEnd: 'no end',
    waited: (time) => `waited ${time}`,
    ran: (time) => `ran ${time}`,
    took: (time) => `took ${time}`,
    frames: (n) => `${n} frames`,
    finding: (severity) => `finding: ${severity}`,
    unasked: 'ran without being asked',
    again: 'sent again',
    background: 'in the background',
    hiddenByFilter: 'hidden by the filter',
    bookmarked: 'bookmarked',
    subagent: (id) => `subagent ${id}`,
    nothing: 'This session has no frames.',
    nothingFound: 'No row matches the filter.',
    tree: 'Tree',
    waterfall: 'Waterfall',
    panes: 'Which part is shown',
    rowsHead: 'Timeline of the session: turns, steps, and what happened in them',
    axis: (from, to) => `Time axis, from ${from} to ${to}. W and S zoom, A and D move, 0 shows everything.`,
    overview: (turns, errors, approvals) =>
      `Overview of the session: ${turns} turns, ${errors} errors, ${approvals} approvals and questions. All of them are rows below.`,
    overviewName: 'Overview',
    overviewKeys: { frames: 'frames', context: 'context', waits: 'waiting', errors: 'errors' },
    windowStart: 'Start of the time window',
    windowEnd: 'End of the time window',
    idle: (time) => `idle for ${time}`,
    expand: 'Expand all',
    collapse: 'Collapse all',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show the whole session',
    foldIdle: 'Fold idle time',
    lanesToggle: 'Lanes',
    tokensToggle: 'Tokens',
    resize: 'Width of the tree',
    table: 'View as table',
    chart: 'View as chart',
    lanesLabel: (n) => `Lanes over time, ${n} bars. "View as table" lists them.`,
    usageLabel: (n) => `Context and tokens over time, ${n} reports. "View as table" lists them.`,
    columns: {
      lane: 'Lane',
      what: 'What',
      frame: 'Frame',
      from: 'From',
      to: 'To',
      duration: 'Duration',
      state: 'State',
      step: 'Turn, step',
      context: 'Context',
      input: 'Input',
      cacheRead: 'Cache read',
      cacheWrite: 'Cache written',
      output: 'Output',
    },
    context: 'Context',
    tokens: 'Tokens',
    limit: (size) => `limit ${size}`,
    compaction: 'compaction',
    noUsage: 'No frame reports tokens or context.',
    more: (n) => `${n} more: zoom in to see them`,
    total: 'total',
    legend: {
      thinking: 'thinking',
      text: 'text',
      args: 'arguments',
      queued: 'queued',
      waiting: 'waiting',
      running: 'running',
      failed: 'failed',
      open: 'no end',
      finding: 'finding',
    },
  },
  zh: {
    lanes: {
      client: '客户端',
      agent: '代理',
      tools: '工具',
      approvals: '审批',
      subagents: '子代理',
      stderr: 'stderr',
      noise: '杂音',
      findings: '检查结果',
    },
    states: {
      done: '完成',
      error: '错误',
      open: '未结束',
      denied: '被拒绝',
      cancelled: '已取消',
      interrupted: '中断',
    },
    parts: { args: '参数', queued: '排队', waiting: '等待答复', running: '运行', after: '答复之后', whole: '时间' },
    severities: { error: '错误', warning: '警告', info: '提示' },
    turn: (n) => `第 ${n} 轮`,
    step: (n) => `第 ${n} 步`,
    noResult: '无结果',
    noAnswer: '无答复',
    noEnd: '未结束',
    waited: (time) => `等待 ${time}`,
    ran: (time) => `运行 ${time}`,
    took: (time) => `用时 ${time}`,
    frames: (n) => `${n} 帧`,
    finding: (severity) => `检查结果：${severity}`,
    unasked: '未经询问即运行',
    again: '重复发送',
    background: '后台',
    hiddenByFilter: '被筛选隐藏',
    bookmarked: '已加书签',
    subagent: (id) => `子代理 ${id}`,
    nothing: '此会话没有任何帧。',
    nothingFound: '没有符合筛选条件的行。',
    tree: '树',
    waterfall: '瀑布图',
    panes: '显示哪一部分',
    rowsHead: '会话时间线：轮次、步骤及其内容',
    axis: (from, to) => `时间轴，从 ${from} 到 ${to}。W 和 S 缩放，A 和 D 移动，0 显示全部。`,
    overview: (turns, errors, approvals) =>
      `会话概览：${turns} 轮，${errors} 个错误，${approvals} 个审批和提问。下方各行列出全部内容。`,
    overviewName: '概览',
    overviewKeys: { frames: '帧', context: '上下文', waits: '等待', errors: '错误' },
    windowStart: '时间窗口起点',
    windowEnd: '时间窗口终点',
    idle: (time) => `空闲 ${time}`,
    expand: '全部展开',
    collapse: '全部折叠',
    zoomIn: '放大',
    zoomOut: '缩小',
    fit: '显示整个会话',
    foldIdle: '折叠空闲时间',
    lanesToggle: '泳道',
    tokensToggle: '用量',
    resize: '树的宽度',
    table: '以表格查看',
    chart: '以图表查看',
    lanesLabel: (n) => `按时间排列的泳道，共 ${n} 条。“以表格查看”可列出全部。`,
    usageLabel: (n) => `上下文与用量随时间的变化，共 ${n} 次报告。“以表格查看”可列出全部。`,
    columns: {
      lane: '泳道',
      what: '内容',
      frame: '帧',
      from: '开始',
      to: '结束',
      duration: '时长',
      state: '状态',
      step: '轮次、步骤',
      context: '上下文',
      input: '输入',
      cacheRead: '读缓存',
      cacheWrite: '写缓存',
      output: '输出',
    },
    context: '上下文',
    tokens: 'Token',
    limit: (size) => `上限 ${size}`,
    compaction: '压缩上下文',
    noUsage: '没有帧报告用量或上下文。',
    more: (n) => `还有 ${n} 条：放大后可见`,
    total: '合计',
    legend: {
      thinking: '思考',
      text: '文本',
      args: '参数',
      queued: '排队',
      waiting: '等待',
      running: '运行',
      failed: '失败',
      open: '未结束',
      finding: '检查结果',
    },
  },
};
