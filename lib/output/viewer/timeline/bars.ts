/** Draws the bar of one row. Shape and text show what a row means; colour only repeats it. */

import { LANES, type RowTable } from '../../page/page.ts';
import { box, crisp, diamond } from './canvas.ts';
import { barTexts } from './describe.ts';
import type { TimelineModel } from './model.ts';
import type { ColourName, TimelineColours } from './palette.ts';
import { isAsked, isBracket, isFailed, kindOf, lacksEnd, severityOf } from './rows.ts';
import type { Scale } from './scale.ts';
import { type BarSegment, endOf, partsOf } from './segments.ts';

const BAR = 12;
/** More rows inside a closed row are not drawn one by one. */
const MAX_INNER_ROWS = 50_000;

export function colourOf(rows: RowTable, row: number): ColourName {
  if (isFailed(rows, row) && !isBracket(rows, row)) return 'bad';
  const kind = kindOf(rows, row);
  if (kind === 'thinking') return 'lane-think';
  if (kind === 'process') return 'muted';
  return `lane-${LANES[rows.lane[row]!]!}`;
}

/** `y` is the top of the row; `right` where the plot ends. The canvas begins at the left edge of the scale. */
export function drawRow(
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  row: number,
  place: { y: number; height: number; right: number },
): void {
  const { rows, scale, palette, duration } = model;
  const from = scale.x(rows.t[row]!);
  const to = scale.x(endOf(rows, row, duration));
  const middle = place.y + place.height / 2;
  const isFound = model.isFound(row);
  // Bars may fade; what is written stays readable.
  const alpha = isFound ? 1 : 0.3;
  if (to < 0 || from > scale.width) {
    context.fillStyle = palette.colour('muted');
    context.fillText(to < 0 ? '‹' : '›', to < 0 ? -8 : scale.width + 3, middle);
  } else {
    context.globalAlpha = alpha;
    const parts = partsOf(rows, row, duration);
    if (isBracket(rows, row)) drawBracket(context, model, row, middle);
    else if (to - from < 1.5) drawTick(context, palette, colourOf(rows, row), from, middle);
    else for (const part of parts) drawPart(context, model, row, part, middle);
    const after = lacksEnd(rows, row) ? drawOpenEnd(context, model, row, to, middle) : Math.max(to, from + 2);
    context.globalAlpha = 1;
    drawText(
      context,
      model,
      {
        ...{ texts: barTexts(model, row, parts), isBad: isFailed(rows, row) },
        colour: isFound && (isFailed(rows, row) || lacksEnd(rows, row)) ? 'bad' : 'muted',
      },
      from,
      after,
      middle,
      place.right,
    );
    context.globalAlpha = alpha;
    drawFinding(context, model, row, from, middle);
  }
  context.globalAlpha = 1;
}

function clamped(scale: Scale, x: number): number {
  return Math.max(-OVERHANG, Math.min(x, scale.width + OVERHANG));
}
/** Bars go on beyond both edges of the window, so that they are seen to go on. */
const OVERHANG = 8;

/** A thin line with ends, over what happened inside if the row is closed. */
function drawBracket(context: CanvasRenderingContext2D, model: TimelineModel, row: number, middle: number): void {
  const { rows, scale, palette, duration, tree } = model;
  const isTurn = kindOf(rows, row) === 'turn';
  const from = clamped(scale, scale.x(rows.t[row]!));
  const to = clamped(scale, scale.x(endOf(rows, row, duration)));
  const isClosed = tree.hasInside(row) && !tree.isOpen(row);
  if (isClosed) drawInside(context, model, row, middle);
  context.fillStyle = palette.colour(isFailed(rows, row) ? 'bad' : rows.agent[row]! > 0 ? 'lane-subagents' : 'muted');
  const thick = isTurn ? 2 : 1;
  const top = crisp(middle - (isClosed ? 8 : thick / 2));
  box(context, from, to, top, thick, 2);
  const height = isTurn ? 9 : 7;
  const down = isClosed ? top : middle - height / 2;
  if (from > -OVERHANG) box(context, from, from + thick, down, height, thick);
  if (to < scale.width + OVERHANG && !lacksEnd(rows, row)) box(context, to - thick, to, down, height, thick);
}

/** One mark for each pixel that something inside takes. */
function drawInside(
  context: CanvasRenderingContext2D,
  { rows, scale, palette, duration }: TimelineModel,
  row: number,
  middle: number,
): void {
  const end = Math.min(rows.end[row]!, row + MAX_INNER_ROWS);
  const reached = new Map<ColourName, number>();
  for (let inner = row + 1; inner < end; inner++) {
    if (isBracket(rows, inner)) continue;
    const colour = colourOf(rows, inner);
    const start = scale.x(rows.t[inner]!);
    const to = Math.min(scale.width, Math.max(start + 1, scale.x(endOf(rows, inner, duration))));
    const from = Math.max(reached.get(colour) ?? 0, start);
    // Less than half a pixel would only push the next one away.
    if (to - from < 0.5) continue;
    reached.set(colour, to);
    context.fillStyle = isAsked(rows, inner) ? palette.hatch('lane-approvals') : palette.colour(colour);
    box(context, from, to, middle - 3, 6, 1);
  }
}

