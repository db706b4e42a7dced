/** Makes the rows of a tree from a list that is easy to read. */
import {
  LANES,
  type Lane,
  ROW_KINDS,
  ROW_STATES,
  type RowState,
  type RowTable,
  type TreeRowKind,
} from '../../../../../lib/output/page/page.ts';

export interface Sample {
  kind: TreeRowKind;
  depth?: number;
  t?: number;
  t_end?: number;
  ready?: number;
  wait?: readonly [number, number];
  run?: number;
  lane?: Lane;
  state?: RowState;
  marks?: number;
  agent?: number;
  f?: number;
}

/** Rows in order; `depth` says which contains which. */
export function rowTable(samples: readonly Sample[]): RowTable {
  const count = samples.length;
  const numbers = (of: (sample: Sample, row: number) => number): Float64Array => Float64Array.from(samples, of);
  const parent = samples.map((sample, row) => {
    let at = row - 1;
    while (at >= 0 && (samples[at].depth ?? 0) >= (sample.depth ?? 0)) at--;
    return at;
  });
  const end = samples.map((sample, row) => {
    let at = row + 1;
    while (at < count && (samples[at].depth ?? 0) > (sample.depth ?? 0)) at++;
    return at;
  });
  return {
    count,
    kind: Uint8Array.from(samples, ({ kind }) => ROW_KINDS.indexOf(kind)),
    depth: Uint8Array.from(samples, ({ depth }) => depth ?? 0),
    parent: Int32Array.from(parent),
    end: Uint32Array.from(end),
    f: Uint32Array.from(samples, ({ f }, row) => f ?? row),
    f_end: Uint32Array.from(samples, ({ f }, row) => f ?? row),
    t: numbers(({ t }) => t ?? 0),
    t_end: numbers(({ t, t_end }) => t_end ?? t ?? 0),
    ready: numbers(({ ready }) => ready ?? Number.NaN),
    wait: numbers(({ wait }) => wait?.[0] ?? Number.NaN),
    wait_end: numbers(({ wait }) => wait?.[1] ?? Number.NaN),
    run: numbers(({ run }) => run ?? Number.NaN),
    lane: Uint8Array.from(samples, ({ lane }) => LANES.indexOf(lane ?? 'agent')),
    state: Uint8Array.from(samples, ({ state }) => ROW_STATES.indexOf(state ?? 'done')),
    marks: Uint8Array.from(samples, ({ marks }) => marks ?? 0),
    turn: new Uint32Array(count),
    agent: Uint16Array.from(samples, ({ agent }) => agent ?? 0),
    parts: new Uint32Array(count).fill(1),
  };
}
