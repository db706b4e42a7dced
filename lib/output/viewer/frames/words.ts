const en = {
  table: 'Frames: every line that crossed the pipe, in the order of time',
  reverse: 'Sort: oldest or newest first',
  empty: 'No frame matches the query.',
  searching: 'Searching…',
  none: 'Nothing was recorded.',
  columns: {
    f: 'Frame',
    time: 'Time',
    from: 'From',
    kind: 'Kind',
    name: 'Type or method',
    turn: 'Turn',
    tool: 'Tool',
    size: 'Size',
    latency: 'Latency',
    pair: 'Pair',
    text: 'First words',
  },
  from: { client: 'client', agent: 'agent', stderr: 'stderr', proc: 'process' },
  sentence: (f: number, from: string, kind: string, tool: string, latency: string, isError: boolean): string => {
    const way =
      { client: 'client to agent', agent: 'agent to client', stderr: 'on stderr', proc: 'process' }[from] ?? from;
    return [`f${f}`, way, `${kind}${tool ? ` ${tool}` : ''}`, latency, isError && 'error'].filter(Boolean).join(', ');
  },
};

const zh: typeof en = {
  table: '帧：经过管道的每一行，按时间排列',
  reverse: '排序：最早或最新在前',
  empty: '没有帧匹配该查询。',
  searching: '正在搜索…',
  none: '没有录制任何内容。',
  columns: {
    f: '帧',
    time: '时间',
    from: '来自',
    kind: '含义',
    name: '类型或方法',
    turn: '轮',
    tool: '工具',
    size: '大小',
    latency: '延迟',
    pair: '配对',
    text: '开头内容',
  },
  from: { client: '客户端', agent: '代理', stderr: 'stderr', proc: '进程' },
  sentence: (f, from, kind, tool, latency, isError) => {
    const way = { client: '客户端到代理', agent: '代理到客户端', stderr: '标准错误', proc: '进程' }[from] ?? from;
    return [`f${f}`, way, `${kind}${tool ? ` ${tool}` : ''}`, latency, isError && '错误'].filter(Boolean).join('，');
  },
};

export const FRAME_WORDS = { en, zh };
