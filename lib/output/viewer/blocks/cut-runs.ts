/** Where styled text is folded. */
import type { Run } from './ansi.ts';

/** Lines without end are folded by their characters. */
const CHARACTERS_A_LINE = 400;

/** The first so many lines, and the rest. A little too much is not cut: a button would take as much room. */
export function cutRuns(runs: readonly Run[], most: number): [head: Run[], rest: Run[]] {
  const [head, rest] = splitRuns(runs, most);
  const left = rest.reduce((sum, { text }) => sum + text.length, 0);
  const lines = rest.reduce((sum, { text }) => sum + text.split('\n', 8).length - 1, 0);
  const isLittle = left < CHARACTERS_A_LINE && lines < 4;
  return isLittle ? [[...runs], []] : [head, rest];
}

function splitRuns(runs: readonly Run[], most: number): [head: Run[], rest: Run[]] {
  const head: Run[] = [];
  let lines = 0;
  let room = most * CHARACTERS_A_LINE;
  for (const [i, run] of runs.entries()) {
    const { text } = run;
    let end = -1;
    for (let at = text.indexOf('\n'); at >= 0 && at < room && end < 0; at = text.indexOf('\n', at + 1))
      if (++lines >= most) end = at + 1;
    if (end < 0 && text.length > room) end = whole(text, room);
    if (end >= 0) {
      if (end > 0) head.push({ ...run, text: text.slice(0, end) });
      const rest = runs.slice(i + 1);
      return [head, end < text.length ? [{ ...run, text: text.slice(end) }, ...rest] : rest];
    }
    head.push(run);
    room -= text.length;
  }
  return [head, []];
}

/** Not between the halves of a pair. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at;
}
