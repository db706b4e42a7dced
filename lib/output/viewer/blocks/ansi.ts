/**
 * Output of a terminal program as styled text. Only colours and emphasis are obeyed, as class names. Other sequences move
 * the cursor, name the window or fill the clipboard: they are dropped and counted. Concealed text is shown.
 */
import { SEQUENCE } from '../../../model/text/sequences.ts';

export interface Run {
  text: string;
  /** Class names, separated by blanks; empty for plain text. */
  style: string;
}

export interface Styled {
  runs: Run[];
  /** How many sequences were dropped. */
  hidden: number;
}

interface AnsiStyle {
  front: number;
  back: number;
  flags: Set<string>;
}

const FLAGS: Record<number, string> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  8: 'conceal',
  9: 'strike',
};

/** What switches flags off. */
const OFF: Record<number, readonly string[]> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  28: ['conceal'],
  29: ['strike'],
};

export function styled(text: string): Styled {
  const runs: Run[] = [];
  const pen: AnsiStyle = { front: -1, back: -1, flags: new Set() };
  let hidden = 0;
  let from = 0;
  const put = (to: number) => {
    if (to > from) runs.push({ text: text.slice(from, to), style: styleOf(pen) });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    put(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm' && /^[\d;:]*$/.test(match[1]!)) obey(pen, match[1]!);
    else hidden++;
  }
  put(text.length);
  return { runs, hidden };
}

function styleOf({ front, back, flags }: AnsiStyle): string {
  const names = [...flags].map((flag) => `ansi-${flag}`);
  if (front >= 0) names.push(`ansi-${front}`);
  if (back >= 0) names.push(`ansi-on-${back}`);
  return names.join(' ');
}

function obey(pen: AnsiStyle, parameters: string): void {
  const codes = parameters.split(/[;:]/).map(Number);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 38 || code === 48) {
      const [colour, used] = extended(codes, i + 1);
      if (code === 38) pen.front = colour;
      else pen.back = colour;
      i += used;
    } else simple(pen, code);
  }
}

function simple(pen: AnsiStyle, code: number): void {
  if (code === 0) {
    pen.front = -1;
    pen.back = -1;
    pen.flags.clear();
  } else if (FLAGS[code]) pen.flags.add(FLAGS[code]);
  else if (OFF[code]) for (const flag of OFF[code]) pen.flags.delete(flag);
  else if (code >= 30 && code <= 37) pen.front = code - 30;
  else if (code >= 40 && code <= 47) pen.back = code - 40;
  else if (code >= 90 && code <= 97) pen.front = code - 82;
  else if (code >= 100 && code <= 107) pen.back = code - 92;
  else if (code === 39) pen.front = -1;
  else if (code === 49) pen.back = -1;
}

/** A colour of 256 or of 16 million as the nearest of the 16, and how many codes say it. */
function extended(codes: readonly number[], at: number): [colour: number, used: number] {
  if (codes[at] === 5) return [indexed(codes[at + 1] ?? 0), 2];
  if (codes[at] === 2) return [nearest(codes[at + 1] ?? 0, codes[at + 2] ?? 0, codes[at + 3] ?? 0), 4];
  return [-1, 0];
}

function indexed(n: number): number {
  if (n < 16) return n;
  if (n >= 232) return nearest((n - 232) * 10 + 8, (n - 232) * 10 + 8, (n - 232) * 10 + 8);
  const level = (step: number) => (step === 0 ? 0 : step * 40 + 55);
  const cube = n - 16;
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/** By hue: a colour is on where it is more than half of the strongest one. Greys by lightness. */
function nearest(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return most < 64 ? 0 : most < 144 ? 8 : most < 216 ? 7 : 15;
  const isOn = (part: number) => part - least > (most - least) / 2;
  const hue = (isOn(red) ? 1 : 0) + (isOn(green) ? 2 : 0) + (isOn(blue) ? 4 : 0);
  return most > 180 ? hue + 8 : hue;
}
