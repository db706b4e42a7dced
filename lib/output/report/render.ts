/**
 * A report in Markdown: the verdict first, then what is needed to act on it. To fit the limit, the levels of `CUT_LEVELS` are
 * tried in order, and every cut leaves a line that says what is missing and where it is.
 */
import { humanBytes, humanSeconds, visible } from '../../model/text/text.ts';
import { wrap } from '../terminal/wrap.ts';
import type { IssueForm, SectionName } from './forms.ts';
import { indentedJson } from './indented-json.ts';
import { code, details, fence, table } from './markdown.ts';
import type { TranscriptPiece } from './transcript.ts';
import type { Trouble } from './trouble.ts';
import type { ReportWords } from './words.ts';

export interface RawFrame {
  f: number;
  from: string;
  t: number;
  /** As sent, or what happened in words: empty for a stream that its writer closed. */
  text: string;
  /** The recorder saw it happen; it is not a line that was sent. */
  isEvent: boolean;
}

/** Everything that a report says, already redacted. */
export interface ReportFacts {
  trouble: Trouble;
  /** What went wrong, in one sentence, in the language of the report. */
  verdict: string;
  /** Name and value; recorded values are made harmless here. */
  environment: { name: keyof ReportWords & string; value: string }[];
  /** The frame to look at first. */
  look: number;
  /** Our own Markdown: what followed from the problem, and what else is wrong, a sentence each. */
  besides: string[];
  /** Our own Markdown: `on: 2 tokens, 14 paths`. */
  redaction: string;
  isRedacted: boolean;
  /** The output of `why`. */
  why: string;
  /** `fault` is in words. */
  findings: { severity: string; rule: string; f: number; fault: string; message: string }[];
  pieces: TranscriptPiece[];
  /** Frames of the trouble, as sent. */
  frames: RawFrame[];
  stderr: string[];
  /** Commands that show and replay it, and whether the replay worked. */
  commands: string[];
  replays: string;
  /** Answers to fields of forms that are one value: version, model, platform. */
  fields: Record<string, string>;
  footer: string;
}

/** How much is left out, from nothing to nearly everything. */
interface CutLevel {
  /** Lines of a result from its beginning and from its end. */
  resultLines: number;
  thinking: boolean;
  /** Turns other than that of the trouble are one line each. */
  otherTurns: boolean;
  /** Pieces before and after the trouble. */
  around: number;
  frameBytes: number;
  textLines: number;
}

const ALL = Number.POSITIVE_INFINITY;

/** The order of cuts: results, thinking, other turns, what is far from the problem, long lines, long texts. */
const CUT_LEVELS: readonly CutLevel[] = [
  { resultLines: ALL, thinking: true, otherTurns: true, around: ALL, frameBytes: 16_384, textLines: ALL },
  { resultLines: 20, thinking: true, otherTurns: true, around: ALL, frameBytes: 16_384, textLines: ALL },
  { resultLines: 20, thinking: false, otherTurns: true, around: ALL, frameBytes: 8192, textLines: ALL },
  { resultLines: 20, thinking: false, otherTurns: false, around: ALL, frameBytes: 4096, textLines: 200 },
  { resultLines: 10, thinking: false, otherTurns: false, around: 15, frameBytes: 2048, textLines: 60 },
  { resultLines: 3, thinking: false, otherTurns: false, around: 5, frameBytes: 1024, textLines: 10 },
  { resultLines: 1, thinking: false, otherTurns: false, around: 2, frameBytes: 256, textLines: 2 },
  { resultLines: 0, thinking: false, otherTurns: false, around: 0, frameBytes: 128, textLines: 1 },
];

const COLUMNS = 100;
/** Characters of the frame in question. */
const FIRST_SCREEN_CHARS = 1500;
/** A longer line is indented, and at most this many lines of it are shown. */
const LONG_LINE = 200;
const MAX_FRAME_LINES = 14;
/** So few lines are not cut. */
const MIN_CUT_LINES = 4;
/** A hint that fits into a line. */
const MAX_INLINE_HINT = 160;

/** With fewer pieces around the problem than this, other turns are left out. */
const MIN_NEAR_PIECES = 10;

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** `limit`: bytes. The last level is returned even if it is too long, which only a form with a tiny limit sees. */
export function renderReport(facts: ReportFacts, form: IssueForm, words: ReportWords, limit = form.limit): string {
  let text = '';
  for (const cut of CUT_LEVELS) {
    if (cut !== CUT_LEVELS.at(-1) && isTooLong(facts.pieces, cut, limit)) continue;
    text = renderLevel(facts, form, words, cut);
    const footer = `\n<sub>${facts.footer} ${words.bytes(bytesIn(text), limit)}</sub>\n`;
    text += footer;
    if (bytesIn(text) <= limit) return text;
  }
  return text;
}

