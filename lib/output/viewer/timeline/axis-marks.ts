/** The marks of the axis: grid lines, labels, breaks where idle time is folded, and the end of the recording. */
import { humanSeconds } from '../../../model/text/text.ts';
import { crisp, upright } from './canvas.ts';
import type { TimelineColours } from './palette.ts';
import type { Scale } from './scale.ts';
import { tickLabel, tickStep, ticksOf } from './ticks.ts';

/** Behind bars. The canvas begins at the left edge of the scale. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  palette: TimelineColours,
  scale: Scale,
  height: number,
): void {
  context.fillStyle = palette.colour('line');
  for (const { x } of ticksOf(scale)) upright(context, x, 0, height);
  for (const { from, to } of foldPlaces(scale)) {
    context.fillStyle = palette.colour('surface');
    context.fillRect(from, 0, to - from, height);
  }
  drawBreaks(context, palette, scale, height);
}

/** Dashes along both sides of each fold, in one stroke: a session may have hundreds. */
function drawBreaks(context: CanvasRenderingContext2D, palette: TimelineColours, scale: Scale, height: number): void {
  if (scale.folds.length === 0) return;
  context.strokeStyle = palette.colour('line');
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  for (const { from, to } of foldPlaces(scale))
    for (const x of [from, to]) {
      context.moveTo(x + 0.5, 0);
      context.lineTo(x + 0.5, height);
    }
  context.stroke();
  context.setLineDash([]);
}

export function drawLabels(
  context: CanvasRenderingContext2D,
  palette: TimelineColours,
  scale: Scale,
  middle: number,
): void {
  const step = tickStep(scale.perSecond);
  context.fillStyle = palette.colour('muted');
  context.textAlign = 'left';
  for (const { t, x } of ticksOf(scale)) context.fillText(tickLabel(t, step), x + 4, middle);
  context.textAlign = 'center';
  for (const { from, to, seconds } of foldPlaces(scale)) {
    const text = [`// ${humanSeconds(seconds)} //`, '//'].find(
      (one) => context.measureText(one).width <= to - from - 2,
    );
    if (text) context.fillText(text, (from + to) / 2, middle);
  }
  context.textAlign = 'left';
}

/** Where folds are drawn, and how long they really are. */
export function foldPlaces(scale: Scale): { from: number; to: number; seconds: number }[] {
  return scale.folds.map((fold) => ({
    from: crisp(scale.x(Math.max(fold.from, scale.from))),
    to: crisp(scale.x(Math.min(fold.to, scale.to))),
    seconds: fold.to - fold.from,
  }));
}
