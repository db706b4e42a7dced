/** A session as people read it, in pieces: what each is in our words, and the recorded text that belongs to it. */
import type { Block } from '../core/event.ts';
import type { Ask } from '../core/ledger/records.ts';
import { humanSeconds } from '../core/text.ts';
import type { Entry, Item, Turn } from '../core/timeline/shape.ts';
import { blockLines } from '../terminal/blocks.ts';
import { themeFor } from '../terminal/theme.ts';
import { code } from './markdown.ts';

const PLAIN = themeFor(false);

export type PieceKind = 'turn' | 'prompt' | 'said' | 'thinking' | 'call' | 'result' | 'ask' | 'other' | 'log';

export interface Piece {
  kind: PieceKind;
  f: number;
  t: number;
  /** The turn that it is in, or null. */
  turn: number | null;
  /** One line of Markdown. */
  head: string;
  /** Recorded text, with the language of its fence; null if there is none. */
  text: string | null;
  language: string;
  depth: number;
}

/** What the items around them show. */
const HIDDEN = new Set<Item['kind']>([
  'usage',
  'status',
  'turn-begin',
  'turn-end',
  'step-end',
  'tool-args',
  'progress',
]);

/** In the order of the timeline. What was replayed from an earlier session is left out. */
export function* transcript(entries: readonly Entry[], depth = 0): Generator<Piece> {
  const stack: { entries: readonly Entry[]; at: number; depth: number; turn: number | null }[] = [
    { entries, at: 0, depth, turn: null },
  ];
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const entry = top.entries[top.at++];
    if (!entry) {
      stack.pop();
      continue;
    }
    let { depth, turn } = top;
    if (entry.is === 'turn') {
      turn = entry.n;
      yield* turnPieces(entry);
    } else if (entry.is === 'item' && !entry.flags.includes('replayed')) {
      yield* itemPieces(entry, depth, turn);
      depth++;
    }
    stack.push({ entries: entry.entries, at: 0, depth, turn });
  }
}

function* turnPieces(turn: Turn): Generator<Piece> {
  const { n, t, t_end, status, code: number, prompt, wait } = turn;
  const how = status === null ? 'not finished' : `${code(status)}${number === null ? '' : ` ${number}`}`;
  const waited = wait > 0 ? `, waited ${humanSeconds(wait)}` : '';
  const head = `Turn ${n}: ${how}, ${humanSeconds(t_end - t)}${waited}`;
  yield piece('turn', turn, 0, n, head);
  if (prompt) yield piece('prompt', prompt, 0, n, '**Prompt**', prompt.text);
  const { answer } = prompt ?? {};
  if (answer && !answer.ok) yield piece('other', { f: answer.f, t: answer.t }, 0, n, '**Error**', answer.text);
}

function* itemPieces(item: Item, depth: number, turn: number | null): Generator<Piece> {
  const { kind, text, call, ask, parts } = item;
  if (call) return yield* callPieces(item, depth, turn);
  if (ask) {
    // A request that belongs to a call is shown with the call.
    if (!ask.bound) yield askPiece(ask, depth, turn);
    return;
  }
  if (HIDDEN.has(kind) && item.entries.length === 0) return;
  const merged = parts > 1 ? ` (${parts} parts)` : '';
  if (kind === 'text') yield piece('said', item, depth, turn, `**Agent**${whose(item)}${merged}`, text);
  else if (kind === 'thinking') yield piece('thinking', item, depth, turn, `**Thinking**${whose(item)}${merged}`, text);
  else if (kind === 'log') yield piece('log', item, depth, turn, '**stderr**', text);
  else yield otherPiece(item, depth, turn);
}

function otherPiece(item: Item, depth: number, turn: number | null): Piece {
  const { kind, name, answer, text } = item;
  const said = name === null ? '' : ` ${code(name)}`;
  const outcome = answer ? (answer.ok ? ': ok' : `: **error** ${answer.code ?? ''}`) : '';
  const body = [text, answer && !answer.ok ? answer.text : ''].filter((one) => one !== '').join('\n');
  return piece('other', item, depth, turn, `${kind}${said}${whose(item)}${outcome}`, body === '' ? null : body);
}

function* callPieces(item: Item, depth: number, turn: number | null): Generator<Piece> {
  const { tool, args, result, state, queue, wait, run, asks } = item.call!;
  const times = [
    queue !== null && queue >= 0.1 ? `queued ${humanSeconds(queue)}` : null,
    wait ? `waited ${humanSeconds(wait)}` : null,
    run === null ? null : `ran ${humanSeconds(run)}`,
  ].filter((word) => word !== null);
  const how = result ? (result.ok ? 'ok' : '**error**') : state === 'running' ? '**no result**' : '**cut off**';
  const head = [`**Tool** ${code(tool ?? 'tool')}${whose(item)}`, how, ...times].join(', ');
  yield piece('call', item, depth, turn, head, args, 'json');
  for (const ask of asks) yield askPiece(ask, depth + 1, turn);
  if (!result) return;
  const body = textOf([...result.blocks, ...result.displays]) || result.text;
  if (body !== '') yield piece('result', result, depth + 1, turn, `Result of ${code(tool ?? 'tool')}`, body);
}

function askPiece(ask: Ask, depth: number, turn: number | null): Piece {
  const { kind, tool, description, action, decision, wait, feedback, questions, answers, settled, gone } = ask;
  const name =
    kind === 'hook'
      ? 'Hook'
      : kind === 'question'
        ? 'Question'
        : kind === 'approval'
          ? 'Approval'
          : 'Request to the client';
  const open = wait === null && !settled && !gone;
  const answered = decision ?? (wait === null ? (open ? '**no answer**' : '**never answered**') : 'answered');
  const waited = wait === null ? '' : ` after ${humanSeconds(wait)}`;
  const about = [description ?? action ?? tool ?? '', ...questions.map(({ text }) => text), feedback ?? ''];
  const given = answers === null || answers === undefined ? [] : [JSON.stringify(answers)];
  const body = [...about, ...given].filter((line) => line !== '').join('\n');
  return piece('ask', ask, depth, turn, `**${name}**: ${answered}${waited}`, body === '' ? null : body);
}

const whose = ({ subagent }: Item): string => (subagent === null ? '' : ` of subagent ${code(subagent, 40)}`);

function piece(
  kind: PieceKind,
  { f, t }: { f: number; t: number },
  depth: number,
  turn: number | null,
  head: string,
  text: string | null = null,
  language = 'text',
): Piece {
  return { kind, f, t, turn, head, text, language, depth };
}

/** What blocks say, as `show` prints it. */
function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => blockLines(block, PLAIN).map(({ text }) => text)).join('\n');
}
