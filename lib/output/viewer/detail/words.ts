/** The words of the detail pane. */
import type { Language } from '../app.ts';

export interface DetailWords {
  nothing: string;
  tabs: { view: string; raw: string; timing: string; related: string };
  label: string;
  directions: Record<string, string>;
  turn: (n: number) => string;
  step: (n: number) => string;
  id: string;
  call: string;
  subagent: (name: string) => string;
  frames: (n: string, first: number, last: number) => string;
  moreFrames: (n: string) => string;
  partOf: string;
  copy: string;
  copied: {
    json: string;
    pretty: string;
    value: string;
    path: string;
    link: string;
    markdown: string;
    command: string;
    hex: string;
  };
  copyItems: {
    json: string;
    pretty: string;
    value: string;
    path: string;
    link: string;
    markdown: string;
    command: string;
  };
  mark: string;
  unmark: string;
  compareWith: (f: number) => string;
  comparing: (a: number, b: number) => string;
  endCompare: string;
  markFirst: string;
  same: string;
  modes: { pretty: string; sent: string; hex: string; tape: string };
  modeLabel: string;
  foldAll: string;
  unfoldAll: string;
  showAll: (size: string) => string;
  onlyFirst: (size: string) => string;
  notUtf8: (offset: number) => string;
  noLine: string;
  cutLine: (size: string) => string;
  head: string;
  noEol: string;
  failed: string;
  status: string;
  inside: string;
  tokens: string;
  tokenWords: (input: string, cached: string, output: string) => string;
  waited: string;
  lasted: string;
  steps: (n: number) => string;
  calls: (n: number) => string;
  asks: (n: number) => string;
  errors: (n: number) => string;
  flags: string;
}

export const DETAIL_WORDS: Record<Language, DetailWords> = {
  en: {
    nothing: 'Select a row or a frame to read it here',
    tabs: { view: 'View', raw: 'Raw', timing: 'Timing', related: 'Related' },
    label: 'What is shown of the frame',
    directions: {
      client: 'client → agent',
      agent: 'agent → client',
      stderr: 'agent → stderr',
      proc: 'process',
    },
    turn: (n) => `turn ${n}`,
    step: (n) => `step ${n}`,
    id: 'id',
    call: 'call',
    subagent: (name) => `subagent ${name}`,
    frames: (n, first, last) => `${n} frames, f${first} to f${last}`,
    moreFrames: (n) => `${n} more`,
    partOf: 'Part of',
    copy: 'Copy',
    copied: {
      json: 'the line as sent',
      pretty: 'the line, indented',
      value: 'the value',
      path: 'the path',
      link: 'the link',
      markdown: 'the Markdown',
      command: 'the command',
      hex: 'the dump',
    },
    copyItems: {
      json: 'JSON as sent',
      pretty: 'JSON, indented',
      value: 'Value of the selected line',
      path: 'Path of the selected line',
      link: 'Link to this frame',
      markdown: 'Markdown quote',
      command: 'Command that shows it',
    },
    mark: 'Mark to compare',
    unmark: 'Unmark',
    compareWith: (f) => `Compare with f${f}`,
    comparing: (a, b) => `f${a} compared with f${b}`,
    endCompare: 'Close the comparison',
    markFirst: 'Mark a frame with m first, then select another and press d',
    same: 'Both frames are the same',
    modes: { pretty: 'Indented', sent: 'As sent', hex: 'Hex', tape: 'On the tape' },
    modeLabel: 'How the bytes are shown',
    foldAll: 'Fold',
    unfoldAll: 'Unfold',
    showAll: (size) => `Show all (${size})`,
    onlyFirst: (size) => `Only the first ${size} are shown.`,
    notUtf8: (offset) => `Not UTF-8: byte ${offset} is the first that does not fit.`,
    noLine: 'The recorder saw this happen; no line crossed the pipe. This is what the tape says:',
    cutLine: (size) => `${size} more of this line are only in the tape, not in this page.`,
    head: 'Header',
    noEol: 'Without a line feed at its end.',
    failed: 'This part of the page cannot be read',
    status: 'Status',
    inside: 'Inside',
    tokens: 'Tokens',
    tokenWords: (input, cached, output) => `${input} in, ${cached} from the cache, ${output} out`,
    waited: 'Waited',
    lasted: 'Lasted',
    steps: (n) => `${n} ${n === 1 ? 'step' : 'steps'}`,
    calls: (n) => `${n} ${n === 1 ? 'tool call' : 'tool calls'}`,
    asks: (n) => `${n} ${n === 1 ? 'request' : 'requests'} to the client`,
    errors: (n) => `${n} ${n === 1 ? 'error' : 'errors'}`,
    flags: 'Flags',
  },
  zh: {
    nothing: '选择一行或一帧，即可在此阅读',
    tabs: { view: '内容', raw: '原始', timing: '时间', related: '相关' },
    label: '显示帧的哪一面',
    directions: {
      client: '客户端 → 代理',
      agent: '代理 → 客户端',
      stderr: '代理 → stderr',
      proc: '进程',
    },
    turn: (n) => `第 ${n} 轮`,
    step: (n) => `第 ${n} 步`,
    id: 'id',
    call: '调用',
    subagent: (name) => `子代理 ${name}`,
    frames: (n, first, last) => `${n} 帧，f${first} 至 f${last}`,
    moreFrames: (n) => `还有 ${n} 帧`,
    partOf: '属于',
    copy: '复制',
    copied: {
      json: '原始行',
      pretty: '缩进后的行',
      value: '值',
      path: '路径',
      link: '链接',
      markdown: 'Markdown',
      command: '命令',
      hex: '十六进制',
    },
    copyItems: {
      json: '原始 JSON',
      pretty: '缩进的 JSON',
      value: '所选行的值',
      path: '所选行的路径',
      link: '此帧的链接',
      markdown: 'Markdown 引用',
      command: '显示此帧的命令',
    },
    mark: '标记以便比较',
    unmark: '取消标记',
    compareWith: (f) => `与 f${f} 比较`,
    comparing: (a, b) => `f${a} 与 f${b} 的比较`,
    endCompare: '关闭比较',
    markFirst: '先用 m 标记一帧，再选择另一帧并按 d',
    same: '两帧内容相同',
    modes: { pretty: '缩进', sent: '原文', hex: '十六进制', tape: '录制行' },
    modeLabel: '字节的显示方式',
    foldAll: '折叠',
    unfoldAll: '展开',
    showAll: (size) => `全部显示（${size}）`,
    onlyFirst: (size) => `仅显示前 ${size}。`,
    notUtf8: (offset) => `不是 UTF-8：从第 ${offset} 个字节起不符合。`,
    noLine: '这是录制器观察到的事件，没有行经过管道。录制文件中的记录如下：',
    cutLine: (size) => `此行还有 ${size} 只在录制文件中，不在本页。`,
    head: '头部',
    noEol: '行尾没有换行符。',
    failed: '页面的这一部分无法读取',
    status: '状态',
    inside: '包含',
    tokens: 'Token',
    tokenWords: (input, cached, output) => `输入 ${input}，缓存 ${cached}，输出 ${output}`,
    waited: '等待',
    lasted: '持续',
    steps: (n) => `${n} 步`,
    calls: (n) => `${n} 次工具调用`,
    asks: (n) => `${n} 次对客户端的请求`,
    errors: (n) => `${n} 个错误`,
    flags: '标记',
  },
};
