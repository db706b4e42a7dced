/** What an agent asks its client, and what it was told: approvals, questions with their options, hooks, calls. */
import type { Question } from '../core/event.ts';
import { humanSeconds, visible } from '../core/text.ts';
import type { Item } from '../core/timeline/shape.ts';
import { plainly } from './arguments.ts';
import type { Line } from './blocks.ts';
import type { Theme } from './theme.ts';
import { codeWords } from './words.ts';

/** `approval allow after 2.10 s`, painted. */
export function askHead(item: Item, theme: Theme): string {
  const ask = item.ask!;
  const wait = ask.wait === null ? '' : theme.dim(` after ${humanSeconds(ask.wait)}`);
  const said = outcome(item, theme);
  return `${theme.strong(item.kind)}${said ? ` ${said}${wait}` : ''}`;
}

function outcome({ kind, ask, answer }: Item, theme: Theme): string {
  const decision = ask!.decision ?? ask!.resolved?.decision;
  if (decision) return (decision === 'deny' || decision === 'cancelled' ? theme.bad : theme.good)(decision);
  if (answer && !answer.ok) {
    // The client's code: what a protocol lays down for agents does not tell what it means.
    return theme.bad(`error${answer.code === null ? '' : ` ${codeWords(answer.code)}`}`);
  }
  if (kind === 'approval' && answer) return theme.warn('no valid answer');
  // A notice: nobody has to answer it.
  if (kind === 'hook' && ask!.request === null && !answer) return '';
  return answer ? theme.good('answered') : theme.warn('no answer');
}

/** What it is about, on a line: `brief` beside the call that it holds up. */
export function askText({ kind, ask, text, answer }: Item, brief: boolean): string {
  const { action, description, tool, questions } = ask!;
  const words: (string | null)[] = [];
  if (kind === 'hook') words.push(action, tool);
  else if (kind === 'question') words.push(questions.some((question) => text.includes(question.text)) ? null : text);
  else if (kind === 'client-call') {
    const given = ask!.arguments;
    words.push(action, brief || given === null || given === undefined ? null : plainly(given));
  } else words.push(brief ? (action ?? description) : (description ?? action));
  if (answer && !answer.ok) words.push(answer.text);
  return words
    .filter((word) => word)
    .map((word) => visible(word!))
    .join('  ');
}

/** Its questions and which options were chosen, and what was said with the answer. */
export function askLines({ ask }: Item, theme: Theme): Line[] {
  const lines: Line[] = ask!.questions.flatMap((question) => questionLines(question, ask!.answers, theme));
  if (ask!.feedback) lines.push({ text: `"${visible(ask!.feedback)}"`, paint: theme.warn });
  if (ask!.edited !== undefined && ask!.edited !== null) {
    lines.push({ text: `changed to ${plainly(ask!.edited)}`, paint: theme.warn });
  }
  return lines;
}

export function questionLines(question: Question, answers: unknown, theme: Theme): Line[] {
  const given = answerTo(question, answers);
  const labels = question.options.map(({ label }) => label);
  const chosen = given === null ? [] : chosenOf(given, labels);
  const other = given !== null && chosen.length === 0 ? plainly(given) : null;
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
