/** What an agent asks its client, and what it was told: approvals, questions with their options, hooks, calls. */
import type { Block, Decision, Question } from '../core/event.ts';
import { isObject, toJson } from '../core/message.ts';
import { humanSeconds, visible } from '../core/text.ts';
import type { Item } from '../core/timeline/shape.ts';
import { argumentWords, plainly } from './arguments.ts';
import { type Line, textLines } from './blocks.ts';
import type { Theme } from './theme.ts';
import { codeWords } from './words.ts';

/** What fits behind the name of a hook; others have a whole prompt for a target. */
const PLAIN_TARGET = /^[\w.:-]{1,64}$/;

/** How a form was closed without being filled in. */
const CLOSED: Record<string, string> = { decline: 'declined', cancel: 'cancelled' };

/**
 * `approval allow after 2.10 s` or `hook PreToolUse Shell` and `deny after 8 ms`, painted. `notice`: what the agent itself
 * said of the hook, which may have taken something else for the answer.
 */
export function askHead(item: Item, theme: Theme, notice: Item | null): string[] {
  const ask = item.ask!;
  const wait = ask.wait === null ? '' : theme.dim(` after ${humanSeconds(ask.wait)}`);
  // What the agent made of it is not what the client said.
  const made = ask.decision || !ask.resolved?.decision ? '' : `resolved as ${painted(ask.resolved.decision, theme)}`;
  const said = made && !item.answer ? made : outcome(item, theme);
  const answered = said ? `${said}${wait}${made && made !== said ? `, ${made}` : ''}` : '';
  const name = nameOf(item);
  if (name === null) return [`${theme.strong(item.kind)}${answered && ` ${answered}`}`];
  const head = [`${theme.strong(item.kind)} ${visible(name)}`];
  if (answered) head.push(answered);
  const taken = notice?.answer?.status ?? null;
  if (taken !== null && taken !== ask.decision) head.push(theme.dim(`taken as ${visible(taken)}`));
  return head;
}

/** Whose name says most of it. */
function nameOf({ kind, ask }: Item): string | null {
  const { action, tool } = ask!;
  if (kind === 'client-call') return action;
  if (kind !== 'hook') return null;
  return tool !== null && PLAIN_TARGET.test(tool) ? `${action} ${tool}` : action;
}

const painted = (decision: Decision, theme: Theme): string =>
  (decision === 'deny' || decision === 'cancelled' ? theme.bad : theme.good)(decision);

function outcome({ kind, ask, answer }: Item, theme: Theme): string {
  if (ask!.decision) return painted(ask!.decision, theme);
  if (answer && !answer.ok) {
    // The client's code: what a protocol lays down for agents does not tell what it means.
    return theme.bad(`error${answer.code === null ? '' : ` ${codeWords(answer.code)}`}`);
  }
  if (answer && (kind === 'approval' || answer.status === 'invalid')) return theme.warn('no valid answer');
  // A notice: nobody has to answer it.
  if (kind === 'hook' && ask!.request === null && !answer) return '';
  if (!answer) return theme.warn('no answer');
  if (kind === 'question') {
    const closed = CLOSED[answer.text];
    if (closed) return theme.warn(closed);
    if (isNothing(ask!.answers)) return theme.warn('answered with nothing');
  }
  return answer.status ? theme.warn(visible(answer.status)) : theme.good('answered');
}

function isNothing(answers: unknown): boolean {
  return answers === null || answers === undefined || (isObject(answers) && Object.keys(answers).length === 0);
}

export interface About {
  words: string[];
  blocks: Block[];
}

/** What it is about: `brief` beside the call that it holds up, of which `said` is told already. */
export function askAbout({ kind, ask, text }: Item, brief: boolean, said: string[] = []): About {
  const { action, description, tool, questions } = ask!;
  const only = (word: string | null): About => ({ words: word ? [visible(word)] : [], blocks: [] });
  if (kind === 'hook') return only(tool !== null && !PLAIN_TARGET.test(tool) ? tool : null);
  if (kind === 'question') return only(questions.some((question) => text.includes(question.text)) ? null : text);
  if (kind === 'client-call') return brief ? only(null) : givenTo(ask!.arguments);
  const word = brief ? (action ?? description) : (description ?? action);
  const isSaid = said.some((one) => one.startsWith('$ ') && word?.includes(one.slice(2)));
  if (brief || description || !tool) return only(brief && isSaid ? null : word);
  // Nothing else tells what it is about.
  const given = givenTo(ask!.arguments);
  return { ...given, words: [...(word ? [visible(word)] : []), visible(tool), ...given.words] };
}

