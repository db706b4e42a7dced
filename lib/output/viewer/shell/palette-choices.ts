/** What the palette offers for what was typed. */
import { fold } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { offset } from '../format.ts';
import { type JumpTarget, readTarget } from './goto.ts';
import { nextIndex, numberAt } from './jumps.ts';

export interface Choice {
  label: string;
  note: string;
  keys: string[];
  run(): void;
}

const MAX_CHOICES = 60;

const WORDS = {
  en: {
    frame: (f: number) => `Go to frame f${f}`,
    turn: (n: number) => `Go to turn ${n}`,
    time: (at: string) => `Go to ${at} after the start`,
    noFrame: (last: number) => `not in this page; the last one is f${last}`,
    noTurn: (last: number) => `there are ${last}`,
  },
  zh: {
    frame: (f: number) => `转到帧 f${f}`,
    turn: (n: number) => `转到第 ${n} 轮`,
    time: (at: string) => `转到开始后 ${at}`,
    noFrame: (last: number) => `不在此页面中；最后一帧是 f${last}`,
    noTurn: (last: number) => `共 ${last} 轮`,
  },
};

/** Those whose label or note has all words that were typed. */
export function chosen(all: readonly Choice[], typed: string): Choice[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const isFound = ({ label, note }: Choice) => {
    const text = fold(`${label} ${note}`);
    return words.every((word) => text.includes(word));
  };
  return all.filter(isFound).slice(0, MAX_CHOICES);
}

/** Null if what was typed is no place. */
export function targetChoice(app: App, typed: string): Choice | null {
  const target = typed.trim() === '' ? null : readTarget(typed);
  if (target === null) return null;
  const { label, note } = described(app, target);
  return { label, note, keys: [], run: () => void goTo(app, target) };
}

function described(app: App, target: JumpTarget): { label: string; note: string } {
  const words = app.words(WORDS);
  const { frames, head } = app.source;
  if (target.is === 'time') return { label: words.time(offset(target.seconds)), note: '' };
  if (target.is === 'turn') {
    const isThere = head.turns.some(({ n }) => n === target.turn);
    return { label: words.turn(target.turn), note: isThere ? '' : words.noTurn(head.turns.length) };
  }
  const isThere = frames.indexOf(target.f) >= 0 || frames.count === 0;
  return { label: words.frame(target.f), note: isThere ? '' : words.noFrame(frames.f(frames.count - 1)) };
}

async function goTo(app: App, target: JumpTarget): Promise<void> {
  const { frames, rows, head } = app.source;
  const how = { focus: true, jump: true };
  if (target.is === 'frame') return app.select({ f: target.f }, how);
  if (target.is === 'turn') {
    const known = head.turns.find(({ n }) => n === target.turn)?.row;
    const row = known ?? nextIndex(rows.count, -1, 1, (one) => rows.turn[one] === target.turn && rows.depth[one] === 0);
    if (row >= 0) app.select({ row }, how);
    return;
  }
  const times = await frames.column('t');
  const at = nextIndex(frames.count, -1, 1, (index) => numberAt(times, index) >= target.seconds);
  const index = at >= 0 ? at : frames.count - 1;
  if (index >= 0) app.select({ f: frames.f(index) }, how);
}