/** Whether what is never cut at this level is longer than the limit: a long session is not written out to be measured. */
function isTooLong(
  pieces: readonly TranscriptPiece[],
  { otherTurns, textLines, thinking }: CutLevel,
  limit: number,
): boolean {
  if (!otherTurns || textLines < ALL) return false;
  let length = 0;
  for (const { kind, text } of pieces) {
    const isCut = kind === 'result' || kind === 'log' || (kind === 'thinking' && !thinking);
    if (!isCut) length += text?.length ?? 0;
    if (length > limit) return true;
  }
  return false;
}

function renderLevel(facts: ReportFacts, form: IssueForm, words: ReportWords, cut: CutLevel): string {
  const isForm = form.fields.length > 1;
  // Below the headings of the form, which are of the third level.
  const sections = sectionsOf(facts, words, cut, isForm ? '####' : '##');
  return form.fields
    .map(({ id, sections: names }) => {
      const body = names
        .map((name) => sections[name])
        .filter((text) => text !== '')
        .join('\n');
      if (!isForm) return body;
      const value = facts.fields[id];
      const filled = body !== '' ? body : value ? `${code(value)}\n` : `<!-- ${words.edit} -->\n`;
      return `### ${id}\n\n${filled}`;
    })
    .join('\n');
}

function sectionsOf(facts: ReportFacts, words: ReportWords, cut: CutLevel, level: string): Record<SectionName, string> {
  return {
    summary: `${level} ${words.summary}\n\n${summary(facts, words)}`,
    environment: `${level} ${words.environment}\n\n${environment(facts, words)}`,
    steps: `${level} ${words.steps}\n\n1. <!-- ${words.edit} -->\n`,
    expected: `${level} ${words.expected}\n\n<!-- ${words.edit} -->\n`,
    happened: `${level} ${words.happened}\n\n${fence(facts.why)}\n${frames(facts, words, cut)}\n${transcriptSection(facts, words, cut)}`,
    findings: facts.findings.length === 0 ? '' : `${level} ${words.findings}\n\n${findings(facts, words)}`,
    reproduce: `${level} ${words.reproduce}\n\n${facts.replays}\n\n${fence(facts.commands.join('\n'), 'sh')}`,
    attachments:
      facts.stderr.length === 0
        ? ''
        : details(`${words.stderr} (${facts.stderr.length})`, fence(facts.stderr.join('\n'))),
  };
}

function environment({ environment: rows, redaction, isRedacted }: ReportFacts, words: ReportWords): string {
  const cells = rows.map(({ name, value }) => [words[name] as string, code(value, 120)]);
  const all = table([words.item, words.value], [...cells, [words.redaction, redaction]]);
  return isRedacted ? `${all}\n- [ ] ${words.checkedByMe}\n` : all;
}

/** The first screen: the verdict, whose fault it is, what followed, what was sent, and what should have been sent. */
function summary({ trouble, verdict, look, besides, frames: all }: ReportFacts, words: ReportWords): string {
  const { culprit, expected, hint } = trouble;
  const sentence = visible(verdict)
    .split('\n')
    .flatMap((line) => wrap(line, COLUMNS))
    .join('\n');
  const blame = [words.pointsTo[culprit ?? 'nobody'], ...besides].filter((one) => one !== '').join(' ');
  const frame = trouble.kind === 'none' ? undefined : all.find(({ f, isEvent }) => f === look && !isEvent);
  const better = expected === null ? '' : `\n${words.expectedLine}\n\n${fence(expected, 'json')}`;
  const fix =
    hint === null
      ? ''
      : hint.length > MAX_INLINE_HINT
        ? `\n${words.fix}\n\n${fence(hint)}`
        : `\n${words.fix} ${code(hint, MAX_INLINE_HINT)}\n`;
  const note = words.quotedInEnglish === '' ? '' : `\n${words.quotedInEnglish}\n`;
  return `${fence(sentence)}${note}${blame === '' ? '' : `\n${blame}\n`}${fix}${frame ? frameInQuestion(frame, culprit, words) : ''}${better}`;
}

