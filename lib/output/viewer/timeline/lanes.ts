/**
 * Rows as tracks over the time axis: one for each lane, and one for each subagent. Bars of a track that overlap are
 * stacked. All of it is numbers, made once for a session.
 */
import { LANES, type Lane, type RowTable } from '../../page/page.ts';
import { hasFinding, isBracket } from './rows.ts';
import type { Scale } from './scale.ts';
import { endOf } from './segments.ts';

/** More bars than this at a time are drawn over each other. */
const MAX_LEVELS = 6;

export interface LaneTrack {
  lane: Lane;
  /** Index of the subagent; 0: the main agent. */
  agent: number;
  /** Its rows by the time at which they begin. */
  rows: Uint32Array;
  /** The level of each of these, from 0, and how many there are. */
  level: Uint8Array;
  levels: number;
}

/** In the order of lanes and agents. A lane without rows has no track. */
export function tracksOf(rows: RowTable, duration: number): LaneTrack[] {
  const members = new Map<number, number[]>();
  const add = (key: number, row: number): void => {
    const list = members.get(key);
    if (list) list.push(row);
    else members.set(key, [row]);
  };
  const findings = LANES.indexOf('findings');
  for (let row = 0; row < rows.count; row++) {
    if (!isBracket(rows, row)) add(trackKey(rows, row), row);
    if (hasFinding(rows, row)) add(findings << 16, row);
  }
  return [...members].sort(([a], [b]) => a - b).map(([key, list]) => packed(rows, key, list, duration));
}

/** What a subagent says and calls is in its own track; what it asks is an approval like any other. */
function trackKey(rows: RowTable, row: number): number {
  const lane = LANES[rows.lane[row]!]!;
  const isOwn = rows.agent[row]! > 0 && (lane === 'agent' || lane === 'tools' || lane === 'subagents');
  return isOwn ? (LANES.indexOf('subagents') << 16) | rows.agent[row]! : rows.lane[row]! << 16;
}

function packed(rows: RowTable, key: number, list: number[], duration: number): LaneTrack {
  const sorted = Uint32Array.from(list);
  // Most tracks are in order, and sorting takes long.
  if (!isInOrder(rows, list)) sorted.sort((a, b) => rows.t[a]! - rows.t[b]! || a - b);
  const level = new Uint8Array(sorted.length);
  const ends: number[] = [];
  for (let index = 0; index < sorted.length; index++) {
    const row = sorted[index]!;
    level[index] = freeLevel(ends, rows.t[row]!);
    ends[level[index]!] = Math.max(ends[level[index]!] ?? 0, endOf(rows, row, duration));
  }
  return { lane: LANES[key >> 16]!, agent: key & 0xffff, rows: sorted, level, levels: ends.length };
}

function isInOrder(rows: RowTable, list: readonly number[]): boolean {
  for (let index = 1; index < list.length; index++) if (rows.t[list[index]!]! < rows.t[list[index - 1]!]!) return false;
  return true;
}

/** The first that is free at this time, else the one that is free next. */
function freeLevel(ends: readonly number[], t: number): number {
  for (let level = 0; level < ends.length; level++) if (ends[level]! <= t) return level;
  if (ends.length < MAX_LEVELS) return ends.length;
  let next = 0;
  for (let level = 1; level < ends.length; level++) if (ends[level]! < ends[next]!) next = level;
  return next;
}

/** What is drawn of a session, for those who only need this much. */
interface Drawn {
  rows: RowTable;
  scale: Scale;
  duration: number;
}

/** How near the pointer must be. */
const MAX_POINTER_DISTANCE = 5;

/** The row of the bar at this place of a level, or the nearest one; -1: none is near. */
export function barAt({ rows, scale, duration }: Drawn, track: LaneTrack, x: number, level: number): number {
  const wanted = Math.max(0, Math.min(track.levels - 1, level));
  let best = -1;
  let nearest = MAX_POINTER_DISTANCE;
  for (let index = 0; index < track.rows.length; index++) {
    const row = track.rows[index]!;
    const from = scale.x(rows.t[row]!);
    if (from > x + MAX_POINTER_DISTANCE) break;
    if (track.level[index] !== wanted) continue;
    const to = track.lane === 'findings' ? from : scale.x(endOf(rows, row, duration));
    const distance = Math.max(from - x, x - to, 0);
    if (distance > nearest) continue;
    nearest = distance;
    best = row;
  }
  return best;
}
