/** The words of the stats view. */
import type { RowKind } from '../../../analysis/audit/row.ts';
import type { Language } from '../app.ts';

export interface StatsWords {
  loading: string;
  took: string;
  phases: string;
  phase: Record<'busy' | 'waiting' | 'idle', string>;
  phaseTitle: Record<'busy' | 'waiting' | 'idle', string>;
  totals: string;
  total: Record<
    | 'frames'
    | 'bytes'
    | 'turns'
    | 'steps'
    | 'calls'
    | 'approvals'
    | 'errors'
    | 'retries'
    | 'in'
    | 'cached'
    | 'out'
    | 'context',
    string
  >;
  failed: (n: number) => string;
  ofSize: (size: string) => string;
  maximum: (n: string) => string;
  decisions: Record<string, string>;
  tools: string;
  tool: Record<
    'tool' | 'calls' | 'errors' | 'unfinished' | 'p50' | 'p95' | 'max' | 'share' | 'wait50' | 'wait95' | 'waitMax',
    string
  >;
  toolTitle: Record<'share' | 'p95' | 'wait', string>;
  noName: string;
  slowest: string;
  slow: Record<'call' | 'frame' | 'waited' | 'ran' | 'bar', string>;
  noResult: string;
  waits: string;
  wait: Record<'kind' | 'count' | 'total' | 'p50' | 'p95' | 'max', string>;
  asking: Record<RowKind, string>;
  tokens: string;
  token: Record<'turn' | 'input' | 'read' | 'write' | 'output' | 'share', string>;
  outside: string;
  contextOver: string;
  contextLabel: (n: number, top: string, last: string) => string;
  asTable: string;
  point: Record<'frame' | 'time' | 'used' | 'share', string>;
  traffic: string;
  byKind: string;
  withoutEnds: string;
  trafficHead: Record<'from' | 'count' | 'bytes' | 'kind' | 'share', string>;
  from: Record<'client' | 'agent' | 'stderr', string>;
  noKind: string;
  extremes: string;
  longestLine: (size: string, from: string) => string;
  largestGap: (time: string) => string;
  unreadTape: (n: number) => string;
  unreadSource: (n: number) => string;
  tooLarge: (n: number) => string;
  environment: string;
  about: Record<
    | 'agent'
    | 'client'
    | 'model'
    | 'dialect'
    | 'mode'
    | 'command'
    | 'cwd'
    | 'where'
    | 'started'
    | 'ended'
    | 'state'
    | 'exit'
    | 'source'
    | 'name'
    | 'tags'
    | 'conversations'
    | 'digest',
    string
  >;
  states: Record<string, string>;
  handshake: string;
  more: (n: number) => string;
}

