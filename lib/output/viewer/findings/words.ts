/** The words of the findings view. Findings themselves are in English, as `check` and `why` print them. */
import type { Fault, Severity } from '../../../dialects/rules/rule.ts';
import type { Language } from '../app.ts';

export interface FindingWords {
  loading: string;
  /** Said where the language is not English. */
  quotedInEnglish: string;
  owed: string;
  nothingOwed: string;
  never: (owes: string, to: string) => string;
  running: (owes: string, to: string) => string;
  openFor: (wait: string) => string;
  remark: string;
  doubt: string;
  follows: string;
  sides: Record<'client' | 'agent', string>;
  hint: string;
  send: string;
  sendNow: string;
  agentWould: string;
  or: string;
  copy: string;
  line: string;
  lastStderr: string;
  findings: string;
  none: string;
  nothing: string;
  severities: Record<Severity, string>;
  counts: Record<Severity, (n: number) => string>;
  faults: Record<Fault, string>;
  means: string;
  fix: string;
  source: string;
  explain: string;
  times: (n: number) => string;
  more: (n: number) => string;
  also: string;
}

export const FINDING_WORDS: Record<Language, FindingWords> = {
  en: {
    quotedInEnglish: '',
    loading: 'Reading the findings…',
    owed: 'Unanswered requests',
    nothingOwed: 'No request is unanswered: every one was settled.',
    never: (owes, to) => `The ${owes} never answered the ${to}`,
    running: (owes, to) => `The ${owes} has not answered the ${to} yet`,
    openFor: (wait) => `open for ${wait}`,
    remark: 'Worth knowing',
    doubt: 'Cannot tell whether a request is unanswered',
    follows: 'follows from another',
    sides: { client: 'client', agent: 'agent' },
    hint: 'hint',
    send: 'should have sent',
    sendNow: 'send',
    agentWould: 'the agent would answer',
    or: 'or with',
    copy: 'Copy',
    line: 'the line',
    lastStderr: 'last on stderr',
    findings: 'Broken rules',
    none: 'No findings: the session follows the rules of its protocol.',
    nothing: 'The query leaves no finding.',
    severities: { error: 'error', warning: 'warning', info: 'info' },
    counts: {
      error: (n) => (n === 1 ? '1 error' : `${n} errors`),
      warning: (n) => (n === 1 ? '1 warning' : `${n} warnings`),
      info: (n) => `${n} info`,
    },
    faults: { client: 'by the client', agent: 'by the agent', unknown: 'by either side' },
    means: 'What it means',
    fix: 'How to fix it',
    source: 'Source',
    explain: 'What the rule says',
    times: (n) => (n === 1 ? 'once' : `${n} times`),
    more: (n) => `Show ${n} more`,
    also: 'with',
  },
  zh: {
    quotedInEnglish: '原因、提示、检查结果和规则说明引自 wiretape 的输出，保留英文原文。',
    loading: '正在读取检查结果…',
    owed: '谁还欠谁一个应答',
    nothingOwed: '没有未了结的请求：双方互不相欠。',
    never: (owes, to) => `${owes}始终没有应答${to}`,
    running: (owes, to) => `${owes}尚未应答${to}`,
    openFor: (wait) => `持续 ${wait}`,
    remark: '值得留意',
    doubt: '无法判断是否有人在等待',
    follows: '由另一项引起',
    sides: { client: '客户端', agent: '代理' },
    hint: '提示',
    send: '本应发送',
    sendNow: '发送',
    agentWould: '代理将会应答',
    or: '或改用',
    copy: '复制',
    line: '该行',
    lastStderr: 'stderr 末尾',
    findings: '协议不允许之处',
    none: '没有发现问题：录制内容符合协议。',
    nothing: '当前查询没有匹配的检查结果。',
    severities: { error: '错误', warning: '警告', info: '提示' },
    counts: { error: (n) => `${n} 个错误`, warning: (n) => `${n} 个警告`, info: (n) => `${n} 个提示` },
    faults: { client: '责任在客户端', agent: '责任在代理', unknown: '责任方不明' },
    means: '含义',
    fix: '如何修正',
    source: '出处',
    explain: '规则说明',
    times: (n) => `${n} 次`,
    more: (n) => `再显示 ${n} 条`,
    also: '相关',
  },
};
