/** The words of the approvals view. */
import type { BypassPeriod } from '../../../analysis/audit/bypass.ts';
import type { Executed } from '../../../analysis/audit/execution.ts';
import type { Decider, RowDecision, RowKind } from '../../../analysis/audit/row.ts';
import type { Language } from '../app.ts';

type Instead = 'client-error' | 'invalid' | 'grant' | 'agent' | 'nobody';

export interface ApprovalWords {
  label: string;
  sortBy: string;
  loading: string;
  none: string;
  notUnderstood: string;
  nothing: string;
  columns: Record<
    | (
        | 'f'
        | 't'
        | 'kind'
        | 'tool'
        | 'what'
        | 'whatRan'
        | 'decision'
        | 'by'
        | 'mode'
        | 'wait'
        | 'ran'
        | 'run'
        | 'result'
      )
    | 'flags',
    string
  >;
  titles: { wait: string; run: string; by: string; whatRan: string };
  /** What ran is what was asked. */
  asAsked: string;
  ranInstead: (what: string) => string;
  kinds: Record<RowKind, string>;
  decisions: Record<RowDecision, string>;
  deciders: Record<Decider, string>;
  ran: Record<Executed, string>;
  results: Record<'ok' | 'error', string>;
  refusedBy: (by: string) => string;
  open: (wait: string) => string;
  openShort: string;
  openTitle: (n: number) => string;
  alarmTitle: (n: number) => string;
  notAllowed: string;
  deniedBefore: string;
  ranAnyway: string;
  totals: Record<
    | ('asked' | 'allowed' | 'denied' | 'cancelled' | 'unasked' | 'byHook' | 'covered' | 'refused' | 'partly')
    | ('unsure' | 'unknown' | 'waited'),
    string
  >;
  instead: Record<Instead, string>;
  unaskedIn: (mode: string) => string;
  longest: (wait: string) => string;
  waitedTitle: string;
  filterBy: (name: string) => string;
  others: (n: number) => string;
  grants: (n: number) => string;
  grantHead: string;
  given: string;
  covers: string;
  ranUnder: (n: number) => string;
  nothingUnder: string;
  howItRan: Record<Exclude<Executed, 'yes'>, string>;
  andMore: (n: number) => string;
  bypass: (frees: BypassPeriod['frees'], from: number, to: number | null) => string;
  unknowns: string;
  copyCsv: string;
  copyMarkdown: string;
  rows: (n: number) => string;
  row: (what: string, decision: string, by: string, ran: string) => string;
}

