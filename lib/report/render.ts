/**
 * A report in Markdown: the verdict first, then what is needed to act on it. It is made to fit: the levels of `CUTS` are
 * tried in their order until it does, and every cut leaves a line that says what is missing and where it is.
 */
import { humanBytes, humanSeconds, visible } from '../core/text.ts';
import { wrap } from '../terminal/wrap.ts';
import type { Form, SectionName } from './forms.ts';
import { code, details, fence, table } from './markdown.ts';
import type { Piece } from './transcript.ts';
import type { Trouble } from './trouble.ts';
import type { Words } from './words.ts';

export interface RawFrame {
  f: number;
  from: string;
  t: number;
  text: string;
  /** Nobody sent it: the recorder saw it happen. */
  isEvent: boolean;
}

/** Everything that a report says, already redacted. */
export interface ReportFacts {
  trouble: Trouble;
  /** Name and value; recorded values are made harmless here. */
  environment: { name: keyof Words & string; value: string }[];
  /** Ours, in Markdown: `on: 2 tokens, 14 paths. Checked by me: [ ]`. */
  redaction: string;
  /** What `why` says, as it prints it. */
  why: string;
  findings: { severity: string; rule: string; f: number; fault: string; message: string }[];
  pieces: Piece[];
  /** Frames of the trouble, as sent. */
  frames: RawFrame[];
  stderr: string[];
  /** Commands that show and replay it, and whether the replay was seen to work. */
  commands: string[];
  replays: string;
  /** Answers to fields of forms that are one value: version, model, platform. */
  fields: Record<string, string>;
  footer: string;
}

