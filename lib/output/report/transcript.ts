/** A session as a readable transcript, in pieces: a heading in our words, and the recorded text that belongs to it. */
import type { Block } from '../../model/event.ts';
import type { Ask } from '../../model/ledger/records.ts';
import { humanSeconds } from '../../model/text/text.ts';
import type { Entry, Item, Turn } from '../../model/timeline/entries.ts';
import { blockLines } from '../terminal/blocks.ts';
import { themeFor } from '../terminal/theme.ts';
import { code } from './markdown.ts';
import { type ReportWords, WORDS } from './words.ts';

const PLAIN = themeFor(false);

export type TranscriptPieceKind = 'turn' | 'prompt' | 'text' | 'thinking' | 'call' | 'result' | 'ask' | 'other' | 'log';

export interface TranscriptPiece {
  kind: TranscriptPieceKind;
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

/** Kinds that other items already show. */
const HIDDEN_KINDS = new Set<Item['kind']>([
  'usage',
  'status',
  'turn-begin',
  'turn-end',
  'step-end',
  'tool-args',
  'progress',
]);

/** In the order of the timeline. What was replayed from an earlier session is left out. */
export function* transcriptPieces(
  entries: readonly Entry[],
  words: ReportWords = WORDS.en,
): Generator<TranscriptPiece> {
  const stack: { entries: readonly Entry[]; at: number; depth: number; turn: number | null }[] = [
    { entries, at: 0, depth: 0, turn: null },
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
      yield* turnPieces(entry, words);
    } else if (entry.is === 'item' && !entry.flags.includes('replayed')) {
      yield* itemPieces(entry, depth, turn, words);
      depth++;
    }
    stack.push({ entries: entry.entries, at: 0, depth, turn });
  }
}

function* turnPieces(turn: Turn, words: ReportWords): Generator<TranscriptPiece> {
  const own = words.transcriptWords;
  const { n, t, t_end, status, code: number, prompt, wait } = turn;
  const how = status === null ? own.unfinished : `${code(status)}${number === null ? '' : ` ${number}`}`;
  const waited = wait > 0 ? `, ${own.waited} ${humanSeconds(wait)}` : '';
  const head = `${own.turn(n)}: ${how}, ${humanSeconds(t_end - t)}${waited}`;
  yield piece('turn', turn, 0, n, head);
  if (prompt) yield piece('prompt', prompt, 0, n, `**${own.prompt}**`, prompt.text);
  const { answer } = prompt ?? {};
  if (answer && !answer.ok) yield piece('other', { f: answer.f, t: answer.t }, 0, n, `**${own.error}**`, answer.text);
}

function* itemPieces(item: Item, depth: number, turn: number | null, words: ReportWords): Generator<TranscriptPiece> {
  const own = words.transcriptWords;
  const { kind, text, call, ask, parts } = item;
  if (call) return yield* callPieces(item, depth, turn, words);
  if (ask) {
    // A request that belongs to a call is shown with the call.
    if (!ask.bound) yield askPiece(ask, depth, turn, words);
    return;
  }
  if (HIDDEN_KINDS.has(kind) && item.entries.length === 0) return;
  const about = `${whose(item, words)}${parts > 1 ? ` (${own.parts(parts)})` : ''}`;
  if (kind === 'text') yield piece('text', item, depth, turn, `**${own.agent}**${about}`, text);
  else if (kind === 'thinking') yield piece('thinking', item, depth, turn, `**${own.thinking}**${about}`, text);
  else if (kind === 'log') yield piece('log', item, depth, turn, '**stderr**', text);
  else yield otherPiece(item, depth, turn, words);
}

