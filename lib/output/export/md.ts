/** The whole session as a transcript in Markdown. All recorded text is in fences and code spans. */
import { humanSeconds } from '../../model/text/text.ts';
import { Pass } from '../../session/pass.ts';
import { type Summary, toSummary } from '../../session/summary.ts';
import { Tally } from '../../session/tally.ts';
import { isUnread, shareWords } from '../../session/understanding.ts';
import { code, details, fence, table } from '../report/markdown.ts';
import { type Piece, transcript } from '../report/transcript.ts';
import { WORDS } from '../report/words.ts';
import type { ExportFormat } from './index.ts';

/** A longer result is folded. */
const FOLDED = 20;

export const md: ExportFormat = {
  name: 'md',
  summary: 'a transcript in Markdown',
  *write(session) {
    const tally = new Tally();
    const pass = new Pass(session, { tree: true }).run(tally);
    yield* heading(toSummary(session, tally, pass));
    for (const piece of transcript(pass.timeline.entries)) yield `\n${pieceText(piece)}`;
  },
};

function* heading(summary: Summary): Generator<string> {
  const { session, agent, agent_version, client, protocol, dialect, started, duration, exit, state } = summary;
  yield `# Session ${code(session)}\n\n`;
  const ended = exit ? (exit.signal ? `killed by ${exit.signal}` : `exit ${exit.code}`) : state;
  const rows: [string, string | null][] = [
    ['Agent', agent && code(`${agent} ${agent_version ?? ''}`)],
    ['Client', client && code(client)],
    ['Protocol', code(`${dialect ?? 'unknown'} ${protocol ?? ''}`)],
    ['Command', code(summary.command.join(' '), 120)],
    ['Started', code(started)],
    ['Took', duration === null ? null : `${humanSeconds(duration)}, ${ended}`],
    ['Recorded', WORDS.en.counts(summary)],
    ['Understood', isUnread(summary.read) ? shareWords(summary.read) : null],
  ];
  yield table(
    ['', ''],
    rows.filter((row): row is [string, string] => row[1] !== null),
  );
}

function pieceText({ kind, f, t, head, text, language }: Piece): string {
  if (kind === 'turn') return `## ${head}\n`;
  const line = `f${f} +${humanSeconds(t)} ${head}\n`;
  if (text === null || text === '') return line;
  const lines = text.split('\n').length;
  const isLong = kind === 'thinking' || kind === 'log' || (kind === 'result' && lines > FOLDED);
  const body = fence(text, language);
  return isLong ? `${line}\n${details(WORDS.en.lines(lines), body)}` : `${line}\n${body}`;
}
