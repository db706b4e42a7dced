/** The colours of tokens.css as a canvas needs them. They are read once, and again when the theme changes. */
const NAMES = [
  ...(['bg', 'surface', 'line', 'text', 'muted', 'accent', 'selected', 'bad', 'warn', 'good'] as const),
  ...(['lane-client', 'lane-agent', 'lane-think', 'lane-tools', 'lane-approvals', 'lane-subagents'] as const),
  ...(['lane-stderr', 'lane-noise', 'lane-findings'] as const),
] as const;
export type ColourName = (typeof NAMES)[number];

export class TimelineColours {
  readonly font: string;
  readonly #colours = new Map<ColourName, string>();
  readonly #patterns = new Map<string, CanvasPattern | string>();

  /** The host is in the page. */
  constructor(host: HTMLElement) {
    const probe = document.createElement('span');
    probe.hidden = true;
    host.append(probe);
    const computed = getComputedStyle(probe);
    this.font = computed.fontFamily;
    for (const name of NAMES) {
      probe.style.color = `var(--${name})`;
      this.#colours.set(name, computed.color);
    }
    probe.remove();
    // Forced colours are the same for all that is written; lines must not be as strong.
    if (matchMedia('(forced-colors: active)').matches) this.#colours.set('line', 'GrayText');
  }

  colour(name: ColourName): string {
    return this.#colours.get(name)!;
  }

  /** Slanted lines: a request waits for its answer. */
  hatch(name: ColourName): CanvasPattern | string {
    return this.#pattern(`hatch ${name}`, 6, (context) => {
      context.strokeStyle = this.colour(name);
      context.lineWidth = 1.6;
      context.beginPath();
      for (const shift of [-6, 0, 6]) {
        context.moveTo(shift - 1, 7);
        context.lineTo(shift + 7, -1);
      }
      context.stroke();
    });
  }

  /** Dots: thinking. */
  dots(name: ColourName): CanvasPattern | string {
    return this.#pattern(`dots ${name}`, 4, (context) => {
      context.fillStyle = this.colour(name);
      context.beginPath();
      context.arc(2, 2, 1.1, 0, 7);
      context.fill();
    });
  }

  /** A tile of so many pixels, as sharp as the screen. */
  #pattern(key: string, size: number, draw: (context: CanvasRenderingContext2D) => void): CanvasPattern | string {
    const ratio = devicePixelRatio;
    const known = this.#patterns.get(`${key} ${ratio}`);
    if (known) return known;
    const tile = document.createElement('canvas');
    tile.width = Math.round(size * ratio);
    tile.height = tile.width;
    const context = tile.getContext('2d')!;
    context.scale(tile.width / size, tile.width / size);
    draw(context);
    const pattern = context.createPattern(tile, 'repeat')!;
    pattern.setTransform(new DOMMatrix().scale(size / tile.width));
    this.#patterns.set(`${key} ${ratio}`, pattern);
    return pattern;
  }
}

/** Calls `onChange` when colours may have changed other than by the state of the page. */
export function onColours(onChange: () => void): void {
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'])
    matchMedia(query).addEventListener('change', onChange);
}
