/**
 * The dialogs of extensions. One that offers a yes and a no while a call is running asks for permission:
 * it is an approval of that call. Any other is a question.
 */
import type { ClientQuestion, Decision, Event, Option } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { flag, listOf, stringOf, withText } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';

const ALWAYS = /\b(?:always|session|remember|don't ask|do not ask|all)\b/i;
const YES = /^\W*(?:y|yes|allow|approve|accept|ok|okay|proceed|continue|run|confirm|grant)\b/i;
const NO = /^\W*(?:n|no|deny|reject|block|decline|cancel|abort|stop|skip|refuse|don't|never)\b/i;

interface PiDialog {
  method: string;
  /** Null for a question. */
  options: readonly Option[] | null;
}

export class PiDialogs {
  /** By the frame that asked. */
  readonly #dialogs = new LimitedMap<number, PiDialog>();

  ask(
    { frame, message, pairing }: DialectLine,
    details: JsonObject,
    call: { id: string; tool: string | null } | null,
  ): Event {
    const method = message.method!;
    const options = call === null ? null : choicesOf(method, details);
    const request = stringOf(details.id);
    const text = [details.title, details.message].filter((part) => typeof part === 'string').join('\n');
    if (pairing?.role === 'asks') this.#dialogs.set(frame.f, { method, options });
    const of = { request, call: call?.id ?? null, text };
    if (options === null || call === null) return { kind: 'question', ...of, questions: [questionOf(details, text)] };
    const what = { tool: call.tool, action: null, description: text, arguments: null };
    return { kind: 'approval', ...of, ...what, options: [...options], displays: [] };
  }

  answer({ value, pairing }: DialectLine): Event {
    const dialog = pairing?.exchange ? this.#dialogs.get(pairing.exchange.askedF) : undefined;
    const request = stringOf(value.id);
    if (!dialog?.options) return readQuestionAnswer(value, request);
    const event: Event = { kind: 'approval-answer', request, decision: null, option: null, feedback: null };
    if (value.cancelled === true) return { ...event, decision: 'cancelled', text: 'cancelled' };
    const given = dialog.method === 'confirm' ? booleanOf(value.confirmed) : stringOf(value.value);
    if (given === null) return flag(event, 'bad-shape');
    const chosen = dialog.options.find(({ id }) => id === given);
    if (!chosen) return flag({ ...event, option: given, text: given }, 'bad-word');
    return { ...event, decision: chosen.decision, option: given, text: chosen.label ?? given };
  }
}

function readQuestionAnswer(value: JsonObject, request: string | null): Event {
  const event: Event & { kind: 'question-answer' } = { kind: 'question-answer', request, answers: null, ok: false };
  if (value.cancelled === true) return withText(event, 'cancelled');
  const given = stringOf(value.value) ?? booleanOf(value.confirmed);
  return given === null ? flag(event, 'bad-shape') : { ...event, ok: true, answers: given, text: given };
}

const booleanOf = (value: unknown): string | null => (typeof value === 'boolean' ? String(value) : null);

/** The options of a dialog that asks for permission: each means yes or no, and both are there. */
function choicesOf(method: string, details: JsonObject): Option[] | null {
  if (method === 'confirm') {
    return [
      { id: 'true', decision: 'allow', label: 'Yes' },
      { id: 'false', decision: 'deny', label: 'No' },
    ];
  }
  const labels = method === 'select' ? listOf(details.options).map(stringOf) : [];
  const options = labels.map((label): Option => ({ id: label ?? '', decision: decisionOf(label ?? ''), label }));
  const has = (wanted: (decision: Decision | null) => boolean) => options.some(({ decision }) => wanted(decision));
  const isForLeave = has((one) => one === 'deny') && has((one) => one?.startsWith('allow') ?? false);
  return isForLeave && !has((one) => one === null) ? options : null;
}

function decisionOf(label: string): Decision | null {
  if (NO.test(label)) return 'deny';
  if (!YES.test(label)) return ALWAYS.test(label) && /^\W*always\b/i.test(label) ? 'allow-always' : null;
  return ALWAYS.test(label) ? 'allow-always' : 'allow';
}

function questionOf({ options }: JsonObject, text: string): ClientQuestion {
  const labels = listOf(options).filter((one) => typeof one === 'string');
  return { id: null, text, options: labels.map((label) => ({ label, description: null })), multiple: false };
}
