/** What qualifiers and their words mean, beside the completions. English is the help of the commands. */
import { MARKS } from '../../../analysis/facts/marks.ts';
import { type QualifierName, qualifierOf } from '../../../analysis/query/qualifiers.ts';
import type { Language } from '../app.ts';

type MarkName<M> = M extends { of: infer O extends string; word: infer W extends string } ? `${O}:${W}` : never;

/** A new qualifier or mark needs its Chinese words here, or the program does not compile. */
const ZH: Record<QualifierName | MarkName<(typeof MARKS)[number]>, string> = {
  from: '谁发送的',
  envelope: '协议消息的类型',
  kind: '含义',
  is: '帧的属性',
  has: '帧的内容',
  method: '请求的方法；其应答也匹配',
  type: '消息或事件的类型',
  id: '请求 id',
  tool: '工具名称',
  turn: '轮次编号',
  step: '轮次内的步骤编号',
  subagent: '子代理 id',
  f: '帧编号',
  t: '自会话开始的时间',
  at: '日期和时间（UTC）',
  size: '行的大小',
  latency: '从请求到应答的时间',
  wait: '向客户端的请求等待了多久',
  gap: '距上一帧的时间',
  code: '错误码',
  status: '轮次或工具调用如何结束',
  approval: '审批的决定',
  by: '由谁决定',
  mode: '当时的模式',
  ran: '是否执行了',
  flag: '审批行的标志',
  session: '会话 id 或其前缀',
  dialect: '协议',
  client: '启动代理的客户端',
  agent: '代理名称',
  version: '协议或代理的版本',
  name: '会话名称',
  tag: '标签',
  state: '会话状态',
  exit: '代理的退出码或信号',
  source: '会话来源',
  cwd: '代理的工作目录',
  'is:error': '错误、错误应答，或失败的工具结果或轮次',
  'is:pending': '没有应答的请求',
  'is:orphan': '没有对应请求的应答',
  'is:late': '请求了结之后才到的应答',
  'is:dup': '重复的请求或应答',
  'is:replayed': '重放或恢复会话时再次发送的历史',
  'is:noise': '不是协议消息的行',
  'is:invalid': '违反协议',
  'is:slow': '10 秒以上才应答的请求及其应答',
  'is:delta': '流式文本的片段',
  'is:synthetic': '由 wiretape 添加',
  'is:too-large': '过大而无法读取的行',
  'has:diff': '显示文件改动',
  'has:image': '包含图像',
  'has:secret': '疑似包含密钥、令牌或密码',
};

/** A note for a completed query: about the term at its end. */
export function noteOf(query: string, language: Language): string {
  const [, name, word] = /([a-z]+):(?:[^\s]*,)?([^\s,:]*)$/i.exec(query) ?? [];
  if (name === undefined) return '';
  const known = (key: string) => (Object.hasOwn(ZH, key) ? ZH[key as keyof typeof ZH] : '');
  if (!word) return language === 'zh' ? known(name) : (qualifierOf(name)?.help ?? '');
  if (language === 'zh') return known(`${name}:${word}`);
  return MARKS.find((mark) => mark.of === name && mark.word === word)?.help ?? '';
}
