/**
 * Reads a session once and gathers all that its page holds, with the code of the commands: facts and audit, rows, findings,
 * obligations and sums. Texts of rows are handed out as soon as they fill a chunk.
 */
import { LatestRows } from '../../analysis/audit/latest-rows.ts';
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { findingJson } from '../../analysis/check/report.ts';
import { FactReader } from '../../analysis/facts/fact-reader.ts';
import { MARK } from '../../analysis/facts/marks.ts';
import { type Examination, SessionExaminer, type WholeSession } from '../../analysis/why/session-examiner.ts';
import { whyRows } from '../../analysis/why/why-report.ts';
import type { Finding, Severity } from '../../dialects/rules/rule.ts';
import { microsOf } from '../../model/frame.ts';
import { exactJson } from '../../model/id.ts';
import { isTooLargeToRead } from '../../model/json/too-large.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { type PiecePosition, positionOfPiece } from '../../model/text/searchable.ts';
import type { Entry } from '../../model/timeline/entries.ts';
import { leanRow, type TimelineRow } from '../../model/timeline/json.ts';
import type { Observer, Pass } from '../../session/pass.ts';
import { idOf, type Session } from '../../session/session.ts';
import { EntryMeter, FrameMeter } from '../../session/stats.ts';
import { statsRow } from '../../session/stats-json.ts';
import { toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import { CHUNK, type ChunkMap, LABELS } from './blocks.ts';
import { type ColumnName, FactColumns } from './columns.ts';
import { densityOf } from './density.ts';
import { brief, labelOf } from './label.ts';
import type { PackInput } from './numbers.ts';
import type { Ordered } from './order.ts';
import { ROW_MARK, type SessionHead, type TreeRowKind } from './page.ts';
import { Quotes, quotable } from './quotes.ts';
import { rowParts } from './row-table.ts';
import { RowMaker } from './rows.ts';
import { RowsByFrame } from './rows-by-frame.ts';
import { type AuditTables, auditTables, brokenRules } from './tables.ts';
import { UsagePoints } from './usage.ts';

/** Takes chunks of text as they are complete. */
export interface Texts {
  labels(n: number, text: string): void;
  bodies(n: number, text: string): void;
}

/**
 * What is known when the session has been read. Each is made when it is asked for, so that the one before can be packed
 * meanwhile. The head lacks the tape, which the writer of the page adds.
 */
export interface Gathered {
  columns: Iterable<[ColumnName, PackInput]>;
  tables(): AuditTables;
  rows(): PackInput;
  places: PackInput;
  findings(): Record<string, unknown>[];
  rules(): Record<string, unknown>[];
  why(): Record<string, unknown>[];
  usage: UsagePoints;
  bodies: ChunkMap;
  head(): Omit<SessionHead, 'tape' | 'redaction'>;
}

const MAX_TURNS = 500;

export class Gatherer implements Observer {
  readonly #session: Session;
  readonly #pass: Pass;
  readonly #texts: Texts;
  readonly #startedAt: number;
  readonly #facts: FactReader;
  readonly #columns = new FactColumns();
  readonly #rows: RowMaker;
  readonly #approvals = new LatestRows();
  readonly #judging: SessionExaminer;
  /** What has left the timeline, if it is to be put back. */
  readonly #left: Map<Entry | null, Entry[]> | null;
  readonly #meter = new FrameMeter();
  readonly #entries = new EntryMeter();
  readonly #tally = new SessionTally();
  readonly #usage = new UsagePoints();
  readonly #quotes = new Quotes();
  readonly #bodyMap: ChunkMap = { bytes: [], first: [] };
  #labels: string[] = [];
  #labelChunks = 0;
  #bodies: string[] = [];
  #bodyLength = 0;
  #unread = 0;

  /** `pass` keeps a tree. `isWhole`: the caller needs that tree when the session has ended; otherwise the pass is bounded. */
  constructor(session: Session, pass: Pass, texts: Texts, isWhole: boolean) {
    this.#session = session;
    this.#pass = pass;
    this.#texts = texts;
    const { metadata } = session;
    const { command, dialect } = pass;
    this.#startedAt = microsOf(metadata.started_at);
    this.#facts = new FactReader({ command, dialect });
    this.#judging = new SessionExaminer(session, pass, this.#facts.audit);
    this.#left = isWhole ? new Map() : null;
    this.#rows = new RowMaker(() => pass.timeline.entries, {
      row: (entry, turn, prompt) => this.#addTexts(entry, turn, prompt),
      isPending: (f) => this.#isPending(f),
      left: (around, entries) => this.#keep(around, entries),
    });
  }

  get count(): number {
    return this.#columns.count;
  }

  take(read: ReadFrame): void {
    this.#takeAll(read);
    this.#judging.take(read);
    this.#meter.take(read);
    this.#tally.take(read);
    this.#rows.step();
  }

  #takeAll(read: ReadFrame): void {
    const { frame, events, value, where } = read;
    const strings = quotable(frame, value === undefined ? textIn(frame) : null, value);
    const place = positionOfPiece(events, value, strings);
    this.#quotes.take(frame, strings, place, where.item);
    this.#takeFacts(read, place);
  }

  #takeFacts(read: ReadFrame, place: PiecePosition | null): void {
    const { facts, changes, rows } = this.#facts.take(read);
    for (const change of changes) this.#columns.change(change);
    this.#columns.add(facts, place);
    if (rows.length > 0) this.#approvals.keep(rows);
    this.#usage.take(read);
    if (read.frame.from !== 'stderr' && isTooLargeToRead(read.events)) this.#unread++;
  }

  /** `whole`: gets the session before anything else is made of it. */
  end(whole?: (session: WholeSession) => void): Gathered {
    const { changes, rows } = this.#facts.end();
    for (const change of changes) this.#columns.change(change);
    this.#approvals.keep(rows);
    const end = this.#meter.seconds;
    const judged = this.#judging.end(end);
    const { findings, answer } = judged;
    const order = this.#rows.end(end);
    this.#putBack();
    whole?.({ ...this.#about, judged });
    this.#flushLabels();
    this.#flushBodies();
    const places = new RowsByFrame(this.#columns, this.#rows.columns, order);
    const approvals = this.#approvals.inOrder;
    this.#mark(places, order, approvals, findings);
    return {
      columns: this.#columns.parts(),
      tables: () => this.#audited(approvals),
      rows: () => rowParts(this.#rows.columns, order),
      places: { parts: [places.rows, order.slot.values], sized: true },
      findings: () => findings.toSorted((a, b) => a.f - b.f).map((one) => findingJson(this.#session.id, one)),
      rules: () => brokenRules(findings),
      why: () => whyRows(answer),
      usage: this.#usage,
      bodies: this.#bodyMap,
      head: () => this.#head(order, judged, end),
    };
  }

  get #about(): Omit<WholeSession, 'judged'> {
    const { watch } = this.#judging;
    return { session: this.#session, pass: this.#pass, tally: this.#tally, meter: this.#meter, watch };
  }

  #keep(around: Entry | null, entries: readonly Entry[]): void {
    const before = this.#left?.get(around);
    if (before) for (const entry of entries) before.push(entry);
    else this.#left?.set(around, [...entries]);
  }

  #putBack(): void {
    for (const [around, gone] of this.#left ?? []) {
      const { entries } = around ?? this.#pass.timeline;
      for (const entry of entries.splice(0)) gone.push(entry);
      for (const entry of gone) entries.push(entry);
    }
  }

  #isPending(f: number): boolean {
    return (this.#columns.marksOf(f) & MARK.pending) !== 0;
  }

  // Texts

  #addTexts(entry: Entry, turn: number | null, prompt: string): void {
    if (entry.is !== 'item' || entry.kind !== 'prompt' || entry.turn === null) this.#entries.take(entry);
    this.#labels.push(entry.is === 'turn' ? brief(prompt) : labelOf(entry));
    if (this.#labels.length === LABELS) this.#flushLabels();
    if (this.#bodies.length === 0) this.#bodyMap.first.push(this.#rows.count - 1);
    const body = this.#bodyOf(leanRow(entry, turn), entry.f, entry.is === 'item' ? entry.kind : entry.is);
    this.#bodies.push(body);
    this.#bodyLength += body.length;
    if (this.#bodyLength >= CHUNK) this.#flushBodies();
  }

  #bodyOf(row: TimelineRow, f: number, kind: TreeRowKind): string {
    try {
      return exactJson(this.#quotes.quote(row, f, kind));
    } catch (error) {
      // Nested too deeply to be written: the tape has it.
      if (!(error instanceof RangeError)) throw error;
      return exactJson({ ...row, arguments: null, answers: null, edited: null, blocks: [], output: [], displays: [] });
    }
  }

  #flushLabels(): void {
    if (this.#labels.length === 0) return;
    this.#texts.labels(this.#labelChunks++, this.#labels.join('\n'));
    this.#labels = [];
  }

  #flushBodies(): void {
    if (this.#bodies.length === 0) return;
    this.#texts.bodies(this.#bodyMap.first.length - 1, this.#bodies.join('\n'));
    this.#bodyMap.bytes.push(this.#bodyLength);
    this.#bodies = [];
    this.#bodyLength = 0;
  }

  // What is known at the end

  #mark(places: RowsByFrame, order: Ordered, approvals: readonly ApprovalRow[], findings: readonly Finding[]): void {
    const { marks } = this.#rows.columns;
    const set = (f: number, bit: number) => {
      const row = places.rowOf(f);
      if (row < 0) return;
      const slot = order.slot.at(row);
      marks.set(slot, marks.at(slot) | bit);
    };
    for (const { f, severity } of findings) set(f, ROW_MARK[severity]);
    for (const { f, decision } of approvals) if (decision === 'unasked') set(f, ROW_MARK.unasked);
  }

  #audited(rows: readonly ApprovalRow[]): AuditTables {
    const { audit } = this.#facts;
    const summary = toSummary(this.#session, this.#tally, this.#pass);
    return auditTables(rows, summary, { heard: audit.hasClientSide, bypass: audit.bypass, unread: this.#unread });
  }

  #head(order: Ordered, { findings, answer }: Examination, end: number): ReturnType<Gathered['head']> {
    const { timeline, damaged } = this.#pass;
    const session = this.#session;
    const stats = this.#entries.stats(timeline.counts, this.#meter, damaged, end);
    // Where the tape was is nobody's business.
    const summary = { ...toSummary(session, this.#tally, this.#pass), duration: end, tape: '' };
    const severities: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
    for (const { severity } of findings) severities[severity]++;
    return {
      session: idOf(session),
      summary,
      stats: { ...summary, ...statsRow(stats, timeline) },
      handshake: { ...timeline.handshake },
      started: this.#startedAt,
      duration: end,
      frames: this.#columns.count,
      rows: order.count,
      agents: this.#rows.agents,
      counts: {
        approvals: timeline.counts.approvals,
        findings: severities,
        open: answer.obligations.length,
        stderr: stats.traffic.stderr.lines,
      },
      turns: this.#turns(order),
      density: densityOf(this.#columns.numbers('t'), end),
    };
  }

  #turns({ slot }: Ordered): SessionHead['turns'] {
    const rows = new Map<number, number>();
    const wanted = new Set(this.#rows.turns.map((turn) => turn.slot));
    for (let row = 0; row < slot.length; row++) if (wanted.has(slot.at(row))) rows.set(slot.at(row), row);
    return this.#rows.turns
      .toSorted((a, b) => a.n - b.n)
      .slice(0, MAX_TURNS)
      .map(({ slot: at, ...turn }) => ({ ...turn, row: rows.get(at)! }));
  }
}
