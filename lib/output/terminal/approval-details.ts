/** Describes what was asked in full, with commands, changes and answers. */
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { diffLines } from '../../analysis/diff/line-diff.ts';
import { walkOrDefault } from '../../dialects/common/fields.ts';
import type { Block, ClientQuestion } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { humanSeconds, textLines, visible } from '../../model/text/text.ts';
import { describeValue } from '../../model/timeline/arguments.ts';
import { questionLines } from './ask-lines.ts';
import { blockLines, type TerminalLine } from './blocks.ts';
import type { Theme } from './theme.ts';

/** The full description in lines that are safe to print. */
export function fullLines(row: ApprovalRow, theme: Theme): TerminalLine[] {
  return [...requestLines(row, theme), ...changedArgumentLines(row, theme), ...answerLines(row, theme)];
}

function requestLines(row: ApprovalRow, theme: Theme): TerminalLine[] {
  const { kind, description, displays } = row;
  const hasNewDescription = description !== null && !repeatsCommand(description, row);
  const lines: TerminalLine[] = hasNewDescription
    ? textLines(description).map((text) => ({ text, paint: theme.dim }))
    : [];
  if (kind === 'question') {
    const { questions } = (row.arguments ?? {}) as { questions?: ClientQuestion[] };
    return (questions ?? []).flatMap((question) => questionLines(question, row.answers, theme));
  }
  for (const block of displays) lines.push(...blockLines(block, theme));
  const shown = displays.filter(({ type }) => type !== 'text');
  const { words, blocks } = describeValue(withoutShownContent(row.arguments, shown), shown);
  // The agent may already display the command.
  const commands = shown.map((block) => (block.type === 'shell' ? `$ ${visible(block.command.trim())}` : null));
  for (const text of words) if (!commands.includes(text)) lines.push({ text });
  for (const block of blocks)
    if (block.type !== 'shell' || !commands.includes(`$ ${visible(block.command.trim())}`))
      lines.push(...blockLines(block, theme));
  return lines;
}

/** The description only repeats the command, which is shown anyway. */
function repeatsCommand(description: string, { arguments: args, displays }: ApprovalRow): boolean {
  const commands = displays.map((block) => (block.type === 'shell' ? block.command : ''));
  if (isObject(args))
    for (const key of ['command', 'cmd']) commands.push(typeof args[key] === 'string' ? args[key] : '');
  return commands.some((command) => command.trim() !== '' && description.includes(command.trim()));
}

/** A displayed diff already shows the content. */
function withoutShownContent(value: unknown, shown: Block[]): unknown {
  if (!isObject(value) || !shown.some(({ type }) => type === 'diff')) return value;
  const { content, ...rest } = value;
  return typeof content === 'string' ? rest : value;
}

/** A diff, if something else ran than was asked about, or may have. */
function changedArgumentLines(row: ApprovalRow, theme: Theme): TerminalLine[] {
  const { executed_arguments: ran, changed_arguments: changed, decision, flags } = row;
  if ((ran ?? changed) === null || !flags.includes('edited')) return [];
  const [before, after] = [pretty(row.arguments), pretty(ran ?? changed)];
  if (before === after) return [];
  const what = ran === null ? 'changed to' : 'ran with';
  const signs = `- ${decision === 'unasked' ? 'announced' : 'asked'}, + ${ran === null ? 'changed' : 'ran'}`;
  const paint = { '+': theme.good, '-': theme.bad, ' ': theme.dim, '@': theme.dim };
  return [
    { text: `${what} other arguments (${signs}):`, paint: theme.warn },
    ...diffLines(before, after).map(({ sign, text }) => ({ text: `${sign} ${visible(text)}`, paint: paint[sign] })),
  ];
}

/** Sorted keys, so that equal values look equal. */
function pretty(value: unknown): string {
  return walkOrDefault(() => `${JSON.stringify(sorted(value), null, 2)}\n`, '…\n');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function answerLines(row: ApprovalRow, theme: Theme): TerminalLine[] {
  const { options, option, feedback, run, grant_f, deny_f } = row;
  const lines: TerminalLine[] = [];
  const chosen = options.find(({ id }) => id === option);
  // The options of a question are listed, with a mark.
  const isListed = row.kind === 'question';
  if (chosen?.label && !isListed) lines.push({ text: `chosen: ${visible(chosen.label)}`, paint: theme.dim });
  if (feedback && !isListed) lines.push({ text: `"${visible(feedback)}"`, paint: theme.warn });
  if (grant_f !== null) lines.push({ text: `by standing grant f${grant_f}`, paint: theme.dim });
  if (deny_f !== null) lines.push({ text: `the same was denied before: f${deny_f}`, paint: theme.warn });
  if (run !== null) lines.push({ text: `ran ${humanSeconds(run)}`, paint: theme.dim });
  return lines;
}
