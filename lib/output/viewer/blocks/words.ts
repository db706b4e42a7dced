/** The words for messages, requests and decisions, for the detail pane, the conversation and print. */
import type { Decider, RowDecision } from '../../../analysis/audit/row.ts';
import type { Language } from '../app.ts';

export interface ContentWords {
  arguments: string;
  output: string;
  shown: string;
  command: string;
  options: string;
  chosen: string;
  answer: string;
  feedback: string;
  edited: string;
  source: string;
  rendered: string;
  exit: (code: string) => string;
  sequences: (n: number) => string;
  todo: string;
  todoStates: Record<string, string>;
  todoChanged: (f: number, words: string) => string;
  todoSame: (f: number) => string;
  todoNow: (n: number, state: string) => string;
  todoNew: (n: number) => string;
  todoGone: (n: number) => string;
  longer: (n: string) => string;
  image: string;
  audio: string;
  video: string;
  notDrawn: { format: string; size: string; print: string };
  pixels: (width: number, height: number) => string;
  resource: string;
  notAnswered: string;
  several: string;
  resolved: (decision: string) => string;
  error: (code: number | null) => string;
  by: Record<Decider, string>;
  decisions: Record<RowDecision, string>;
  status: Record<string, string>;
}

export const CONTENT_WORDS: Record<Language, ContentWords> = {
  en: {
    arguments: 'Arguments',
    output: 'Output',
    shown: 'Shown to the user',
    command: 'command',
    options: 'Options',
    chosen: 'chosen',
    answer: 'Answer',
    feedback: 'Feedback',
    edited: 'The client changed the arguments to',
    source: 'Source',
    rendered: 'Rendered',
    exit: (code) => `exit code ${code}`,
    sequences: (n) => `${n} control ${n === 1 ? 'sequence' : 'sequences'} hidden`,
    todo: 'Tasks',
    todoStates: { done: 'done', in_progress: 'in progress', pending: 'pending', cancelled: 'cancelled' },
    todoChanged: (f, words) => `Since f${f}: ${words}`,
    todoSame: (f) => `As in f${f}`,
    todoNow: (n, state) => `${n} ${state}`,
    todoNew: (n) => `${n} new`,
    todoGone: (n) => `${n} dropped`,
    longer: (n) => `${n} more characters are in the frames`,
    image: 'image',
    audio: 'audio',
    video: 'video',
    notDrawn: {
      format: 'not drawn: only PNG, JPEG, GIF and WebP are',
      size: 'not drawn: too large',
      print: 'not printed',
    },
    pixels: (width, height) => `${width} × ${height}`,
    resource: 'Resource',
    notAnswered: 'not answered',
    several: 'several can be chosen',
    resolved: (decision) => `the agent took it as: ${decision}`,
    error: (code) => (code === null ? 'error' : `error ${code}`),
    by: {
      client: 'by the client',
      'client-error': 'the client answered with an error',
      invalid: 'the answer was not valid',
      grant: 'by a standing grant',
      mode: 'by the mode',
      hook: 'by a hook',
      agent: 'by the agent itself',
      nobody: 'nobody answered',
      unknown: 'decided by: unknown',
    },
    decisions: {
      allow: 'allowed',
      'allow-always': 'allowed for the session',
      deny: 'denied',
      cancelled: 'cancelled',
      none: 'no decision',
      unasked: 'not asked',
      unknown: 'unknown',
      answered: 'answered',
      dismissed: 'dismissed',
    },
    status: {
      ok: 'ok',
      error: 'error',
      denied: 'denied',
      running: 'no result',
      cut: 'cut off',
      abandoned: 'no result',
      discarded: 'discarded when the step was retried',
    },
  },
  zh: {
    arguments: '参数',
    output: '输出',
    shown: '显示给用户',
    command: '命令',
    options: '选项',
    chosen: '已选',
    answer: '答复',
    feedback: '反馈',
    edited: '客户端将参数改为',
    source: '源文本',
    rendered: '渲染',
    exit: (code) => `退出码 ${code}`,
    sequences: (n) => `隐藏了 ${n} 个控制序列`,
    todo: '任务',
    todoStates: { done: '已完成', in_progress: '进行中', pending: '待办', cancelled: '已取消' },
    todoChanged: (f, words) => `自 f${f} 起：${words}`,
    todoSame: (f) => `与 f${f} 相同`,
    todoNow: (n, state) => `${n} 项${state}`,
    todoNew: (n) => `新增 ${n} 项`,
    todoGone: (n) => `移除 ${n} 项`,
    longer: (n) => `各帧中还有 ${n} 个字符`,
    image: '图片',
    audio: '音频',
    video: '视频',
    notDrawn: { format: '未显示：仅支持 PNG、JPEG、GIF 和 WebP', size: '未显示：过大', print: '未打印' },
    pixels: (width, height) => `${width} × ${height}`,
    resource: '资源',
    notAnswered: '未答复',
    several: '可多选',
    resolved: (decision) => `代理按“${decision}”处理`,
    error: (code) => (code === null ? '错误' : `错误 ${code}`),
    by: {
      client: '由客户端决定',
      'client-error': '客户端以错误答复',
      invalid: '答复无效',
      grant: '由既有授权决定',
      mode: '由模式决定',
      hook: '由钩子决定',
      agent: '由代理自行决定',
      nobody: '无人答复',
      unknown: '不知由谁决定',
    },
    decisions: {
      allow: '已允许',
      'allow-always': '本会话内始终允许',
      deny: '已拒绝',
      cancelled: '已取消',
      none: '无决定',
      unasked: '未询问',
      unknown: '未知',
      answered: '已答复',
      dismissed: '已忽略',
    },
    status: {
      ok: '成功',
      error: '错误',
      denied: '被拒绝',
      running: '无结果',
      cut: '被中断',
      abandoned: '无结果',
      discarded: '步骤重试时被丢弃',
    },
  },
};
