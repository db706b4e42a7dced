/** Draws a track: its bars on their levels. Bars that would fall on pixels that are drawn already are left out. */
import { colourOf } from './bars.ts';
import { box, diamond } from './canvas.ts';
import type { LaneTrack } from './lanes.ts';
import type { TimelineModel } from './model.ts';
import { isAsked, kindOf, lacksEnd, severityOf } from './rows.ts';
import type { Scale } from './scale.ts';
import { endOf, partsOf } from './segments.ts';

/** The height of a level, with the space below its bars. */
export const LEVEL = 9;
const BAR = LEVEL - 2;

export function drawTrack(
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  scale: Scale,
  track: LaneTrack,
  top: number,
): void {
  const { rows, duration } = model;
  const isPoints = track.lane === 'findings';
  const reached = new Float64Array(track.levels).fill(-1);
  // The same as a moment: what ends before it falls on pixels that are drawn, or is not in the window.
  const until = new Float64Array(track.levels).fill(scale.from);
  for (let index = 0; index < track.rows.length; index++) {
    const row = track.rows[index]!;
    if (rows.t[row]! > scale.to) break;
    const level = track.level[index]!;
    const end = endOf(rows, row, duration);
    if (end < until[level]!) continue;
    const from = Math.max(-4, scale.x(rows.t[row]!));
    const to = isPoints ? from : Math.min(scale.width + 4, scale.x(end));
    if (to < -3 || Math.max(to, from + 1) <= reached[level]!) continue;
    context.globalAlpha = model.isFound(row) ? 1 : 0.25;
    const y = top + level * LEVEL;
    if (isPoints) drawFinding(context, model, row, from, y + BAR / 2);
    else drawBar(context, model, scale, row, { from: Math.max(from, reached[level]!), to, y });
    reached[level] = Math.ceil(Math.max(to, from + 2));
    until[level] = scale.t(reached[level]!);
  }
  context.globalAlpha = 1;
}

interface BarArea {
  from: number;
  to: number;
  y: number;
}

function drawBar(
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  scale: Scale,
  row: number,
  { from, to, y }: BarArea,
): void {
  const { rows, palette } = model;
  const colour = colourOf(rows, row);
  const isWait = isAsked(rows, row);
  context.fillStyle = palette.colour(colour);
  // Patterns need some room.
  if (to - from >= 5 && isWait) context.fillStyle = palette.hatch('lane-approvals');
  if (to - from >= 5 && kindOf(rows, row) === 'thinking') context.fillStyle = palette.dots(colour);
  const didWait = !isWait && !Number.isNaN(rows.wait[row]!);
  if (didWait && to - from > 4) drawParts(context, model, scale, row, { from, to, y });
  else box(context, from, to, y, BAR, 2);
  if (lacksEnd(rows, row)) drawArrow(context, palette.colour(isWait ? 'lane-approvals' : 'bad'), to, y);
}

/** A call that waited: the wait is hatched here too. */
function drawParts(
  context: CanvasRenderingContext2D,
  { rows, palette, duration }: TimelineModel,
  scale: Scale,
  row: number,
  { from, to, y }: BarArea,
): void {
  for (const part of partsOf(rows, row, duration)) {
    const left = Math.max(from, scale.x(part.from));
    const right = Math.min(to, scale.x(part.to));
    if (right <= left) continue;
    const isWait = part.is === 'waiting';
    context.fillStyle = isWait ? palette.hatch('lane-approvals') : palette.colour(colourOf(rows, row));
    const isThin = part.is === 'queued';
    box(context, left, right, isThin ? y + BAR / 2 - 1 : y, isThin ? 2 : BAR);
  }
}

function drawFinding(
  context: CanvasRenderingContext2D,
  { rows, palette }: TimelineModel,
  row: number,
  x: number,
  y: number,
): void {
  const severity = severityOf(rows, row);
  const colour = palette.colour(severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'muted');
  diamond(context, x, y, 4, { colour, ground: palette.colour('bg'), sign: '', isFull: severity === 'error' });
}

/** It was still going on when the recording ended. */
function drawArrow(context: CanvasRenderingContext2D, colour: string, x: number, y: number): void {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 6, y + BAR / 2);
  context.lineTo(x, y + BAR);
  context.fill();
}
