/** The whole session as a transcript in Markdown. All recorded text is in fences and code spans. */
import { humanSeconds } from '../../model/text/text.ts';
import { Pass } from '../../session/pass.ts';
import { type Summary, toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import { describeShare, isMostlyUnread } from '../../session/understanding.ts';
import { code, details, fence, table } from '../report/markdown.ts';
import { type TranscriptPiece, transcriptPieces } from '../report/transcript.ts';
import { WORDS } from '../report/words.ts';
import type { ExportFormat } from './index.ts';

/** A longer result is folded. */
const MAX_UNFOLDED_LINES = 20;

export const md: ExportFormat = {
  name: 'md',
  summary: 'a transcript in Markdown',
  *write(session) {
    const tally = new SessionTally();
    const pass = new Pass(session, { tree: true }).run(tally);
    yield* heading(toSummary(session, tally, pass));
    for (const piece of transcriptPieces(pass.timeline.entries)) yield `\n${pieceText(piece)}`;
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
    ['Understood', isMostlyUnread(summary.read) ? describeShare(summary.read) : null],
  ];
  yield table(
    ['', ''],
    rows.filter((row): row is [string, string] => row[1] !== null),
  );
}

function pieceText({ kind, f, t, head, text, language }: TranscriptPiece): string {
  if (kind === 'turn') return `## ${head}\n`;
  const line = `f${f} +${humanSeconds(t)} ${head}\n`;
  if (text === null || text === '') return line;
  const lines = text.split('\n').length;
  const isLong = kind === 'thinking' || kind === 'log' || (kind === 'result' && lines > MAX_UNFOLDED_LINES);
  const body = fence(text, language);
  return isLong ? `${line}\n${details(WORDS.en.lines(lines), body)}` : `${line}\n${body}`;
}
