/** What a row is about, on one line: the command or the path, the question and its answer, what became of a plan. */

import { answerWords } from '../core/choice.ts';
import type { Block, Question } from '../core/event.ts';
import { isObject } from '../core/message.ts';
import { visible } from '../core/text.ts';
import { valueWords } from '../core/timeline/arguments.ts';
import { LEAVE_PLAN } from './question.ts';
import type { ApprovalRow } from './row.ts';

/** One line, safe to print: the command or the path, else the agent's description. */
export function whatOf(row: ApprovalRow): string {
  const { kind, action, description, displays } = row;
  if (kind === 'hook') return visible([action, description].filter((word) => word).join(' '));
  if (kind === 'question') return questionWords(row);
  if (row.action === LEAVE_PLAN) return planWords(row);
  const said = kind === 'client-call' ? `${action ?? ''}  ` : '';
  const spoken = isObject(row.arguments) ? valueWords(row.arguments, []) : null;
  // The command or the file of a block of several lines comes first, however much else there is.
  const block = spoken?.blocks.map(glance).find((text) => text !== '');
  const first = [...(block ? [block] : []), ...(spoken?.words ?? [])].join('  ');
  if (first) return `${visible(said)}${first}`;
  const shown = displays.map(glance).find((text) => text !== '');
  return `${visible(said)}${shown ?? oneLine(description ?? (said ? '' : (action ?? '')))}`.trimEnd();
}

/** The question, and what was answered. */
function questionWords({ description, action, arguments: given, answers, option }: ApprovalRow): string {
  const asked = oneLine(description ?? action ?? '');
  const answered = answerWords((given as { questions?: Question[] } | null)?.questions ?? [], answers);
  const said = answered || visible(option ?? '');
  return said === '' ? asked : `${asked} → ${said}`;
}

/** What became of a plan, in the words of rule A8. */
function planWords({ decision, option, feedback }: ApprovalRow): string {
  const [said] = [feedback === null ? null : `revise: ${oneLine(feedback)}`, option && visible(option)].filter(
    (one) => one,
  );
  return `plan → ${said ?? (decision === 'cancelled' ? 'dismissed' : decision === 'allow' ? 'approved' : decision)}`;
}

/** A block in a few words, safe to print. */
function glance(block: Block): string {
  if (block.type === 'shell') return `$ ${oneLine(block.command)}`;
  return block.type === 'diff' ? visible(block.path) : '';
}

function oneLine(text: string): string {
  const lines = text.trim();
  const end = lines.indexOf('\n');
  return end < 0 ? visible(lines) : `${visible(lines.slice(0, end))} …`;
}
