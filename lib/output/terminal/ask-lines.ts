/** Requests of the agent and the client's answers: approvals, questions with their options, hooks, client calls. */

import type { Traits } from '../../dialects/traits.ts';
import type { ClientQuestion, Decision } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { choiceOf, joinPlainTexts } from '../../model/question-choice.ts';
import { humanSeconds, textLines, visible, wholeSeconds } from '../../model/text/text.ts';
import { type ArgumentSummary, describeValue, plainText } from '../../model/timeline/arguments.ts';
import type { Item } from '../../model/timeline/entries.ts';
import type { TerminalLine } from './blocks.ts';
import type { Theme } from './theme.ts';
import { codeWords } from './words.ts';

/** A target that fits after the name of a hook. Others can be whole prompts. */
const PLAIN_TARGET = /^[\w.:-]{1,64}$/;

/** How a form was closed without an answer. */
const CLOSED_WORDS: Record<string, string> = { decline: 'declined', cancel: 'cancelled' };

/**
 * `approval allow after 2.10 s`, or `hook PreToolUse Shell` and `deny after 8 ms`, painted. `notice`: the agent's own
 * report about the hook, which may differ from the client's answer. `clock`: now, of a session that runs.
 */
export function askHead(item: Item, theme: Theme, notice: Item | null, clock?: number): string[] {
  const ask = item.ask!;
  const wait = ask.wait === null ? '' : theme.dim(` after ${humanSeconds(ask.wait)}`);
  // The agent's resolution may differ from the client's answer. For a hook, the notice shows it.
  const resolvedText =
    item.kind === 'hook' || ask.decision || !ask.resolved?.decision
      ? ''
      : `resolved as ${paintDecision(ask.resolved.decision, theme)}`;
  const outcomeText = resolvedText && !item.answer ? resolvedText : outcomeOf(item, theme, clock);
  const answered = outcomeText
    ? `${outcomeText}${wait}${resolvedText && resolvedText !== outcomeText ? `, ${resolvedText}` : ''}`
    : '';
  const name = nameOf(item);
  if (name === null) return [`${theme.strong(item.kind)}${answered && ` ${answered}`}`];
  const head = [`${theme.strong(item.kind)} ${visible(name)}`];
  if (answered) head.push(answered);
  const taken = notice?.answer?.status ?? null;
  if (taken !== null && taken !== ask.decision) head.push(theme.dim(`taken as ${visible(taken)}`));
  return head;
}

/** The name, for requests that are best described by it. */
function nameOf({ kind, ask }: Item): string | null {
  const { action, target } = ask!;
  if (kind === 'client-call') return action;
  if (kind !== 'hook') return null;
  return target !== null && PLAIN_TARGET.test(target) ? `${action} ${target}` : action;
}

const paintDecision = (decision: Decision, theme: Theme): string =>
  (decision === 'deny' || decision === 'cancelled' ? theme.bad : theme.good)(decision);

function outcomeOf({ kind, ask, answer, t }: Item, theme: Theme, clock?: number): string {
  if (ask!.decision) return paintDecision(ask!.decision, theme);
  if (answer && !answer.ok) {
    // A code of the client, so the protocol's meanings for codes of agents do not apply.
    return theme.bad(`error${answer.code === null ? '' : ` ${codeWords(answer.code)}`}`);
  }
  if (answer && (kind === 'approval' || answer.status === 'invalid')) return theme.warn('no valid answer');
  // A notification needs no answer.
  if (kind === 'hook' && ask!.request === null && !answer) return '';
  if (!answer && clock !== undefined && ask!.wait === null) return theme.warn(`waiting ${wholeSeconds(clock - t)}`);
  if (!answer) return theme.warn('no answer');
  if (kind === 'question') {
    const closed = CLOSED_WORDS[answer.text];
    if (closed) return theme.warn(closed);
    if (isEmptyAnswer(ask!.answers)) return theme.warn('empty answer');
  }
  return answer.status ? theme.warn(visible(answer.status)) : theme.good('answered');
}

