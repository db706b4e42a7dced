/** The RFC of qwen's structured IO: completions whole and in pieces, how the protocol is introduced, and fatal errors. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import type { ProcessRecord } from '../../../model/ledger/process.ts';
import { isObject, toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import { defineRules, error, info, type RuleHit, textOrJson, warning } from '../../rules/rule.ts';
import { judgeAgentOmission } from '../../rules/session-end.ts';

const RULES = {
  'rfc-introduction': info.agent(
    'the first chat.completion contains protocol_version, input_format, output_format and capabilities',
    'qwen structured IO RFC, 版本协商与错误语义',
  ),
  'rfc-chunk-role': error.agent(
    'the first chunk of an answer declares the role',
    'qwen structured IO RFC, stream-chunk-json 行为要点',
  ),
  'rfc-chunk-end': error.agent(
    'the last chunk of an answer has a finish_reason',
    'qwen structured IO RFC, stream-chunk-json 行为要点',
  ),
  'rfc-finish-reason': error.agent(
    'an answer with calls has the finish_reason tool_calls, and no other answer does',
    'qwen structured IO RFC, stream-json 示例',
  ),
  'rfc-fatal': error.agent(
    'after a fatal error the agent exits, and not with 0 if the protocol is unsupported',
    'qwen structured IO RFC, 版本协商与错误语义',
  ),
  'rfc-format': warning.agent(
    'stream-json has whole completions, stream-chunk-json has chunks',
    'qwen structured IO RFC, 输出格式语义',
  ),
};

type RfcStreamRule = keyof typeof RULES;

const INTRODUCTION_FIELDS = ['protocol_version', 'input_format', 'output_format', 'capabilities'];

class RfcStreamRules {
  #isIntroduced = false;
  /** The chunk that began the answer which is not finished. */
  #open: number | null = null;
  #calls = false;
  /** The form that came first. */
  #form: string | null = null;
  #hasReportedForm = false;
  #fatal: { f: number; unsupported: boolean; goesOn: boolean } | null = null;

  take(read: ReadFrame): RuleHit<RfcStreamRule>[] {
    const { frame, value, ledger } = read;
    if (frame.event === 'exit') return this.#checkExit(frame.f, ledger.process);
    if (frame.from !== 'agent' || frame.form === 'event' || !isObject(value)) return [];
    const { f } = frame;
    const hits = this.#checkAfterFatal(f, value);
    if (value.object === 'chat.completion')
      hits.push(...this.#checkIntroduction(f, value), ...this.#checkWhole(f, value));
    else if (value.object === 'chat.completion.chunk')
      hits.push(...this.#checkIntroduction(f, value), ...this.#checkChunk(f, value));
    if (typeof value.object === 'string') hits.push(...this.#checkForm(f, value.object));
    this.#trackFatal(f, value);
    return hits;
  }

  end({ process }: Ledger): RuleHit<RfcStreamRule>[] {
    if (this.#open === null) return [];
    const { why, ...how } = judgeAgentOmission(process);
    return [{ rule: 'rfc-chunk-end', f: this.#open, message: `the answer has no finish_reason, ${why}`, ...how }];
  }

  #checkIntroduction(f: number, { metadata, system_fingerprint }: JsonObject): RuleHit<RfcStreamRule>[] {
    if (this.#isIntroduced) return [];
    this.#isIntroduced = true;
    const introduction = { ...objectOf(system_fingerprint), ...objectOf(metadata) };
    const missing = INTRODUCTION_FIELDS.filter((name) => introduction[name] === undefined);
    if (missing.length === 0) return [];
    return [{ rule: 'rfc-introduction', f, message: `the first completion lacks ${missing.join(', ')}` }];
  }

  #checkWhole(f: number, { choices }: JsonObject): RuleHit<RfcStreamRule>[] {
    const { message, finish_reason } = objectOf(listOf(choices)[0]);
    return checkFinish(f, finish_reason, listOf(objectOf(message).tool_calls).length > 0);
  }

  #checkChunk(f: number, { choices }: JsonObject): RuleHit<RfcStreamRule>[] {
    const { delta, finish_reason } = objectOf(listOf(choices)[0]);
    const { role, content, tool_calls } = objectOf(delta);
    const hits: RuleHit<RfcStreamRule>[] = [];
    if (typeof role === 'string') {
      if (this.#open !== null) {
        const message = `an answer begins, but the one in f${this.#open} has no finish_reason`;
        hits.push({ rule: 'rfc-chunk-end', f, frames: [this.#open], message });
      }
      this.#open = f;
      this.#calls = false;
    } else if (this.#open === null) {
      const says = typeof content === 'string' || listOf(tool_calls).length > 0;
      if (says) hits.push({ rule: 'rfc-chunk-role', f, message: 'an answer begins without a role' });
      if (says) this.#open = f;
    }
    if (listOf(tool_calls).length > 0) this.#calls = true;
    if (typeof finish_reason === 'string') {
      hits.push(...checkFinish(f, finish_reason, this.#calls));
      this.#open = null;
    }
    return hits;
  }

  #checkForm(f: number, form: string): RuleHit<RfcStreamRule>[] {
    this.#form ??= form;
    if (this.#form === form || this.#hasReportedForm) return [];
    this.#hasReportedForm = true;
    return [
      { rule: 'rfc-format', f, message: `${textOrJson(form)}, after the session began with ${textOrJson(this.#form)}` },
    ];
  }

  #trackFatal(f: number, value: JsonObject): void {
    const [choice] = listOf(value.choices);
    const unsupported =
      objectOf(choice).finish_reason === 'error' &&
      toJson(objectOf(value.metadata).error).includes('unsupported_protocol');
    const isFatal = value.type === undefined && value.object === undefined && isObject(value.error) && !('id' in value);
    if (unsupported || isFatal)
      this.#fatal = { f, unsupported: unsupported || (this.#fatal?.unsupported ?? false), goesOn: false };
  }

  #checkAfterFatal(f: number, { object, error }: JsonObject): RuleHit<RfcStreamRule>[] {
    const fatal = this.#fatal;
    // Errors may be several, and what is said beside the answers does no harm.
    if (!fatal || fatal.goesOn || typeof object !== 'string' || error !== undefined) return [];
    fatal.goesOn = true;
    const message = `the agent went on after the fatal error in f${fatal.f}`;
    return [{ rule: 'rfc-fatal', f, frames: [fatal.f], message }];
  }

  #checkExit(f: number, { ending }: ProcessRecord): RuleHit<RfcStreamRule>[] {
    const fatal = this.#fatal;
    if (!fatal?.unsupported || ending!.code !== 0) return [];
    return [{ rule: 'rfc-fatal', f, frames: [fatal.f], message: 'the agent exited with 0 after unsupported_protocol' }];
  }
}

function checkFinish(f: number, reason: unknown, calls: boolean): RuleHit<RfcStreamRule>[] {
  if (typeof reason !== 'string' || (reason !== 'stop' && reason !== 'tool_calls')) return [];
  // A message that only announces the call that comes next has the reason already.
  if (calls === (reason === 'tool_calls') || reason === 'tool_calls') return [];
  const message = `the answer has calls, but its finish_reason is ${stringOf(reason)}`;
  return [{ rule: 'rfc-finish-reason', f, message }];
}

export const RFC_STREAM_RULES = defineRules(['qwen-rfc'], RULES, () => new RfcStreamRules());