export const APPROVAL_WORDS: Record<Language, ApprovalWords> = {
  en: {
    label: 'Approvals',
    sortBy: 'Sort by',
    loading: 'Reading the approvals…',
    none: 'No approvals were requested, and no call is known to have written or executed anything.',
    notUnderstood: 'Cannot tell what was asked or run: too little of what the agent sent was understood.',
    nothing: 'The query leaves no approval.',
    columns: {
      ...{ f: 'frame', t: 'time', kind: 'kind', tool: 'tool', what: 'what was asked' },
      ...{ whatRan: 'what ran', decision: 'decision', by: 'by' },
      ...{ mode: 'mode', wait: 'waited', ran: 'ran', run: 'run', result: 'result', flags: 'flags' },
    },
    titles: {
      wait: 'How long the request was open',
      run: 'From the decision to the result',
      whatRan: 'The command or path that ran, as far as the tape shows',
      by: 'Who decided. The protocol does not say whether a person or a program gave the client’s answer.',
    },
    asAsked: 'as asked',
    ranInstead: (what) => `what ran: ${what}`,
    kinds: { approval: 'approval', question: 'question', 'client-call': 'client call', hook: 'hook' },
    decisions: {
      ...{ allow: 'allow', 'allow-always': 'allow-always', deny: 'deny', cancelled: 'cancelled', none: 'none' },
      ...{ unasked: 'unasked', unknown: 'unknown', answered: 'answered', dismissed: 'dismissed' },
    },
    deciders: {
      ...{ client: 'client', 'client-error': 'client error', invalid: 'invalid answer', grant: 'grant', mode: 'mode' },
      ...{ hook: 'hook', agent: 'agent', nobody: 'nobody', unknown: 'unknown' },
    },
    ran: { yes: 'yes', no: 'no', partly: 'partly', unknown: '?' },
    results: { ok: 'ok', error: 'error' },
    refusedBy: (by) => `${by}: no`,
    open: (wait) => `open, no answer, ${wait}`,
    openShort: 'open, no answer',
    openTitle: (n) => (n === 1 ? 'This request has no answer' : `These ${n} requests have no answer`),
    alarmTitle: (n) =>
      n === 1 ? 'A call ran although it had been denied' : `${n} calls ran although they had been denied`,
    notAllowed: 'it was not allowed',
    deniedBefore: 'the same was denied before:',
    ranAnyway: 'ran anyway',
    totals: {
      ...{ asked: 'asked', allowed: 'allowed', denied: 'denied', cancelled: 'cancelled' },
      ...{ unasked: 'unasked by the agent', byHook: 'unasked, allowed by a hook', covered: 'unasked, under a grant' },
      ...{ refused: 'refused unasked', partly: 'stopped before the end', unsure: 'unasked, may not have run' },
      ...{ unknown: 'unknown', waited: 'total wait' },
    },
    instead: {
      ...{ nobody: 'not answered', 'client-error': 'answered with an error', invalid: 'answered invalidly' },
      ...{ agent: 'settled by the agent', grant: 'settled by a grant' },
    },
    unaskedIn: (mode) => `unasked, in ${mode} mode`,
    longest: (wait) => `longest ${wait}`,
    waitedTitle: 'Total time that approvals were open',
    filterBy: (name) => `Show only: ${name}`,
    others: (n) => `Questions, hooks and client calls too (${n})`,
    grants: (n) => (n === 1 ? 'One standing grant' : `${n} standing grants`),
    grantHead: 'Standing grant',
    given: 'given for',
    covers: 'covers',
    ranUnder: (n) => (n === 1 ? 'one call ran under it' : `${n} calls ran under it`),
    nothingUnder: 'nothing ran under it',
    howItRan: { no: 'did not run', partly: 'ran in part', unknown: 'may have run' },
    andMore: (n) => `Show ${n} more in the table`,
    bypass: (frees, from, to) => {
      const span = `${from === 0 ? 'from the start' : `from f${from}`}${to === null ? '' : ` to f${to}`}`;
      return `${span}: ${{ all: 'no approvals needed', edits: 'no approvals needed for edits', run: 'nobody is asked' }[frees]}`;
    },
    unknowns: 'What cannot be known',
    copyCsv: 'Copy as CSV',
    copyMarkdown: 'Copy as Markdown',
    rows: (n) => (n === 1 ? 'one approval' : `${n} approvals`),
    row: (what, decision, by, ran) => `${what}: ${decision}, by ${by}, ran: ${ran}`,
  },
  zh: {
    label: '审批',
    sortBy: '排序：',
    loading: '正在读取审批…',
    none: '没有请求过审批，也没有已知的写入或执行类调用。',
    notUnderstood: '无法判断请求或执行过什么：代理所说的内容大多未能读懂。',
    nothing: '当前查询没有匹配的审批。',
    columns: {
      ...{ f: '帧', t: '时间', kind: '类别', tool: '工具', what: '询问内容' },
      ...{ whatRan: '执行内容', decision: '决定', by: '决定者' },
      ...{ mode: '模式', wait: '等待', ran: '已执行', run: '用时', result: '结果', flags: '标记' },
    },
    titles: {
      wait: '请求未得到应答的时长',
      run: '从决定到结果的时长',
      whatRan: '实际执行的命令或路径（以录制所见为准）',
      by: '由谁决定。协议不区分客户端的应答来自人还是程序。',
    },
    asAsked: '与询问一致',
    ranInstead: (what) => `执行内容：${what}`,
    kinds: { approval: '审批', question: '提问', 'client-call': '客户端调用', hook: '钩子' },
    decisions: {
      ...{ allow: '允许', 'allow-always': '始终允许', deny: '拒绝', cancelled: '已取消', none: '无决定' },
      ...{ unasked: '未询问', unknown: '未知', answered: '已回答', dismissed: '已忽略' },
    },
    deciders: {
      ...{ client: '客户端', 'client-error': '客户端报错', invalid: '无效应答', grant: '授权', mode: '模式' },
      ...{ hook: '钩子', agent: '代理', nobody: '无人', unknown: '未知' },
    },
    ran: { yes: '是', no: '否', partly: '部分', unknown: '？' },
    results: { ok: '成功', error: '失败' },
    refusedBy: (by) => `${by}：拒绝`,
    open: (wait) => `未了结，无应答，${wait}`,
    openShort: '未了结，无应答',
    openTitle: (n) => `有 ${n} 个请求没有应答`,
    alarmTitle: (n) => `有 ${n} 个调用虽被拒绝却执行了`,
    notAllowed: '未获允许',
    deniedBefore: '同样的操作此前被拒绝：',
    ranAnyway: '仍然执行',
    totals: {
      ...{ asked: '询问', allowed: '允许', denied: '拒绝', cancelled: '取消' },
      ...{ unasked: '代理未询问', byHook: '未询问（钩子允许）', covered: '未询问（授权覆盖）' },
      ...{ refused: '未询问即拒绝', partly: '中途停止', unsure: '未询问（可能未执行）' },
      ...{ unknown: '未知', waited: '总等待' },
    },
    instead: {
      ...{ nobody: '无人应答', 'client-error': '应答为错误', invalid: '应答无效' },
      ...{ agent: '由代理了结', grant: '由授权了结' },
    },
    unaskedIn: (mode) => `未询问（${mode} 模式）`,
    longest: (wait) => `最长 ${wait}`,
    waitedTitle: '每次审批未应答时长之和',
    filterBy: (name) => `只显示：${name}`,
    others: (n) => `同时显示提问、钩子与客户端调用（${n}）`,
    grants: (n) => `长期授权 ${n} 个`,
    grantHead: '长期授权',
    given: '针对',
    covers: '覆盖',
    ranUnder: (n) => `据此执行了 ${n} 个调用`,
    nothingUnder: '没有调用据此执行',
    howItRan: { no: '未执行', partly: '部分执行', unknown: '可能已执行' },
    andMore: (n) => `在表格中显示其余 ${n} 个`,
    bypass: (frees, from, to) => {
      const span = `${from === 0 ? '自始' : `自 f${from}`}${to === null ? '' : `至 f${to}`}`;
      return `${span}：${{ all: '无需审批', edits: '编辑无需审批', run: '不询问任何人' }[frees]}`;
    },
    unknowns: '无从得知的内容',
    copyCsv: '复制为 CSV',
    copyMarkdown: '复制为 Markdown',
    rows: (n) => `${n} 条审批`,
    row: (what, decision, by, ran) => `${what}：${decision}，决定者 ${by}，已执行：${ran}`,
  },
};