function isEmptyAnswer(answers: unknown): boolean {
  return answers === null || answers === undefined || (isObject(answers) && Object.keys(answers).length === 0);
}

/** What the request is about. `brief`: it is shown with its call, which already shows `shownWords`. */
export function askAbout({ kind, ask, text }: Item, brief: boolean, shownWords: string[] = []): ArgumentSummary {
  const { action, description, tool, target, questions } = ask!;
  const only = (word: string | null): ArgumentSummary => ({ words: word ? [visible(word)] : [], blocks: [] });
  if (kind === 'hook') return only(target !== null && !PLAIN_TARGET.test(target) ? target : null);
  if (kind === 'question') return only(questions.some((question) => text.includes(question.text)) ? null : text);
  if (kind === 'client-call') return brief ? only(null) : argumentText(ask!.arguments);
  const word = brief ? (action ?? description) : (description ?? action);
  const isAlreadyShown = shownWords.some((one) => one.startsWith('$ ') && word?.includes(one.slice(2)));
  if (brief || description || !tool) return only(brief && isAlreadyShown ? null : word);
  // There is no description: show the tool and its arguments.
  const given = argumentText(ask!.arguments);
  return { ...given, words: [...(word ? [visible(word)] : []), visible(tool), ...given.words] };
}

/** Without the session id, which is the same in every call. */
function argumentText(given: unknown): ArgumentSummary {
  if (!isObject(given)) return describeValue(given, []);
  const { sessionId: _, ...rest } = given;
  return describeValue(rest, []);
}

/** The questions with the chosen options, and the text of the answer unless the agent repeats it. */
export function askLines(
  { kind, ask, answer }: Item,
  theme: Theme,
  notice: Item | null,
  traits: Traits,
): TerminalLine[] {
  const { questions, answers, feedback, edited } = ask!;
  const lines: TerminalLine[] = questions.flatMap((question) => questionLines(question, answers, theme));
  const showsAnswer =
    kind === 'hook' ? !traits.agentResolvesAsks : kind === 'client-call' && !(ask!.bound && ask!.tool);
  if (showsAnswer && answer?.ok) for (const text of textLines(answer.text)) lines.push({ text, paint: theme.dim });
  if (!isEmptyAnswer(answers) && !isObject(answers)) lines.push({ text: plainText(answers), paint: theme.warn });
  if (feedback) lines.push({ text: `"${visible(feedback)}"`, paint: theme.warn });
  if (edited !== undefined && edited !== null) {
    lines.push({ text: `changed to ${plainText(edited)}`, paint: theme.warn });
  }
  if (answer && !answer.ok && answer.text) lines.push({ text: visible(answer.text), paint: theme.bad });
  const reason = notice?.answer?.text;
  if (reason && reason !== feedback) lines.push({ text: `"${visible(reason)}"`, paint: theme.warn });
  return lines;
}

export function questionLines(question: ClientQuestion, answers: unknown, theme: Theme): TerminalLine[] {
  const { chosen, other: left } = choiceOf(question, answers) ?? { chosen: [], other: [] };
  const other = left.length === 0 ? null : joinPlainTexts(left);
  if (question.options.length === 0) {
    return [{ text: `${visible(question.text)}${other === null ? '' : `: ${other}`}` }];
  }
  return [
    { text: visible(question.text) },
    ...question.options.map(({ label, description }): TerminalLine => {
      const mark = chosen.includes(label) ? 'x' : ' ';
      const box = question.multiple ? `[${mark}]` : `(${mark})`;
      const text = `${box} ${visible(label)}${description ? `  ${visible(description)}` : ''}`;
      return { text, paint: mark === 'x' ? theme.good : theme.dim };
    }),
    ...(other === null ? [] : [{ text: `${question.multiple ? '[x]' : '(x)'} ${other}`, paint: theme.good }]),
  ];
}
