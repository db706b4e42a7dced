/** A session as people read it, in pieces: what each is in our words, and the recorded text that belongs to it. */
import type { Block } from '../../model/event.ts';
import type { Ask } from '../../model/ledger/records.ts';
import { humanSeconds } from '../../model/text/text.ts';
import type { Entry, Item, Turn } from '../../model/timeline/shape.ts';
import { blockLines } from '../terminal/blocks.ts';
import { themeFor } from '../terminal/theme.ts';
import { code } from './markdown.ts';
import { WORDS, type Words } from './words.ts';

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
export function* transcript(entries: readonly Entry[], { talk }: Words = WORDS.en): Generator<Piece> {
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
      yield* turnPieces(entry, talk);
    } else if (entry.is === 'item' && !entry.flags.includes('replayed')) {
      yield* itemPieces(entry, depth, turn, talk);
      depth++;
    }
    stack.push({ entries: entry.entries, at: 0, depth, turn });
  }
}

type Talk = Words['talk'];

function* turnPieces(turn: Turn, talk: Talk): Generator<Piece> {
  const { n, t, t_end, status, code: number, prompt, wait } = turn;
  const how = status === null ? talk.unfinished : `${code(status)}${number === null ? '' : ` ${number}`}`;
  const waited = wait > 0 ? `, ${talk.waited} ${humanSeconds(wait)}` : '';
  const head = `${talk.turn(n)}: ${how}, ${humanSeconds(t_end - t)}${waited}`;
  yield piece('turn', turn, 0, n, head);
  if (prompt) yield piece('prompt', prompt, 0, n, `**${talk.prompt}**`, prompt.text);
  const { answer } = prompt ?? {};
  if (answer && !answer.ok) yield piece('other', { f: answer.f, t: answer.t }, 0, n, `**${talk.error}**`, answer.text);
}

function* itemPieces(item: Item, depth: number, turn: number | null, talk: Talk): Generator<Piece> {
  const { kind, text, call, ask, parts } = item;
  if (call) return yield* callPieces(item, depth, turn, talk);
  if (ask) {
    // A request that belongs to a call is shown with the call.
    if (!ask.bound) yield askPiece(ask, depth, turn, talk);
    return;
  }
  if (HIDDEN.has(kind) && item.entries.length === 0) return;
  const about = `${whose(item, talk)}${parts > 1 ? ` (${talk.parts(parts)})` : ''}`;
  if (kind === 'text') yield piece('said', item, depth, turn, `**${talk.said}**${about}`, text);
  else if (kind === 'thinking') yield piece('thinking', item, depth, turn, `**${talk.thinking}**${about}`, text);
  else if (kind === 'log') yield piece('log', item, depth, turn, '**stderr**', text);
  else yield otherPiece(item, depth, turn, talk);
}

function otherPiece(item: Item, depth: number, turn: number | null, talk: Talk): Piece {
  const { kind, name, answer, text } = item;
  const said = name === null ? '' : ` ${code(name)}`;
  const outcome = answer ? (answer.ok ? `: ${talk.ok}` : `: **${talk.failed}** ${answer.code ?? ''}`) : '';
  const body = [text, answer && !answer.ok ? answer.text : ''].filter((one) => one !== '').join('\n');
  return piece('other', item, depth, turn, `${kind}${said}${whose(item, talk)}${outcome}`, body === '' ? null : body);
}

function* callPieces(item: Item, depth: number, turn: number | null, talk: Talk): Generator<Piece> {
  const { tool, args, result, state, queue, wait, run, asks } = item.call!;
  const times = [
    queue !== null && queue >= 0.1 ? `${talk.queued} ${humanSeconds(queue)}` : null,
    wait ? `${talk.waited} ${humanSeconds(wait)}` : null,
    run === null ? null : `${talk.ran} ${humanSeconds(run)}`,
  ].filter((word) => word !== null);
  const missing = state === 'running' ? talk.noResult : talk.cutOff;
  const how = result?.ok ? talk.ok : `**${result ? talk.failed : missing}**`;
  const head = [`**${talk.tool}** ${code(tool ?? 'tool')}${whose(item, talk)}`, how, ...times].join(', ');
  yield piece('call', item, depth, turn, head, args, 'json');
  for (const ask of asks) yield askPiece(ask, depth + 1, turn, talk);
  if (!result) return;
  const body = textOf([...result.blocks, ...result.displays]) || result.text;
  if (body !== '') yield piece('result', result, depth + 1, turn, `${talk.result} ${code(tool ?? 'tool')}`, body);
}

function askPiece(ask: Ask, depth: number, turn: number | null, talk: Talk): Piece {
  const { kind, tool, description, action, feedback, questions, answers } = ask;
  const name = kind === 'hook' || kind === 'question' || kind === 'approval' ? talk[kind] : talk.request;
  const about = [description ?? action ?? tool ?? '', ...questions.map(({ text }) => text), feedback ?? ''];
  const given = answers === null || answers === undefined ? [] : [JSON.stringify(answers)];
  const body = [...about, ...given].filter((line) => line !== '').join('\n');
  return piece('ask', ask, depth, turn, `**${name}**: ${outcome(ask, talk)}`, body === '' ? null : body);
}

/** What became of a request, and how long that took. Only an answer ends it: the end of a session does not. */
function outcome(ask: Ask, talk: Talk): string {
  const { decision, decided, first, settled, gone, heard, wait } = ask;
  const took = (word: string) => (wait === null ? '' : ` ${word} ${humanSeconds(wait)}`);
  if (decision !== null || decided !== null) return `${decision ?? talk.answered}${took(talk.after)}`;
  if (first !== null) return `**${first.failed ? talk.answeredError : talk.answeredBadly}**${took(talk.after)}`;
  if (!heard) return talk.unheard;
  if (settled?.how === 'withdrawn') return `${talk.withdrawn}${took(talk.after)}`;
  const isOver = settled !== null || gone !== null || wait !== null;
  return `**${isOver ? talk.neverAnswered : talk.noAnswer}**${wait === null ? '' : `,${took(talk.openFor)}`}`;
}

const whose = ({ subagent }: Item, talk: Talk): string =>
  subagent === null ? '' : ` ${talk.subagent} ${code(subagent, 40)}`;

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
