/**
 * Compares two sessions by meaning. Each is read once; what differs is then read again, so memory does not grow with what
 * is the same.
 */
import { optionOf } from '../../dialects/common/command-line.ts';
import { traitsOf } from '../../dialects/index.ts';
import { Pass } from '../../session/pass.ts';
import { idOf, type Session } from '../../session/session.ts';
import { introductionIn } from '../../session/summary.ts';
import { Comparison } from './compare.ts';
import { Hashes } from './hash.ts';
import type { Mask } from './mask.ts';
import { isToBeFlat, missingIn, Neutral } from './neutral.ts';
import { type Nodes, objectsIn } from './nodes.ts';
import { Outline, type OutlineOptions, type Wanted } from './outline.ts';
import { Pointers } from './pointer.ts';
import type { Reading } from './reading.ts';
import { countsOf, type DiffEntry, SECTIONS, type SessionDiff, type Side } from './result.ts';
import { diffReplayed } from './sections/replayed.ts';
import { diffSections, type Gathered, Gathering } from './sections/sections.ts';
import { type Tolerance, USUAL_TOLERANCE } from './tolerance.ts';
import { wantedOf, withMissing } from './wanted.ts';

export interface DiffOptions {
  /** Compares what is volatile too: ids, times, tokens, temporary paths. */
  strict?: boolean;
  /** Values that do not count: pointers from an entry, or from its kind, with `*`. */
  ignorePaths?: readonly string[];
  /** Items that do not count, by their first frame. */
  ignoreFrames?: { a: ReadonlySet<number>; b: ReadonlySet<number> };
  /** Lists differences in what is volatile too; they do not count. */
  showMasked?: boolean;
  /** Lists what is the same too, so that the conversation is complete on both sides. Of long sessions, only turns. */
  showSame?: boolean;
  /** Also which fields and types of messages came and went. */
  shape?: boolean;
  /** Times count too, beyond the usual tolerance or this one. Otherwise no time makes a difference. */
  timing?: boolean | Tolerance;
  /** Sessions with more frames are read twice, so that what is the same takes no memory. */
  short?: number;
}

interface Read {
  session: Session;
  side: Side;
  outline: Outline;
  nodes: Nodes;
  /** Null when a session is read again. */
  gathered: Gathered | null;
  neutral: Neutral | null;
}

type Which = 'a' | 'b';

/** How both sessions are read. */
interface Plan extends DiffOptions {
  reading: Reading;
  /** Kinds that are left out on each side, if the two speak different protocols. */
  without: Record<Which, ReadonlySet<string>> | null;
  /** Only what was sent again from earlier sessions; what is volatile is known from the first reading. */
  history?: Record<Which, Mask>;
  /** What subagents say is not inside the calls that started them, because one of the two does not tell that. */
  isFlat?: boolean;
  /** Names of tools do not count, because one of the two has only titles of calls. */
  isNameless?: boolean;
  folders: Record<Which, readonly string[]>;
}

export function diffSessions(a: Session, b: Session, options: DiffOptions = {}): SessionDiff {
  const reading: Reading = { strict: options.strict ?? false, ignored: new Pointers(options.ignorePaths ?? []) };
  const dialects = { a: new Pass(a).dialect, b: new Pass(b).dialect };
  const isNeutral = dialects.a !== dialects.b;
  const without = isNeutral ? { a: new Set<string>(), b: new Set<string>() } : null;
  const tolerance = options.timing === true ? USUAL_TOLERANCE : options.timing || null;
  const plan: Plan = {
    ...options,
    reading,
    without,
    folders: { a: foldersOf(a, b, dialects.a), b: foldersOf(b, a, dialects.b) },
  };
  const ofFirst = read(a, plan, 'a');
  const first = { a: ofFirst, b: read(b, plan, 'b', { known: hashesOf(ofFirst) }) };
  const { plan: final, ofA, ofB } = isNeutral ? inCommon(first.a, first.b, plan) : { plan, ofA: first.a, ofB: first.b };
  const comparison = compared(ofA, ofB, final);
  const replayed = isNeutral ? NO_HISTORY : historiesOf(first.a, first.b, plan);
  const entries = inOrder([
    ...comparison.entries,
    ...replayed.entries,
    ...diffSections(first.a.gathered!, first.b.gathered!, { matches: comparison.matches, tolerance }),
  ]);
  return {
    a: first.a.side,
    b: first.b.side,
    ...countsOf(entries),
    entries,
    turns: comparison.turns,
    masked: comparison.masked + replayed.masked,
    tolerance,
    left_out: { a: ofA.neutral?.leftOut ?? {}, b: ofB.neutral?.leftOut ?? {} },
  };
}

const NO_HISTORY = { entries: [], masked: 0 };

/** Both are read again for it: few sessions have any. */
function historiesOf(a: Read, b: Read, plan: Plan): { entries: DiffEntry[]; masked: number } {
  const sessions = { a: idOf(a.session), b: idOf(b.session) };
  const windows = { a: a.outline.replayed, b: b.outline.replayed };
  let masked = 0;
  const entries = diffReplayed(sessions, windows, () => {
    const history = { a: a.outline.mask, b: b.outline.mask };
    const ofHistory = { ...plan, history, showSame: false };
    const ofA = read(a.session, ofHistory, 'a');
    const comparison = compared(ofA, read(b.session, ofHistory, 'b', { known: hashesOf(ofA) }), ofHistory);
    ({ masked } = comparison);
    return comparison.entries;
  });
  return { entries, masked };
}

