/**
 * Compares two sessions by meaning. Each is read once; what differs is then read again, so memory does not grow with what
 * is the same.
 */
import { optionOf } from '../../dialects/common/command-line.ts';
import { traitsOf } from '../../dialects/index.ts';
import { Pass } from '../../session/pass.ts';
import { idOf, type Session } from '../../session/session.ts';
import { introductionIn } from '../../session/summary.ts';
import { ConversationComparison } from './compare.ts';
import type { ReadingOptions } from './content-reader.ts';
import { HashSet } from './hash.ts';
import { kindsMissingIn, NeutralView, needsFlattening } from './neutral.ts';
import { loadedNodes, type NodeList } from './nodes.ts';
import { addMissing, findWanted } from './nodes-to-keep.ts';
import { type OutlineOptions, SessionOutline, type WantedNodes } from './outline.ts';
import { PointerPatterns } from './pointer.ts';
import { countsOf, DIFF_SECTIONS, type DiffEntry, type DiffSide, type SessionDiff } from './result.ts';
import { diffReplayed } from './sections/replayed.ts';
import { diffSections, type GatheredSections, SectionGatherer } from './sections/sections.ts';
import { type Tolerance, USUAL_TOLERANCE } from './tolerance.ts';
import type { VolatileMask } from './volatile-mask.ts';

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

interface ReadSide {
  session: Session;
  side: DiffSide;
  outline: SessionOutline;
  nodes: NodeList;
  /** Null when a session is read again. */
  gathered: GatheredSections | null;
  neutral: NeutralView | null;
}

type SideKey = 'a' | 'b';

/** How both sessions are read. */
interface DiffPlan extends DiffOptions {
  reading: ReadingOptions;
  /** Kinds that are left out on each side, if the two speak different protocols. */
  without: Record<SideKey, ReadonlySet<string>> | null;
  /** Only what was sent again from earlier sessions; what is volatile is known from the first reading. */
  history?: Record<SideKey, VolatileMask>;
  /** What subagents say is not inside the calls that started them, because one of the two does not tell that. */
  isFlat?: boolean;
  /** Names of tools do not count, because one of the two has only titles of calls. */
  isNameless?: boolean;
  folders: Record<SideKey, readonly string[]>;
}

