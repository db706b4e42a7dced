// The running account of a conversation: who said what, one line per interesting event.
// Deltas are gathered until something else happens, so that a sentence is one line.

const WIDTH = 110;

export class Account {
  #print;
  #gathered = { kind: '', words: '' };

  /** @param {(line: string) => void} print */
  constructor(print) {
    this.#print = print;
  }

  client(what) {
    this.#line('client', what);
  }

  agent(what) {
    this.#line('agent', what);
  }

  /**
   * @param {string} method
   * @param {{result?: any, error?: {code: number, message: string}}} answer
   */
  answer(method, { result, error }) {
    if (error) return this.agent(`${method} failed: ${error.code} ${error.message}`);
    const { external_tools: tools, server, protocol_version: wire } = result ?? {};
    if (server) {
      const accepted = tools ? `, takes ${tools.accepted.join(', ') || 'no tools'}` : '';
      return this.agent(`${server.name} ${server.version}, wire ${wire}${accepted}`);
    }
    this.agent(`${method}: ${JSON.stringify(result)}`);
  }

  answered(type, { result, error }) {
    if (error) return this.client(`answers ${type} with an error: ${error.message}`);
    const { response, feedback, answers, return_value, action } = result;
    const said = response ?? action ?? return_value?.message ?? JSON.stringify(answers);
    this.client(`answers ${type}: ${said}${feedback ? ` (${feedback})` : ''}`);
  }

  request(type, payload) {
    const about = {
      ApprovalRequest: () => payload.description,
      ToolCallRequest: () => `${payload.name} ${payload.arguments}`,
      QuestionRequest: () => payload.questions.map(({ question }) => question).join(' / '),
      HookRequest: () => `${payload.event} ${payload.target}`,
    }[type];
    this.agent(`asks ${type}: ${about ? about() : JSON.stringify(payload)}`);
  }

  /** Events of subagents are told with the subagent's name in front. */
  event(type, payload, who = '') {
    if (type === 'SubagentEvent') {
      return this.event(payload.event.type, payload.event.payload, `[${payload.subagent_type ?? 'subagent'}] `);
    }
    if (type === 'ContentPart' && (payload.type === 'text' || payload.type === 'think')) {
      return this.#gather(`${who}${payload.type === 'think' ? 'thinks: ' : 'says: '}`, payload.text ?? payload.think);
    }
    if (type === 'ToolCall') {
      this.flush();
      return this.#gather(`${who}calls ${payload.function.name} `, payload.function.arguments ?? '');
    }
    if (type === 'ToolCallPart') return this.#gather(this.#gathered.kind, payload.arguments_part ?? '');
    const tell = EVENTS[type];
    if (tell === undefined) return this.agent(`${who}${type} ${JSON.stringify(payload)}`);
    const words = tell(payload);
    if (words) this.agent(who + words);
  }

  flush() {
    const { kind, words } = this.#gathered;
    this.#gathered = { kind: '', words: '' };
    if (words) this.#print(line('agent', kind + words));
  }

  #gather(kind, words) {
    if (this.#gathered.kind !== kind) this.flush();
    this.#gathered = { kind, words: this.#gathered.words + words };
  }

  #line(who, what) {
    this.flush();
    this.#print(line(who, what));
  }
}

/** What an event is told as; null for those that are not worth a line. */
const EVENTS = {
  TurnBegin: () => null,
  TurnEnd: () => null,
  StepBegin: ({ n }) => `step ${n}`,
  StatusUpdate: ({ token_usage: usage, plan_mode, mcp_status }) => {
    if (mcp_status) return `MCP: ${mcp_status.connected} of ${mcp_status.total} connected`;
    return usage
      ? `used ${usage.input_other + usage.input_cache_read} in, ${usage.output} out`
      : plan_mode && 'plan mode';
  },
  ContentPart: ({ type, ...part }) => `shows ${type} ${part[type]?.url ?? ''}`,
  ToolResult: ({ return_value: value }) => {
    const output = typeof value.output === 'string' ? value.output : JSON.stringify(value.output);
    return `result${value.is_error ? ' (error)' : ''}: ${output || value.message}`;
  },
  ApprovalResponse: ({ response }) => `approval settled: ${response}`,
  SteerInput: ({ user_input }) => `takes the steer: ${JSON.stringify(user_input)}`,
  StepInterrupted: () => 'step interrupted',
  StepRetry: ({ next_attempt, max_attempts, error_type }) =>
    `retries after ${error_type} (${next_attempt}/${max_attempts})`,
  CompactionBegin: () => 'compacts the context',
  CompactionEnd: () => null,
  MCPLoadingBegin: () => null,
  MCPLoadingEnd: () => null,
  BtwBegin: () => null,
  BtwEnd: ({ response, error }) => `by the way: ${response ?? error}`,
  HookTriggered: () => null,
  HookResolved: ({ event, action }) => `hook ${event}: ${action}`,
  PlanDisplay: ({ file_path }) => `shows a plan: ${file_path}`,
  Notification: ({ title }) => `notifies: ${title}`,
};

function line(who, what) {
  const flat = what.replace(/\s+/g, ' ').trim();
  const characters = Array.from(flat);
  const short = characters.length > WIDTH ? `${characters.slice(0, WIDTH - 1).join('')}…` : flat;
  return `${who.padEnd(6)}  ${short}`;
}