/** What a replay sends has the folders of the session that it came from. */
function foldersOf({ metadata }: Session, other: Session, dialect: string): string[] {
  const { cwd, command } = metadata;
  const named = optionOf(command, ...traitsOf(dialect).folderOptions);
  const replayed = 'replay_of' in metadata ? [other.metadata.cwd, ...foldersSaid(other)] : [];
  return [cwd, ...(named === null ? [] : [named]), ...replayed];
}

/** Sessions begin with what the two sides say of themselves. */
const BEGINNING = 200;

/** The folders that the client names when it introduces itself. */
function foldersSaid(session: Session): string[] {
  const folders: string[] = [];
  for (const { frame, events } of new Pass(session)) {
    if (frame.f > BEGINNING) break;
    for (const event of events)
      if (event.kind === 'handshake' && typeof event.about.cwd === 'string') folders.push(event.about.cwd);
  }
  return folders;
}

/** Reads the sessions of two protocols again without what only one of them has. */
function inCommon(a: Read, b: Read, plan: Plan): { plan: Plan; ofA: Read; ofB: Read } {
  const without = { a: missingIn(a.neutral!, b.neutral!), b: missingIn(b.neutral!, a.neutral!) };
  const isFlat = isToBeFlat(a.neutral!, b.neutral!);
  const isNameless = a.neutral!.hasTitles || b.neutral!.hasTitles;
  const final = { ...plan, without, isFlat, isNameless };
  const isOther = isFlat || isNameless;
  const ofA = without.a.size > 0 || isOther ? read(a.session, final, 'a') : a;
  return { plan: final, ofA, ofB: without.b.size > 0 || isOther ? read(b.session, final, 'b') : b };
}

/** `keep`: what is kept of a long session. */
function read(session: Session, plan: Plan, which: Which, keep: Pick<OutlineOptions, 'wanted' | 'known'> = {}): Read {
  const { reading, ignoreFrames, short, shape, without } = plan;
  const mask = plan.history?.[which];
  const pass = new Pass(session, { tree: true, bounded: true, history: mask !== undefined });
  const neutral =
    without && new Neutral(without[which], { isFlat: plan.isFlat ?? false, isNameless: plan.isNameless ?? false });
  const outline: Outline = new Outline(pass, {
    ...{ folders: plan.folders[which], reading, ignored: ignoreFrames?.[which] ?? null, neutral },
    ...(mask && { mask }),
    ...{ ...keep, ...(short && { short }) },
    seen: (entry) => gathering?.times.seen(entry),
  });
  const about = { strict: reading.strict, shape, isTimed: Boolean(plan.timing) };
  const gathering = keep.wanted || mask ? null : new Gathering(session, pass, outline, about);
  pass.run(outline, ...(gathering?.observers ?? []));
  const nodes = outline.end();
  const gathered = gathering?.end(session, pass, outline) ?? null;
  return { session, side: sideOf(session, pass, outline), outline, nodes, gathered, neutral };
}

/** By section; what a section told stays in its order. */
function inOrder(entries: DiffEntry[]): DiffEntry[] {
  const place = ({ section }: DiffEntry) => SECTIONS.indexOf(section);
  return entries.sort((a, b) => place(a) - place(b));
}

/** Reads what differs of long sessions again, until nothing is missing. */
function compared(a: Read, b: Read, plan: Plan): Comparison {
  const { showMasked = false, showSame = false } = plan;
  let wanted = wantedOf(a.nodes, b.nodes, showMasked);
  for (let round = 0; ; round++) {
    const ofA = has(a, wanted.a) ? a : again(a, plan, 'a', wanted.a);
    const ofB = has(b, wanted.b) ? b : again(b, plan, 'b', wanted.b);
    const comparison = new Comparison(
      { session: idOf(a.session), reader: ofA.outline.reader },
      { session: idOf(b.session), reader: ofB.outline.reader },
      { showMasked, showSame, isNeutral: plan.without !== null },
    );
    comparison.lists(ofA.nodes, ofB.nodes);
    const { missing } = comparison;
    if (missing.a.size + missing.b.size === 0 || round > 0) return comparison;
    wanted = { a: withMissing(wanted.a, ofA.nodes, missing.a), b: withMissing(wanted.b, ofB.nodes, missing.b) };
  }
}

/** The hashes of what the first session has; masked differences are found by the second reading. */
function hashesOf({ nodes }: Read): Hashes {
  let count = 0;
  nodes.eachHash(() => count++);
  const all = new Float64Array(count);
  nodes.eachHash((hash) => {
    all[--count] = hash;
  });
  return new Hashes(all);
}

/** Everything wanted was kept. */
function has({ outline, nodes }: Read, wanted: Wanted): boolean {
  if (outline.isWhole || wanted.size === 0) return true;
  return nodes.objects().every(({ at, face, inside }) => {
    const parts = wanted.get(at);
    if (!parts) return true;
    return face !== null && objectsIn(inside ?? []).every((part) => !parts.has(part.at) || part.face !== null);
  });
}

/** Not beyond what was read the first time: the session may have grown. */
function again({ session, outline }: Read, plan: Plan, which: Which, wanted: Wanted): Read {
  const { last } = outline;
  const { id, dir, tape, running, metadata, names, command, dialect = null } = session;
  const same: Session = {
    ...{ id, dir, tape, running, metadata, names, command, dialect },
    *frames(others) {
      for (const frame of session.frames(others)) {
        if (frame.f > last) return;
        yield frame;
      }
    },
  };
  return read(same, plan, which, { wanted });
}

function sideOf(session: Session, { timeline, dialect }: Pass, outline: Outline): Side {
  const { client, agent, agent_version } = introductionIn(timeline);
  const { name } = session.names;
  const { command, started_at: started } = session.metadata;
  const about = { session: idOf(session), name, dialect, agent, agent_version, client };
  return { ...about, command, started, frames: outline.last, turns: timeline.counts.turns };
}