function otherPiece(item: Item, depth: number, turn: number | null, words: ReportWords): TranscriptPiece {
  const own = words.transcriptWords;
  const { kind, name, answer, text } = item;
  const label = name === null ? '' : ` ${code(name)}`;
  const outcome = answer ? (answer.ok ? `: ${own.ok}` : `: **${own.failed}** ${answer.code ?? ''}`) : '';
  const body = [text, answer && !answer.ok ? answer.text : ''].filter((one) => one !== '').join('\n');
  return piece(
    'other',
    item,
    depth,
    turn,
    `${words.kinds[kind] ?? kind}${label}${whose(item, words)}${outcome}`,
    body === '' ? null : body,
  );
}

function* callPieces(item: Item, depth: number, turn: number | null, words: ReportWords): Generator<TranscriptPiece> {
  const own = words.transcriptWords;
  const { tool, args, result, state, queue, wait, run, asks } = item.call!;
  const times = [
    queue !== null && queue >= 0.1 ? `${own.queued} ${humanSeconds(queue)}` : null,
    wait ? `${own.waited} ${humanSeconds(wait)}` : null,
    run === null ? null : `${own.ran} ${humanSeconds(run)}`,
  ].filter((word) => word !== null);
  const missing = state === 'running' ? own.noResult : own.cutOff;
  const how = result?.ok ? own.ok : `**${result ? own.failed : missing}**`;
  const head = [`**${own.tool}** ${code(tool ?? 'tool')}${whose(item, words)}`, how, ...times].join(', ');
  yield piece('call', item, depth, turn, head, args, 'json');
  for (const ask of asks) yield askPiece(ask, depth + 1, turn, words);
  if (!result) return;
  const body = textOf([...result.blocks, ...result.displays]) || result.text;
  if (body !== '') yield piece('result', result, depth + 1, turn, `${own.result} ${code(tool ?? 'tool')}`, body);
}

function askPiece(ask: Ask, depth: number, turn: number | null, words: ReportWords): TranscriptPiece {
  const own = words.transcriptWords;
  const { kind, tool, description, action, feedback, questions, answers } = ask;
  const name = kind === 'hook' || kind === 'question' || kind === 'approval' ? own[kind] : own.request;
  const about = [description ?? action ?? tool ?? '', ...questions.map(({ text }) => text), feedback ?? ''];
  const given = answers === null || answers === undefined ? [] : [JSON.stringify(answers)];
  const body = [...about, ...given].filter((line) => line !== '').join('\n');
  return piece('ask', ask, depth, turn, `**${name}**: ${outcome(ask, words)}`, body === '' ? null : body);
}

/** What became of a request, and how long that took. Only an answer ends it: the end of a session does not. */
function outcome(ask: Ask, words: ReportWords): string {
  const own = words.transcriptWords;
  const { decision, decided, first, settled, gone, hasClientSide: heard, wait } = ask;
  const took = (word: string) => (wait === null ? '' : ` ${word} ${humanSeconds(wait)}`);
  if (decision !== null || decided !== null)
    return `${decision === null ? own.answered : (words.decisions[decision] ?? decision)}${took(own.after)}`;
  if (first !== null) return `**${first.failed ? own.answeredError : own.answeredBadly}**${took(own.after)}`;
  if (!heard) return own.answerNotRecorded;
  if (settled?.how === 'withdrawn') return `${own.withdrawn}${took(own.after)}`;
  const isOver = settled !== null || gone !== null || wait !== null;
  return `**${isOver ? own.neverAnswered : own.noAnswer}**${wait === null ? '' : `,${took(own.openFor)}`}`;
}

const whose = ({ subagent }: Item, words: ReportWords): string =>
  subagent === null ? '' : ` ${words.transcriptWords.subagent} ${code(subagent, 40)}`;

function piece(
  kind: TranscriptPieceKind,
  { f, t }: { f: number; t: number },
  depth: number,
  turn: number | null,
  head: string,
  text: string | null = null,
  language = 'text',
): TranscriptPiece {
  return { kind, f, t, turn, head, text, language, depth };
}

/** The text of blocks, as `show` prints it. */
function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => blockLines(block, PLAIN).map(({ text }) => text)).join('\n');
}