/** A long line is easier to read in several. */
function frameInQuestion(frame: RawFrame, culprit: string | null, words: ReportWords): string {
  const head = (frame.from === culprit ? words.sent : words.shown)(frame.f, words.faults[frame.from] ?? frame.from);
  const isLong = frame.text.length > LONG_LINE;
  const text = isLong ? indentedJson(frame.text) : frame.text;
  const lines = text.split('\n');
  const shown =
    lines.length > MAX_FRAME_LINES + MIN_CUT_LINES
      ? [...lines.slice(0, MAX_FRAME_LINES), words.cut(words.lines(lines.length - MAX_FRAME_LINES), frame.f)].join('\n')
      : text;
  const note = text === frame.text ? '' : `\n${words.indented}\n`;
  return `\n${head}\n\n${fence(clipped({ ...frame, text: shown }, FIRST_SCREEN_CHARS, words), 'json')}${note}`;
}

function clipped({ f, text }: RawFrame, limit: number, words: ReportWords): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit)}\n${words.cut(humanBytes(text.length - limit), f)}`;
}

function findings({ findings: all }: ReportFacts, words: ReportWords): string {
  const rows = all.map(({ severity, rule, f, fault, message }) => [
    words.severities[severity] ?? severity,
    code(rule),
    `f${f}`,
    fault,
    code(message, 160),
  ]);
  return table([words.severity, words.rule, words.frame, words.fault, words.message], rows);
}

/** The frames in question, as sent except for cuts. Events are described in words. */
function frames({ frames: all }: ReportFacts, words: ReportWords, { frameBytes }: CutLevel): string {
  if (all.length === 0) return '';
  const texts = all.map((frame, i) => {
    const { f, from, t, isEvent } = frame;
    const before = all[i - 1];
    const since = before ? `, ${words.after(humanSeconds(t - before.t), before.f)}` : '';
    const head = `f${f} +${humanSeconds(t)}${since}, ${words.faults[from] ?? from}`;
    if (isEvent) return `${head}: ${frame.text === '' ? words.closed : code(frame.text, 200)}\n`;
    return `${head}:\n\n${fence(clipped(frame, frameBytes, words), 'json')}`;
  });
  const size = all.reduce((sum, { text, isEvent }) => sum + (isEvent ? 0 : text.length), 0);
  const [list, sized] = [all.map(({ f }) => `f${f}`).join(', '), size > 0 ? `; ${humanBytes(size)}` : ''];
  return details(`${words.frames} (${list}${sized})`, texts.join('\n'));
}

/** The transcript: the turn of the trouble whole, if it fits, others as far as there is room. */
function transcriptSection({ pieces, trouble }: ReportFacts, words: ReportWords, cut: CutLevel): string {
  const at = Math.max(
    0,
    pieces.findLastIndex(({ f }) => f <= trouble.f),
  );
  const turn = pieces[at]?.turn ?? null;
  const lines: string[] = [];
  let skipped = 0;
  for (const [i, piece] of pieces.entries()) {
    const isNear = Math.abs(i - at) <= cut.around;
    const isOwnTurn = piece.turn === turn;
    // The heads of other turns stay as long as there is room.
    const isSkipped =
      piece.kind === 'turn' ? cut.around < MIN_NEAR_PIECES && !isOwnTurn : !isNear || (!cut.otherTurns && !isOwnTurn);
    if (isSkipped) {
      skipped++;
      continue;
    }
    if (skipped > 0) lines.push(`  … ${skipped}`);
    skipped = 0;
    lines.push(...pieceLines(piece, words, cut));
  }
  if (skipped > 0) lines.push(`  … ${skipped}`);
  if (lines.length === 0) return '';
  const text = lines.join('\n');
  return details(`${words.transcript} (${humanBytes(bytesIn(text))})`, fence(text));
}

/** In a fence, so the heads lose their Markdown. */
function pieceLines({ kind, f, t, head, text, depth }: TranscriptPiece, words: ReportWords, cut: CutLevel): string[] {
  const indent = '  '.repeat(depth);
  const line = `f${f} +${humanSeconds(t)} ${indent}${head.replace(/\*\*|`/g, '')}`;
  if (text === null || text === '' || (kind === 'thinking' && !cut.thinking)) return [line];
  const lines = visible(text, true).split('\n');
  const limit = kind === 'result' || kind === 'log' ? cut.resultLines : cut.textLines;
  const isCut = lines.length > 2 * limit + 1;
  const shown = isCut
    ? [
        ...lines.slice(0, limit),
        words.cut(words.lines(lines.length - 2 * limit), f),
        ...(limit === 0 ? [] : lines.slice(-limit)),
      ]
    : lines;
  return [line, ...shown.map((one) => `    ${indent}${one}`)];
}
