/** What an answer says to a question: the options that were chosen, and free text. */

import type { Question } from './event.ts';
import { visible } from './text/text.ts';
import { plainly } from './timeline/arguments.ts';

export interface Choice {
  chosen: string[];
  /** What is none of the options. */
  other: unknown[];
}

/** Null if the question has no answer. */
export function choiceOf(question: Question, answers: unknown): Choice | null {
  const given = answerTo(question, answers);
  if (given === null) return null;
  const chosen = chosenIn(
    given,
    question.options.map(({ label }) => label),
  );
  const left = Array.isArray(given) ? given : chosen.length === 0 ? [given] : [];
  return { chosen, other: left.filter((one) => !chosen.includes(one)) };
}

/** Answers are keyed by the id or the text of the question, at the top level or in the content of a form. */
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

function chosenIn(given: unknown, labels: string[]): string[] {
  if (Array.isArray(given)) return labels.filter((label) => given.includes(label));
  if (typeof given !== 'string') return [];
  if (labels.includes(given)) return [given];
  const several = given.split(/\s*,\s*/);
  return several.every((label) => labels.includes(label)) ? several : [];
}

/** Several answers on one line, safe to print. */
export const spoken = (given: readonly unknown[]): string => given.map(plainly).join(', ');

/** What was answered, in a few words, safe to print; empty if nothing was. */
export function answerWords(questions: readonly Question[], answers: unknown): string {
  const choices = questions.flatMap((question) => {
    const choice = choiceOf(question, answers);
    return choice ? [{ ...choice, question }] : [];
  });
  const words = choices.map(({ question, chosen, other }) => {
    if (question.options.length === 0) return `${visible(question.text)}: ${spoken(other)}`;
    return [...chosen.map((label) => visible(label)), ...other.map((one) => `"${plainly(one)}"`)].join(', ');
  });
  return words.join('; ');
}
