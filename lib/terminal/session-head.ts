/** What stands above a timeline: which session, which dialect, spoken by whom, and what the two can do, in short. */
import type { Metadata } from '../core/frame.ts';
import { visible } from '../core/text.ts';
import type { Timeline } from '../core/timeline/shape.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { wrap } from './wrap.ts';

/** More names than these are only counted. */
const NAMED = 6;

export function* sessionHead(
  { session, command }: Metadata,
  timeline: Timeline & { dialect: string },
  columns: number,
  theme: Theme,
): Generator<string> {
  const [first = '', ...rest] = wrap(`${visible(session)} ${visible(command.join(' '))}`, columns);
  const name = visible(session);
  yield `${theme.strong(first.slice(0, name.length))}${first.slice(name.length)}\n`;
  for (const line of rest) yield `${line}\n`;
  for (const words of [speakers(timeline), abilities(timeline)]) {
    if (words.length > 0) for (const line of wrap(visible(words.join(' · ')), columns)) yield `${theme.dim(line)}\n`;
  }
}

function speakers({ dialect, handshake, counts }: Timeline & { dialect: string }): string[] {
  const peer = (who?: { name: string; version: string | null }) =>
    who ? `${who.name} ${who.version ?? ''}`.trim() : null;
  const { turns, tools, approvals, errors } = counts;
  const sums = [plural(turns, 'turn'), plural(tools, 'tool'), plural(approvals, 'approval')];
  if (errors > 0) sums.push(plural(errors, 'error'));
  const words = [
    `${dialect} ${handshake.protocol ?? ''}`.trim(),
    peer(handshake.agent),
    handshake.client ? `for ${peer(handshake.client)}` : null,
    handshake.model ?? null,
    sums.join(', '),
  ];
  return words.filter((word) => word !== null);
}

function abilities({ handshake }: Timeline): string[] {
  const { capabilities, tools, commands, mode } = handshake;
  const words: string[] = [];
  if (mode) words.push(`mode ${mode}`);
  for (const [kind, names] of capable(capabilities)) words.push(few(kind, names));
  if (tools?.accepted.length) words.push(few('client tool', tools.accepted));
  if (tools?.refused.length) words.push(few('refused tool', tools.refused));
  if (commands?.length) words.push(few('command', commands));
  return words;
}

/** Names of what is switched on, and lists of names. */
function capable(value: unknown): [kind: string, names: string[]][] {
  if (Array.isArray(value)) return [['capability', value.map(String)]];
  if (typeof value !== 'object' || value === null) return [];
  const on: string[] = [];
  const lists: [string, string[]][] = [];
  for (const [key, inside] of Object.entries(value)) {
    if (Array.isArray(inside)) {
      const names = inside.map((one) => (typeof one === 'string' ? one : String(one?.name ?? '?')));
      if (names.length > 0) lists.push([key.replace(/s$/, ''), names]);
    } else if (inside !== false && inside !== null) on.push(key);
  }
  return on.length > 0 ? [['can', on], ...lists] : lists;
}

function few(kind: string, names: string[]): string {
  if (kind === 'can') return `can ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ', …' : ''}`;
  const plain = kind.replaceAll('_', ' ');
  const many = names.length === 1 ? plain : plain.endsWith('y') ? `${plain.slice(0, -1)}ies` : `${plain}s`;
  return names.length > NAMED ? `${names.length} ${many}` : `${many} ${names.join(', ')}`;
}
