/** The words of the conversation and of the printed document. */
import type { Language } from '../app.ts';

export interface TalkWords {
  client: string;
  subagent: (name: string) => string;
  thinking: (size: string) => string;
  characters: (n: string) => string;
  turn: (n: number) => string;
  tool: string;
  ended: string;
  exit: (text: string) => string;
  owes: { client: string; agent: string };
  hint: string;
  nothing: string;
  noMatch: string;
  earlier: (n: string) => string;
  later: (n: string) => string;
  cancelled: string;
  compaction: string;
  mode: (name: string) => string;
  retry: (why: string) => string;
  interrupted: string;
  asksTool: (tool: string) => string;
  asks: string;
  adds: string;
  plan: string;
  open: string;
  label: string;
  discarded: string;
  tasks: (done: number, all: number) => string;
}

export const TALK_WORDS: Record<Language, TalkWords> = {
  en: {
    client: 'Client',
    subagent: (name) => `Subagent ${name}`.trim(),
    thinking: (size) => `Thinking, ${size}`,
    characters: (n) => `${n} characters`,
    turn: (n) => `Turn ${n}`,
    tool: 'tool',
    ended: 'How it ended',
    exit: (text) => `The agent exited ${text}`,
    owes: { client: 'The client has not answered the agent', agent: 'The agent has not answered the client' },
    hint: 'Hint',
    nothing: 'This session has no conversation. The frames show what crossed the pipe.',
    noMatch: 'Nothing in the conversation matches the query.',
    earlier: (n) => `Show earlier parts (${n})`,
    later: (n) => `Show later parts (${n})`,
    cancelled: 'The client cancelled',
    compaction: 'The context was compacted',
    mode: (name) => `Mode: ${name}`,
    retry: (why) => `Retried: ${why}`,
    interrupted: 'The step was interrupted',
    asksTool: (tool) => `asks to use ${tool}`,
    asks: 'Agent asks',
    adds: 'Client adds',
    plan: 'Plan',
    open: 'no answer',
    label: 'Conversation',
    discarded: 'discarded',
    tasks: (done, all) => `${done} of ${all} tasks done`,
  },
  zh: {
    client: '客户端',
    subagent: (name) => `子代理 ${name}`.trim(),
    thinking: (size) => `思考，${size}`,
    characters: (n) => `${n} 个字符`,
    turn: (n) => `第 ${n} 轮`,
    tool: '工具',
    ended: '如何结束',
    exit: (text) => `代理已退出：${text}`,
    owes: { client: '客户端尚欠代理', agent: '代理尚欠客户端' },
    hint: '提示',
    nothing: '此会话中没有对话。帧视图显示经过管道的内容。',
    noMatch: '对话中没有与查询匹配的内容。',
    earlier: (n) => `显示更早的部分（${n}）`,
    later: (n) => `显示后面的部分（${n}）`,
    cancelled: '客户端取消了',
    compaction: '上下文已压缩',
    mode: (name) => `模式：${name}`,
    retry: (why) => `重试：${why}`,
    interrupted: '步骤被中断',
    asksTool: (tool) => `请求使用 ${tool}`,
    asks: '代理提问',
    adds: '客户端补充',
    plan: '计划',
    open: '未答复',
    label: '对话',
    discarded: '已丢弃',
    tasks: (done, all) => `${all} 项任务，已完成 ${done} 项`,
  },
};
