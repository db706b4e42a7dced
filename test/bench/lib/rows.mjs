// The rows of the table: numbers as they were measured, what they should be, and whether they are.
import { median } from './pairs.mjs';

const UNITS = {
  time: (s) => (s < 0.001 ? `${(s * 1e6).toFixed(1)} µs` : s < 1 ? `${(s * 1e3).toFixed(1)} ms` : `${s.toFixed(2)} s`),
  memory: (kb) => (kb < 10_240 ? `${(kb / 1024).toFixed(2)} MB` : `${(kb / 1024).toFixed(0)} MB`),
  count: (n) => `${n}`,
  rate: (perSecond) => `${Math.round(perSecond / 1000)}k/s`,
  yes: (yes) => (yes ? 'yes' : 'no'),
};

/** Ours against a baseline: at most so many times as much. Without `most` it is there for information. */
export function ratioRow(what, unit, ours, baseline, most = null) {
  const ratio = median(ours) / median(baseline);
  return {
    ...row(what, unit, ours, baseline),
    ratio,
    target: most === null ? null : `<= ${most}x`,
    verdict: most === null ? null : verdict(ratio <= most),
  };
}

/** Ours against a baseline: at least so many times as much. */
export function atLeastRow(what, unit, ours, baseline, least) {
  const ratio = median(ours) / median(baseline);
  return { ...row(what, unit, ours, baseline), ratio, target: `>= ${least}x`, verdict: verdict(ratio >= least) };
}

/** Ours against a baseline: at most so many seconds more. Without `most` it is there for information. */
export function differenceRow(what, ours, baseline, most) {
  const difference = median(ours) - median(baseline);
  return {
    ...row(what, 'time', ours, baseline),
    difference,
    target: most === null ? null : `<= +${UNITS.time(most)}`,
    verdict: most === null ? null : verdict(difference <= most),
  };
}

/** What ours takes beyond an empty process, against a baseline: at most so many times as much. */
export function beyondRow(what, ours, nothing, baseline, most) {
  const empty = median(nothing);
  return ratioRow(
    what,
    'time',
    ours.map((time) => Math.max(0, time - empty)),
    baseline,
    most,
  );
}

/** Ours against a fixed limit: `{ most }` or `{ least }`. */
export function limitRow(what, unit, ours, { most, least }) {
  const value = median(ours);
  return {
    ...row(what, unit, ours, null),
    target: most === undefined ? `>= ${UNITS[unit](least)}` : `<= ${UNITS[unit](most)}`,
    verdict: verdict(most === undefined ? value >= least : value <= most),
  };
}

export function factRow(what, fact) {
  return { ...row(what, 'yes', [fact ? 1 : 0], null), target: 'yes', verdict: verdict(fact) };
}

/** A scenario that broke has missed. */
export function brokenRow(what, error) {
  return { ...row(what, 'yes', [0], null), target: 'it runs', verdict: verdict(false), error: error.message };
}

function row(what, unit, ours, baseline) {
  return {
    what,
    unit,
    ours: median(ours),
    baseline: baseline && median(baseline),
    ratio: null,
    target: null,
    verdict: null,
    ours_all: ours,
    baseline_all: baseline,
  };
}

const verdict = (good) => (good ? 'ok' : 'MISS');

/** The row as the table shows it. */
export function cells({ what, unit, ours, baseline, ratio, difference, target, verdict, error }) {
  const show = UNITS[unit];
  const relation = ratio !== null ? `${ratio.toFixed(2)}x` : difference !== undefined ? signed(difference) : '-';
  return [
    what,
    error ?? show(ours),
    baseline === null ? '-' : show(baseline),
    relation,
    target ?? '-',
    verdict ?? 'info',
  ];
}

const signed = (s) => `${s < 0 ? '-' : '+'}${UNITS.time(Math.abs(s))}`;