/** Whose session it is, is the same in every one of them. */
function givenTo(given: unknown): About {
  if (given === null || given === undefined) return { words: [], blocks: [] };
  if (!isObject(given)) return { words: [plainly(given)], blocks: [] };
  const { sessionId: _, ...rest } = given;
  return Object.keys(rest).length === 0 ? { words: [], blocks: [] } : argumentWords(toJson(rest), []);
}

/** Its questions and which options were chosen, and what was said with the answer, unless the agent says it again. */
export function askLines({ kind, ask, answer }: Item, theme: Theme, notice: Item | null, dialect: string): Line[] {
  const { questions, answers, feedback, edited } = ask!;
  const lines: Line[] = questions.flatMap((question) => questionLines(question, answers, theme));
  const isSaid = kind === 'hook' ? dialect !== 'wire' : kind === 'client-call' && !(ask!.bound && ask!.tool);
  if (isSaid && answer?.ok) for (const text of textLines(answer.text)) lines.push({ text, paint: theme.dim });
  if (!isNothing(answers) && !isObject(answers)) lines.push({ text: plainly(answers), paint: theme.warn });
  if (feedback) lines.push({ text: `"${visible(feedback)}"`, paint: theme.warn });
  if (edited !== undefined && edited !== null) {
    lines.push({ text: `changed to ${plainly(edited)}`, paint: theme.warn });
  }
  if (answer && !answer.ok && answer.text) lines.push({ text: visible(answer.text), paint: theme.bad });
  const reason = notice?.answer?.text;
  if (reason && reason !== feedback) lines.push({ text: `"${visible(reason)}"`, paint: theme.warn });
  return lines;
}

export function questionLines(question: Question, answers: unknown, theme: Theme): Line[] {
  const given = answerTo(question, answers);
  const labels = question.options.map(({ label }) => label);
  const chosen = given === null ? [] : chosenOf(given, labels);
  const left = (Array.isArray(given) ? given : chosen.length === 0 ? [given] : []).filter(
    (one) => !chosen.includes(one),
  );
  const other = given === null || left.length === 0 ? null : spoken(left);
  if (labels.length === 0) {
    return [{ text: `${visible(question.text)}${other === null ? '' : `: ${other}`}` }];
  }
  return [
    { text: visible(question.text) },
    ...question.options.map(({ label, description }): Line => {
      const mark = chosen.includes(label) ? 'x' : ' ';
      const box = question.multiple ? `[${mark}]` : `(${mark})`;
      const text = `${box} ${visible(label)}${description ? `  ${visible(description)}` : ''}`;
      return { text, paint: mark === 'x' ? theme.good : theme.dim };
    }),
    ...(other === null ? [] : [{ text: `${question.multiple ? '[x]' : '(x)'} ${other}`, paint: theme.good }]),
  ];
}

function spoken(given: unknown): string {
  return Array.isArray(given) ? given.map(plainly).join(', ') : plainly(given);
}

/** Answers come by the question's id or by its text, on their own or as the content of a form. */
function answerTo({ id, text }: Question, answers: unknown): unknown {
  if (typeof answers !== 'object' || answers === null) return null;
  for (const level of [answers, (answers as Record<string, unknown>).content]) {
    if (typeof level !== 'object' || level === null) continue;
    for (const key of [id, text]) {
      if (key !== null && Object.hasOwn(level, key)) return (level as Record<string, unknown>)[key] ?? null;
    }
  }
  return null;
}

function chosenOf(given: unknown, labels: string[]): string[] {
  if (Array.isArray(given)) return labels.filter((label) => given.includes(label));
  if (typeof given !== 'string') return [];
  if (labels.includes(given)) return [given];
  const several = given.split(/\s*,\s*/);
  return several.every((label) => labels.includes(label)) ? several : [];
}