export function diffSessions(a: Session, b: Session, options: DiffOptions = {}): SessionDiff {
  const reading: ReadingOptions = {
    strict: options.strict ?? false,
    ignored: new PointerPatterns(options.ignorePaths ?? []),
  };
  const dialects = { a: new Pass(a).dialect, b: new Pass(b).dialect };
  const isNeutral = dialects.a !== dialects.b;
  const without = isNeutral ? { a: new Set<string>(), b: new Set<string>() } : null;
  const tolerance = options.timing === true ? USUAL_TOLERANCE : options.timing || null;
  const plan: DiffPlan = {
    ...options,
    reading,
    without,
    folders: { a: foldersOf(a, b, dialects.a), b: foldersOf(b, a, dialects.b) },
  };
  const ofFirst = readSide(a, plan, 'a');
  const first = { a: ofFirst, b: readSide(b, plan, 'b', { known: hashesOf(ofFirst) }) };
  const {
    plan: final,
    ofA,
    ofB,
  } = isNeutral ? readInCommon(first.a, first.b, plan) : { plan, ofA: first.a, ofB: first.b };
  const comparison = compareSides(ofA, ofB, final);
  const replayed = isNeutral ? NO_HISTORY : compareHistories(first.a, first.b, plan);
  const entries = sortBySection([
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
function compareHistories(a: ReadSide, b: ReadSide, plan: DiffPlan): { entries: DiffEntry[]; masked: number } {
  const sessions = { a: idOf(a.session), b: idOf(b.session) };
  const windows = { a: a.outline.replayed, b: b.outline.replayed };
  let masked = 0;
  const entries = diffReplayed(sessions, windows, () => {
    const history = { a: a.outline.mask, b: b.outline.mask };
    const ofHistory = { ...plan, history, showSame: false };
    const ofA = readSide(a.session, ofHistory, 'a');
    const comparison = compareSides(ofA, readSide(b.session, ofHistory, 'b', { known: hashesOf(ofA) }), ofHistory);
    ({ masked } = comparison);
    return comparison.entries;
  });
  return { entries, masked };
}

/** What a replay sends has the folders of the session that it came from. */
function foldersOf({ metadata }: Session, other: Session, dialect: string): string[] {
  const { cwd, command } = metadata;
  const named = optionOf(command, ...traitsOf(dialect).folderOptions);
  const replayed = 'replay_of' in metadata ? [other.metadata.cwd, ...foldersInHandshake(other)] : [];
  return [cwd, ...(named === null ? [] : [named]), ...replayed];
}

/** Sessions begin with what the two sides say of themselves. */
const MAX_HANDSHAKE_FRAMES = 200;

/** The folders that the client names when it introduces itself. */
function foldersInHandshake(session: Session): string[] {
  const folders: string[] = [];
  for (const { frame, events } of new Pass(session)) {
    if (frame.f > MAX_HANDSHAKE_FRAMES) break;
    for (const event of events)
      if (event.kind === 'handshake' && typeof event.about.cwd === 'string') folders.push(event.about.cwd);
  }
  return folders;
}

/** Reads the sessions of two protocols again without what only one of them has. */
function readInCommon(a: ReadSide, b: ReadSide, plan: DiffPlan): { plan: DiffPlan; ofA: ReadSide; ofB: ReadSide } {
  const without = { a: kindsMissingIn(a.neutral!, b.neutral!), b: kindsMissingIn(b.neutral!, a.neutral!) };
  const isFlat = needsFlattening(a.neutral!, b.neutral!);
  const isNameless = a.neutral!.hasTitles || b.neutral!.hasTitles;
  const final = { ...plan, without, isFlat, isNameless };
  const isOther = isFlat || isNameless;
  const ofA = without.a.size > 0 || isOther ? readSide(a.session, final, 'a') : a;
  return { plan: final, ofA, ofB: without.b.size > 0 || isOther ? readSide(b.session, final, 'b') : b };
}

/** `keep`: what is kept of a long session. */
function readSide(
  session: Session,
  plan: DiffPlan,
  which: SideKey,
  keep: Pick<OutlineOptions, 'wanted' | 'known'> = {},
): ReadSide {
  const { reading, ignoreFrames, short, shape, without } = plan;
  const mask = plan.history?.[which];
  const pass = new Pass(session, { tree: true, bounded: true, history: mask !== undefined });
  const neutral =
    without && new NeutralView(without[which], { isFlat: plan.isFlat ?? false, isNameless: plan.isNameless ?? false });
  const outline: SessionOutline = new SessionOutline(pass, {
    ...{ folders: plan.folders[which], reading, ignored: ignoreFrames?.[which] ?? null, neutral },
    ...(mask && { mask }),
    ...{ ...keep, ...(short && { short }) },
    seen: (entry) => gathering?.times.addEntry(entry),
  });
  const about = { strict: reading.strict, shape, isTimed: Boolean(plan.timing) };
  const gathering = keep.wanted || mask ? null : new SectionGatherer(session, pass, outline, about);
  pass.run(outline, ...(gathering?.observers ?? []));
  const nodes = outline.end();
  const gathered = gathering?.end(session, pass, outline) ?? null;
  return { session, side: sideOf(session, pass, outline), outline, nodes, gathered, neutral };
}

/** By section; the entries of a section stay in order. */
function sortBySection(entries: DiffEntry[]): DiffEntry[] {
  const place = ({ section }: DiffEntry) => DIFF_SECTIONS.indexOf(section);
  return entries.sort((a, b) => place(a) - place(b));
}

/** Reads what differs of long sessions again, until nothing is missing. */
function compareSides(a: ReadSide, b: ReadSide, plan: DiffPlan): ConversationComparison {
  const { showMasked = false, showSame = false } = plan;
  let wanted = findWanted(a.nodes, b.nodes, showMasked);
  for (let round = 0; ; round++) {
    const ofA = hasWanted(a, wanted.a) ? a : readAgain(a, plan, 'a', wanted.a);
    const ofB = hasWanted(b, wanted.b) ? b : readAgain(b, plan, 'b', wanted.b);
    const comparison = new ConversationComparison(
      { session: idOf(a.session), reader: ofA.outline.reader },
      { session: idOf(b.session), reader: ofB.outline.reader },
      { showMasked, showSame, isNeutral: plan.without !== null },
    );
    comparison.compareLists(ofA.nodes, ofB.nodes);
    const { missing } = comparison;
    if (missing.a.size + missing.b.size === 0 || round > 0) return comparison;
    wanted = { a: addMissing(wanted.a, ofA.nodes, missing.a), b: addMissing(wanted.b, ofB.nodes, missing.b) };
  }
}

/** The hashes of what the first session has; masked differences are found by the second reading. */
function hashesOf({ nodes }: ReadSide): HashSet {
  let count = 0;
  nodes.eachHash(() => count++);
  const all = new Float64Array(count);
  nodes.eachHash((hash) => {
    all[--count] = hash;
  });
  return new HashSet(all);
}

/** Everything wanted was kept. */
function hasWanted({ outline, nodes }: ReadSide, wanted: WantedNodes): boolean {
  if (outline.isWhole || wanted.size === 0) return true;
  return nodes.objects().every(({ at, content: face, inside }) => {
    const parts = wanted.get(at);
    if (!parts) return true;
    return face !== null && loadedNodes(inside ?? []).every((part) => !parts.has(part.at) || part.content !== null);
  });
}

/** Not beyond what was read the first time: the session may have grown. */
function readAgain({ session, outline }: ReadSide, plan: DiffPlan, which: SideKey, wanted: WantedNodes): ReadSide {
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
  return readSide(same, plan, which, { wanted });
}

function sideOf(session: Session, { timeline, dialect }: Pass, outline: SessionOutline): DiffSide {
  const { client, agent, agent_version } = introductionIn(timeline);
  const { name } = session.names;
  const { command, started_at: started } = session.metadata;
  const about = { session: idOf(session), name, dialect, agent, agent_version, client };
  return { ...about, command, started, frames: outline.last, turns: timeline.counts.turns };
}