function drawTick(
  context: CanvasRenderingContext2D,
  palette: TimelineColours,
  colour: ColourName,
  x: number,
  middle: number,
): void {
  context.fillStyle = palette.colour(colour);
  box(context, x, x + 2, middle - BAR / 2, BAR, 2);
}

function drawPart(
  context: CanvasRenderingContext2D,
  model: TimelineModel,
  row: number,
  part: BarSegment,
  middle: number,
): void {
  const { rows, scale, palette } = model;
  const from = clamped(scale, scale.x(part.from));
  const to = clamped(scale, scale.x(part.to));
  if (to <= from && part.to > part.from) return;
  const colour = colourOf(rows, row);
  const top = middle - BAR / 2;
  if (part.is === 'waiting') {
    framed(context, palette, 'lane-approvals', palette.hatch('lane-approvals'), from, to, top);
  } else if (part.is === 'args') {
    framed(context, palette, colour, null, from, to, top);
  } else if (part.is === 'queued' || part.is === 'after') {
    context.fillStyle = palette.colour(colour);
    box(context, from, to, middle - 1, 2);
  } else if (kindOf(rows, row) === 'thinking') {
    framed(context, palette, colour, palette.dots(colour), from, to, top);
  } else {
    context.fillStyle = palette.colour(colour);
    box(context, from, to, top, BAR, 2);
  }
}

/** A light box with an outline, and a pattern in it. */
function framed(
  context: CanvasRenderingContext2D,
  palette: TimelineColours,
  colour: ColourName,
  pattern: CanvasPattern | string | null,
  from: number,
  to: number,
  top: number,
): void {
  const before = context.globalAlpha;
  context.fillStyle = palette.colour(colour);
  // Too narrow for a pattern.
  if (to - from < 5) return box(context, from, to, top, BAR, 2);
  context.globalAlpha = before * 0.16;
  box(context, from, to, top, BAR, 2);
  context.globalAlpha = before;
  if (pattern) {
    context.fillStyle = pattern;
    box(context, from, to, top, BAR, 2);
  }
  context.strokeStyle = palette.colour(colour);
  context.lineWidth = 1;
  context.strokeRect(crisp(from) + 0.5, top + 0.5, Math.max(1, crisp(to) - crisp(from) - 1), BAR - 1);
}

/** An arrow: nothing has ended it. Returns where the arrow ends. */
function drawOpenEnd(
  context: CanvasRenderingContext2D,
  { rows, scale, palette }: TimelineModel,
  row: number,
  to: number,
  middle: number,
): number {
  const x = clamped(scale, to);
  context.fillStyle = palette.colour(isAsked(rows, row) ? 'lane-approvals' : 'bad');
  context.beginPath();
  context.moveTo(x + 1, middle - 6);
  context.lineTo(x + 8, middle);
  context.lineTo(x + 1, middle + 6);
  context.fill();
  return x + 9;
}

/** Between a text and the bar behind it, or the finding at its start. */
const BEFORE = 10;

/** Behind the bar if there is room, else before it, else behind it as much as fits. */
function drawText(
  context: CanvasRenderingContext2D,
  { palette, scale }: TimelineModel,
  { texts, isBad, colour }: { texts: readonly string[]; isBad: boolean; colour: ColourName },
  from: number,
  after: number,
  middle: number,
  right: number,
): void {
  const behind = Math.min(after, scale.width + OVERHANG) + 6;
  context.fillStyle = palette.colour(colour);
  const sign = isBad ? '! ' : '';
  for (const text of texts) {
    if (text === '' && sign === '') return;
    const width = context.measureText(sign + text).width;
    if (behind + width <= right - 4) return context.fillText(sign + text, behind, middle);
    if (from - width - BEFORE >= 0) return context.fillText(sign + text, from - width - BEFORE, middle);
  }
  context.fillText(
    sign + texts.at(-1)!,
    Math.min(behind, right - 4 - context.measureText(sign + texts.at(-1)!).width),
    middle,
  );
}

const SEVERITY = {
  error: { colour: 'bad', sign: '!', isFull: true },
  warning: { colour: 'warn', sign: '!', isFull: false },
  info: { colour: 'muted', sign: 'i', isFull: false },
} as const;

function drawFinding(
  context: CanvasRenderingContext2D,
  { rows, palette }: TimelineModel,
  row: number,
  x: number,
  middle: number,
): void {
  const severity = severityOf(rows, row);
  if (!severity || x < 0) return;
  const { colour, sign, isFull } = SEVERITY[severity];
  const mark = { colour: palette.colour(colour), ground: palette.colour('bg'), sign, isFull };
  const font = context.font;
  context.font = `bold 9px ${palette.font}`;
  diamond(context, x, middle, 7, mark);
  context.font = font;
}
