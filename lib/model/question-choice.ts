/** What an answer says to a question: the options that were chosen, and free text. */

import type { ClientQuestion } from './event.ts';
import { visible } from './text/text.ts';
import { plainText } from './timeline/arguments.ts';

export interface QuestionChoice {
  chosen: string[];
  /** What is none of the options. */
  other: unknown[];
}

/** Null if the question has no answer. */
export function choiceOf(question: ClientQuestion, answers: unknown): QuestionChoice | null {
  const answer = answerTo(question, answers);
  if (answer === null) return null;
  const chosen = chosenIn(
    answer,
    question.options.map(({ label }) => label),
  );
  const left = Array.isArray(answer) ? answer : chosen.length === 0 ? [answer] : [];
  return { chosen, other: left.filter((one) => !chosen.includes(one)) };
}

/** Answers are keyed by the id or the text of the question, at the top level or in the content of a form. */
function answerTo({ id, text }: ClientQuestion, answers: unknown): unknown {
  if (typeof answers !== 'object' || answers === null) return null;
  for (const level of [answers, (answers as Record<string, unknown>).content]) {
    if (typeof level !== 'object' || level === null) continue;
    for (const key of [id, text]) {
      if (key !== null && Object.hasOwn(level, key)) return (level as Record<string, unknown>)[key] ?? null;
    }
  }
  return null;
}

function chosenIn(answer: unknown, labels: string[]): string[] {
  if (Array.isArray(answer)) return labels.filter((label) => answer.includes(label));
  if (typeof answer !== 'string') return [];
  if (labels.includes(answer)) return [answer];
  const several = answer.split(/\s*,\s*/);
  return several.every((label) => labels.includes(label)) ? several : [];
}

/** Several answers on one line, safe to print. */
export const joinPlainTexts = (answer: readonly unknown[]): string => answer.map(plainText).join(', ');

/** What was answered, in a few words, safe to print; empty if nothing was. */
export function describeAnswers(questions: readonly ClientQuestion[], answers: unknown): string {
  const choices = questions.flatMap((question) => {
    const choice = choiceOf(question, answers);
    return choice ? [{ ...choice, question }] : [];
  });
  const words = choices.map(({ question, chosen, other }) => {
    if (question.options.length === 0) return `${visible(question.text)}: ${joinPlainTexts(other)}`;
    return [...chosen.map((label) => visible(label)), ...other.map((one) => `"${plainText(one)}"`)].join(', ');
  });
  return words.join('; ');
}