export const STATS_WORDS: Record<Language, StatsWords> = {
  en: {
    loading: 'Reading…',
    took: 'took',
    phases: 'Where the time went',
    phase: { busy: 'agent busy', waiting: 'waiting for an answer', idle: 'idle' },
    phaseTitle: {
      busy: 'No approval or question was open, but a turn, a call or a request of the client was',
      waiting: 'An approval or a question was open',
      idle: 'The rest',
    },
    totals: 'Totals',
    total: {
      ...{
        frames: 'frames',
        bytes: 'on the wire',
        turns: 'turns',
        steps: 'steps',
        calls: 'tool calls',
        approvals: 'approvals',
      },
      ...{
        errors: 'error messages',
        retries: 'retries',
        in: 'tokens in',
        cached: 'cached',
        out: 'tokens out',
        context: 'context',
      },
    },
    failed: (n) => `${n} failed`,
    ofSize: (size) => `of ${size}`,
    maximum: (n) => `maximum ${n}`,
    decisions: {
      allow: 'allow',
      'allow-always': 'allow-always',
      deny: 'deny',
      cancelled: 'cancelled',
      none: 'without a decision',
    },
    tools: 'Tools',
    tool: {
      ...{
        tool: 'tool',
        calls: 'calls',
        errors: 'errors',
        unfinished: 'no result',
        p50: 'run p50',
        p95: 'run p95',
        max: 'run max',
      },
      ...{ share: 'time running', wait50: 'wait p50', wait95: 'wait p95', waitMax: 'wait max' },
    },
    toolTitle: {
      share: 'All runs of the tool together, compared with the tool that ran most',
      p95: '95% took no longer',
      wait: 'Waiting for an answer; not part of the run',
    },
    noName: '(no name)',
    slowest: 'Slowest calls',
    slow: { call: 'call', frame: 'frame', waited: 'waited', ran: 'ran', bar: 'waited and ran' },
    noResult: 'no result',
    waits: 'Waits by kind',
    wait: { kind: 'asked', count: 'count', total: 'in all', p50: 'p50', p95: 'p95', max: 'max' },
    asking: { approval: 'approvals', question: 'questions', 'client-call': 'client calls', hook: 'hooks' },
    tokens: 'Tokens by turn',
    token: { turn: 'turn', input: 'input', read: 'cache read', write: 'cache write', output: 'output', share: 'share' },
    outside: 'outside of turns',
    contextOver: 'Context over time',
    contextLabel: (n, top, last) => `${n} reports of the context; highest ${top}, last ${last}`,
    asTable: 'As a table',
    point: { frame: 'frame', time: 'time', used: 'tokens', share: 'share' },
    traffic: 'Traffic',
    byKind: 'Traffic by kind',
    withoutEnds: 'Without line ends and headers',
    trafficHead: { from: 'from', count: 'line count', bytes: 'bytes', kind: 'kind', share: 'share of bytes' },
    from: { client: 'client', agent: 'agent', stderr: 'stderr' },
    noKind: '(no meaning)',
    extremes: 'Extremes',
    longestLine: (size, from) => `Longest line: ${size} from the ${from}`,
    largestGap: (time) => `Longest silence: ${time} after`,
    unreadTape: (n) => `${n} damaged lines of the tape`,
    unreadSource: (n) => `${n} damaged lines of the imported file`,
    tooLarge: (n) => `${n} lines too large to read: counted only as traffic`,
    environment: 'Handshake and environment',
    about: {
      ...{
        agent: 'agent',
        client: 'client',
        model: 'model',
        dialect: 'protocol',
        mode: 'mode',
        command: 'command',
        cwd: 'folder',
      },
      ...{
        where: 'on',
        started: 'started',
        ended: 'ended',
        state: 'state',
        exit: 'exit',
        source: 'made by',
        name: 'name',
        tags: 'tags',
      },
      ...{ conversations: 'conversation', digest: 'SHA-256 of the tape' },
    },
    states: { running: 'running', ended: 'ended', killed: 'killed', incomplete: 'incomplete' },
    handshake: 'What the handshake reported',
    more: (n) => `Show ${n} more`,
  },
  zh: {
    loading: '正在读取…',
    took: '总时长',
    phases: '时间分布',
    phase: { busy: '代理工作', waiting: '等待答复', idle: '空闲' },
    phaseTitle: {
      busy: '没有未应答的审批或提问，但有轮次、调用或客户端请求在进行',
      waiting: '有审批或提问未应答',
      idle: '其余时间',
    },
    totals: '总计',
    total: {
      ...{ frames: '帧', bytes: '传输量', turns: '轮次', steps: '步骤', calls: '工具调用', approvals: '审批' },
      ...{
        errors: '错误消息',
        retries: '重试',
        in: '输入 token',
        cached: '缓存命中',
        out: '输出 token',
        context: '上下文',
      },
    },
    failed: (n) => `${n} 个失败`,
    ofSize: (size) => `/ ${size}`,
    maximum: (n) => `最高 ${n}`,
    decisions: { allow: '允许', 'allow-always': '始终允许', deny: '拒绝', cancelled: '已取消', none: '无决定' },
    tools: '工具',
    tool: {
      ...{
        tool: '工具',
        calls: '调用',
        errors: '失败',
        unfinished: '无结果',
        p50: '运行 p50',
        p95: '运行 p95',
        max: '运行最长',
      },
      ...{ share: '运行时间', wait50: '等待 p50', wait95: '等待 p95', waitMax: '等待最长' },
    },
    toolTitle: {
      share: '该工具全部运行时间，与运行最久的工具相比',
      p95: '95% 不超过此值',
      wait: '等待应答的时间，不计入运行',
    },
    noName: '（无名称）',
    slowest: '最慢的调用',
    slow: { call: '调用', frame: '帧', waited: '等待', ran: '运行', bar: '等待与运行' },
    noResult: '无结果',
    waits: '各类等待',
    wait: { kind: '询问', count: '次数', total: '合计', p50: 'p50', p95: 'p95', max: '最长' },
    asking: { approval: '审批', question: '提问', 'client-call': '客户端调用', hook: '钩子' },
    tokens: '各轮次的 token',
    token: { turn: '轮次', input: '输入', read: '缓存读取', write: '缓存写入', output: '输出', share: '占比' },
    outside: '轮次之外',
    contextOver: '上下文随时间的变化',
    contextLabel: (n, top, last) => `共 ${n} 次上下文报告；最高 ${top}，最后 ${last}`,
    asTable: '以表格显示',
    point: { frame: '帧', time: '时间', used: 'token', share: '占比' },
    traffic: '流量',
    byKind: '各类流量',
    withoutEnds: '不含行尾与头部',
    trafficHead: { from: '来自', count: '行数', bytes: '字节', kind: '类别', share: '字节占比' },
    from: { client: '客户端', agent: '代理', stderr: 'stderr' },
    noKind: '（无含义）',
    extremes: '极值',
    longestLine: (size, from) => `最长的一行：${size}，来自${from}`,
    largestGap: (time) => `最长的静默：${time}，在此之后`,
    unreadTape: (n) => `录制文件中有 ${n} 行损坏`,
    unreadSource: (n) => `导入的文件中有 ${n} 行损坏`,
    tooLarge: (n) => `有 ${n} 行过大而无法读取，只计入流量`,
    environment: '握手与环境',
    about: {
      ...{
        agent: '代理',
        client: '客户端',
        model: '模型',
        dialect: '协议',
        mode: '模式',
        command: '命令行',
        cwd: '目录',
      },
      ...{
        where: '主机',
        started: '开始',
        ended: '结束',
        state: '状态',
        exit: '退出',
        source: '来源',
        name: '名称',
        tags: '标签',
      },
      ...{ conversations: '对话', digest: '录制文件的 SHA-256' },
    },
    states: { running: '进行中', ended: '已结束', killed: '被终止', incomplete: '不完整' },
    handshake: '握手内容',
    more: (n) => `再显示 ${n} 行`,
  },
};
