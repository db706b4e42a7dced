/** Drawing on a canvas that is as sharp as the screen. All sizes are CSS pixels. */

/** Makes the canvas so large, and empty. */
export function cleared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio;
  const wide = Math.max(1, Math.round(width * ratio));
  const high = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d')!;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, wide, high);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** The nearest place between two pixels of the screen. */
export function crisp(place: number): number {
  return Math.round(place * devicePixelRatio) / devicePixelRatio;
}

/** A filled rectangle with sharp edges, at least `least` wide. */
export function box(
  context: CanvasRenderingContext2D,
  from: number,
  to: number,
  top: number,
  height: number,
  least = 1,
): void {
  const left = crisp(from);
  context.fillRect(left, top, Math.max(least, crisp(to) - left), height);
}

export function upright(context: CanvasRenderingContext2D, x: number, top: number, height: number): void {
  context.fillRect(crisp(x), top, 1 / Math.min(2, devicePixelRatio), height);
}

/** A finding: full for errors, hollow for others, with a sign for its severity. */
export function diamond(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  { colour, ground, sign, isFull }: { colour: string; ground: string; sign: string; isFull: boolean },
): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
  context.fillStyle = isFull ? colour : ground;
  context.strokeStyle = isFull ? ground : colour;
  context.lineWidth = isFull ? 1 : 1.5;
  context.fill();
  context.stroke();
  context.fillStyle = isFull ? ground : colour;
  context.textAlign = 'center';
  context.fillText(sign, x, y + 0.5);
  context.textAlign = 'left';
}
