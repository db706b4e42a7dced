/** kimi-print: one prompt on the command line, the output of the model and the tools, and an exit code that says how it went. */
import type { ProcessRecord } from '../../../model/ledger/process.ts';
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { promptOf } from '../../common/command-line.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { type CheckedSession, defineRules, error, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import type { ExpectedShape, MessageSchemas } from '../../rules/schema.ts';
import { either, type JsonShape } from '../../rules/schema.ts';

const REF = 'qwen-stream-json-acp-mcp 5, kimi -p';

const RULES = {
  'print-no-answer': error.agent('a run that exits with 0 ends with an answer of the model', `${REF}; qwen-code#8920`),
  'print-exit': warning.agent('a run whose prompt was answered exits with 0', `${REF}; kimi-cli#826`),
  'print-two-answers': warning.agent('a prompt on the command line has one final answer', REF),
  'print-result-unknown': error.agent(
    'a tool result belongs to a call that was made and has no result yet',
    `${REF}; OpenAI chat completions, tool_calls`,
  ),
  'print-call-open': warning.agent(
    'every call has its result before the model answers again',
    `${REF}; OpenAI chat completions, tool_calls`,
  ),
};

type PrintRule = keyof typeof RULES;

class PrintRules {
  readonly #hasPrompt: boolean;
  /** Without result: where they were made. */
  readonly #calls = new Map<string, number>();
  /** The answer without calls that came last. */
  #answer: number | null = null;

  constructor({ command }: CheckedSession) {
    this.#hasPrompt = promptOf(command) !== null;
  }

  take({ frame, value, ledger }: ReadFrame): RuleHit<PrintRule>[] {
    const { f } = frame;
    if (frame.event === 'exit') return this.#checkExit(f, ledger.process);
    if (frame.from === 'client') this.#answer = null;
    if (frame.from !== 'agent' || !isObject(value)) return [];
    if (value.role === 'assistant') return this.#checkAnswer(f, value);
    return value.role === 'tool' ? this.#checkResult(f, stringOf(value.tool_call_id)) : [];
  }

  #checkAnswer(f: number, { tool_calls }: JsonObject): RuleHit<PrintRule>[] {
    const hits: RuleHit<PrintRule>[] = [...this.#calls].map(([id, made]) => {
      const message = `the model answered again, but ${textOrJson(id)} has no result`;
      return { rule: 'print-call-open', f, frames: [made], message };
    });
    this.#calls.clear();
    const before = this.#answer;
    if (before !== null && this.#hasPrompt) {
      const message = `the model answered again after its final answer in f${before}`;
      hits.push({ rule: 'print-two-answers', f, frames: [before], message });
    }
    for (const call of listOf(tool_calls)) {
      const id = stringOf(objectOf(call).id);
      if (id !== null) this.#calls.set(id, f);
    }
    this.#answer = this.#calls.size === 0 ? f : null;
    return hits;
  }

  #checkResult(f: number, id: string | null): RuleHit<PrintRule>[] {
    if (id === null || this.#calls.delete(id)) return [];
    return [
      { rule: 'print-result-unknown', f, message: `a result for ${textOrJson(id)}, but no call with this id is open` },
    ];
  }

  #checkExit(f: number, { ending, firstSignal }: ProcessRecord): RuleHit<PrintRule>[] {
    const { code } = ending!;
    if (code === null || firstSignal || !this.#hasPrompt) return [];
    if (code === 0) {
      return this.#answer === null
        ? [{ rule: 'print-no-answer', f, message: 'the run exited with 0, but the prompt has no answer' }]
        : [];
    }
    if (this.#answer === null) return [];
    const message = `the run exited with ${code}, although the prompt was answered in f${this.#answer}`;
    return [{ rule: 'print-exit', f, frames: [this.#answer], message }];
  }
}

export const PRINT_RULES = defineRules(['kimi-print'], RULES, (session) => new PrintRules(session));

const CALL: JsonShape = { id: 'string', function: { name: 'string', 'arguments?': 'string|null' } };

const ROLES: Readonly<Record<string, JsonShape>> = {
  meta: { type: 'string' },
  assistant: { 'content?': 'string|list|null', 'tool_calls?': either('null', [CALL]) },
  tool: { tool_call_id: 'string', content: 'string|list' },
};

function expect({ frame, value }: ReadFrame): ExpectedShape | null {
  if (frame.from !== 'agent' || !isObject(value)) return null;
  if (typeof value.role !== 'string') return { name: 'line', value, shape: { role: 'string' }, at: 'line' };
  if (!Object.hasOwn(ROLES, value.role)) return null;
  return { name: value.role, value, shape: ROLES[value.role]!, at: 'line' };
}

export const printSchemas: MessageSchemas = { source: REF, open: () => expect };