/** How much is left out, from nothing to nearly everything. */
interface Cut {
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

/** The order of cuts: results, thinking, other turns, what is far from the trouble, long lines, long texts. */
const CUTS: readonly Cut[] = [
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
const ON_FIRST_SCREEN = 600;

/** If so few pieces fit, turns do not. */
const FEW = 10;

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

/** `limit`: bytes. The last level is returned even if it is too long, which only a form with a tiny limit sees. */
export function render(facts: ReportFacts, form: Form, words: Words, limit = form.limit): string {
  let text = '';
  for (const cut of CUTS) {
    text = rendered(facts, form, words, cut);
    const footer = `\n<sub>${facts.footer} ${words.bytes(bytesIn(text), limit)}</sub>\n`;
    text += footer;
    if (bytesIn(text) <= limit) return text;
  }
  return text;
}

function rendered(facts: ReportFacts, form: Form, words: Words, cut: Cut): string {
  const sections = sectionsOf(facts, words, cut);
  const isForm = form.fields.length > 1;
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

function sectionsOf(facts: ReportFacts, words: Words, cut: Cut): Record<SectionName, string> {
  return {
    summary: summary(facts, words),
    environment: `## ${words.environment}\n\n${table(
      ['', ''],
      [
        ...facts.environment.map(({ name, value }) => [words[name] as string, code(value, 120)]),
        [words.redaction, facts.redaction],
      ],
    )}`,
    steps: `## ${words.steps}\n\n1. <!-- ${words.edit} -->\n`,
    expected: `## ${words.expected}\n\n<!-- ${words.edit} -->\n`,
    happened: `## ${words.happened}\n\n${fence(facts.why)}\n${frames(facts, words, cut)}\n${story(facts, words, cut)}`,
    findings: findings(facts, words),
    reproduce: `## ${words.reproduce}\n\n${facts.replays}\n\n${fence(facts.commands.join('\n'), 'sh')}`,
    attachments:
      facts.stderr.length === 0
        ? ''
        : details(`${words.stderr} (${facts.stderr.length})`, fence(facts.stderr.join('\n'))),
  };
}

/** Verdict, whose doing it is, and what was sent beside what should have been: all that fits on the first screen. */
function summary({ trouble, frames: all }: ReportFacts, words: Words): string {
  const { verdict, culprit, expected, hint } = trouble;
  const sentence = visible(verdict)
    .split('\n')
    .flatMap((line) => wrap(line, COLUMNS))
    .join('\n');
  const blame = words.pointsTo[culprit ?? 'nobody'];
  const lines = all.filter(({ isEvent }) => !isEvent);
  const own = lines.findLast(({ f, from }) => from === culprit && trouble.frames.includes(f));
  const frame = own ?? lines.find(({ f }) => f === trouble.f);
  const sent = frame
    ? `\n${(own ? words.sent : words.shown)(frame.f, words.faults[frame.from] ?? frame.from)}\n\n${fence(clipped(frame, ON_FIRST_SCREEN, words), 'json')}`
    : '';
  const better = expected === null ? '' : `\n${words.expectedLine}\n\n${fence(expected, 'json')}`;
  const fix = hint === null ? '' : `\n${words.fix}\n\n${fence(hint)}`;
  return `## ${words.summary}\n\n${fence(sentence)}${blame === '' ? '' : `\n${blame}\n`}${sent}${better}${fix}`;
}

function clipped({ f, text }: RawFrame, most: number, words: Words): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n${words.cut(humanBytes(text.length - most), f)}`;
}

function findings({ findings: all }: ReportFacts, words: Words): string {
  if (all.length === 0) return '';
  const rows = all.map(({ severity, rule, f, fault, message }) => [
    words.severities[severity] ?? severity,
    code(rule),
    `f${f}`,
    words.faults[fault] ?? fault,
    code(message, 160),
  ]);
  return `## ${words.findings}\n\n${table(['', words.rule, words.frame, words.fault, ''], rows)}`;
}

/** The frames in question, byte for byte but for what was cut. */
function frames({ frames: all }: ReportFacts, words: Words, { frameBytes }: Cut): string {
  if (all.length === 0) return '';
  const texts = all.map((frame) => {
    const { f, from, t } = frame;
    return `f${f} +${humanSeconds(t)} ${from}\n\n${fence(clipped(frame, frameBytes, words), 'json')}`;
  });
  const size = all.reduce((sum, { text }) => sum + text.length, 0);
  return details(`${words.frames} (${all.map(({ f }) => `f${f}`).join(', ')}; ${humanBytes(size)})`, texts.join('\n'));
}

/** The transcript: the turn of the trouble whole, if it fits, others as far as there is room. */
function story({ pieces, trouble }: ReportFacts, words: Words, cut: Cut): string {
  const at = Math.max(
    0,
    pieces.findLastIndex(({ f }) => f <= trouble.f),
  );
  const turn = pieces[at]?.turn ?? null;
  const lines: string[] = [];
  let left = 0;
  for (const [i, piece] of pieces.entries()) {
    const isNear = Math.abs(i - at) <= cut.around;
    const isOwnTurn = piece.turn === turn;
    // The heads of other turns stay as long as there is room.
    const isLeft = piece.kind === 'turn' ? cut.around < FEW && !isOwnTurn : !isNear || (!cut.otherTurns && !isOwnTurn);
    if (isLeft) {
      left++;
      continue;
    }
    if (left > 0) lines.push(`  … ${left}`);
    left = 0;
    lines.push(...pieceLines(piece, words, cut));
  }
  if (left > 0) lines.push(`  … ${left}`);
  if (lines.length === 0) return '';
  const text = lines.join('\n');
  return details(`${words.transcript} (${humanBytes(bytesIn(text))})`, fence(text));
}

/** In a fence, so the heads lose their Markdown. */
function pieceLines({ kind, f, t, head, text, depth }: Piece, words: Words, cut: Cut): string[] {
  const indent = '  '.repeat(depth);
  const line = `f${f} +${humanSeconds(t)} ${indent}${head.replace(/\*\*|`/g, '')}`;
  if (text === null || text === '' || (kind === 'thinking' && !cut.thinking)) return [line];
  const lines = visible(text, true).split('\n');
  const most = kind === 'result' || kind === 'log' ? cut.resultLines : cut.textLines;
  const isCut = lines.length > 2 * most + 1;
  const shown = isCut
    ? [
        ...lines.slice(0, most),
        words.cut(words.lines(lines.length - 2 * most), f),
        ...(most === 0 ? [] : lines.slice(-most)),
      ]
    : lines;
  return [line, ...shown.map((one) => `    ${indent}${one}`)];
}
