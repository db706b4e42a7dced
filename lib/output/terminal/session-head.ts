/**
 * The header of a timeline or of statistics. It shows the start time, the client, the agent and their capabilities, and for
 * an import its source and limits.
 */
import { dateOf, type Metadata, microsOf } from '../../model/frame.ts';
import { humanSeconds, textOfValue, visible } from '../../model/text/text.ts';
import type { Timeline } from '../../model/timeline/entries.ts';
import { describeMissing, type ReadShare } from '../../session/understanding.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { heading, wrap, wrapParts } from './wrap.ts';

/** Longer lists of names are only counted. */
const MAX_NAMES = 6;

export interface HeadOptions {
  columns: number;
  theme: Theme;
  name: string | null;
  tags: Record<string, string>;
  running: boolean;
  /** Seconds since the start: now, of a session that runs. */
  clock?: number;
  /** Include the number of turns, tool calls and approvals. */
  counts: boolean;
  /** How much of what the agent said was understood, if that is known. */
  read?: ReadShare | null;
}

export function* sessionHead(
  metadata: Metadata,
  timeline: Timeline & { dialect: string },
  options: HeadOptions,
): Generator<string> {
  const { columns, theme } = options;
  yield* titleLines(metadata, columns, theme);
  for (const words of [
    startAndNames(metadata, timeline, options),
    participants(timeline, options),
    capabilityWords(timeline),
  ]) {
    const safe = words.map((word) => visible(word));
    for (const line of wrapParts(safe, ' · ', columns)) yield `${theme.dim(line)}\n`;
  }
  const missing = describeMissing(options.read ?? null);
  if (missing !== null) for (const line of wrap(missing, columns)) yield `${theme.warn(line)}\n`;
  for (const line of sourceRemarks(metadata))
    for (const part of wrap(visible(line), columns)) yield `${theme.dim(part)}\n`;
}

/** The session and its command. */
export function titleLines({ session, command }: Metadata, columns: number, theme: Theme): Generator<string> {
  return heading(visible(session), visible(command.join(' ')), columns, theme);
}

/** Start time, duration, name and tags. */
function startAndNames({ started_at }: Metadata, { entries }: Timeline, options: HeadOptions): string[] {
  const { name, tags, running, clock } = options;
  const last = entries.reduce((latest, { t_end }) => Math.max(latest, t_end), 0);
  const end = running && clock !== undefined ? clock : last;
  const words = [startWords(started_at), running ? `running for ${humanSeconds(end)}` : humanSeconds(end)];
  if (name !== null) words.push(`name ${name}`);
  for (const [key, value] of Object.entries(tags)) words.push(`${key}=${value}`);
  return words;
}

/** `2026-11-16 05:04:01 UTC`. */
function startWords(startedAt: string): string {
  return `${dateOf(microsOf(startedAt)).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** What was left out, and the source and limits of an import. */
function sourceRemarks(metadata: Metadata): string[] {
  return [...minimizedFrom(metadata), ...importedFrom(metadata)];
}

function minimizedFrom({ minimized }: Metadata): string[] {
  const { session, frames, kept } = (minimized ?? {}) as Record<string, unknown>;
  return typeof kept === 'string' ? [`minimized from ${session}: frames ${kept} of ${frames}`] : [];
}

function importedFrom({ source, source_path, source_format, notes }: Metadata): string[] {
  if (source !== 'import') return [];
  const from = typeof source_path === 'string' ? source_path : 'a file';
  const format = typeof source_format === 'string' ? ` (${source_format})` : '';
  const importNotes = Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [];
  return [`imported${format} from ${from}`, ...importNotes.map((note) => `- ${note}`)];
}

function participants({ dialect, handshake, counts }: Timeline & { dialect: string }, options: HeadOptions): string[] {
  const peer = (who?: { name: string; version: string | null }) =>
    who ? `${who.name} ${who.version ?? ''}`.trim() : null;
  const words = [
    `${dialect} ${handshake.protocol ?? ''}`.trim(),
    // The dialect of an agent's own log has the agent's name.
    handshake.agent?.name === dialect && handshake.agent.version === null ? null : peer(handshake.agent),
    handshake.client ? `for ${peer(handshake.client)}` : null,
    handshake.model ?? null,
    options.counts ? countWords(counts, options.read?.enough !== false) : null,
  ];
  return words.filter((word) => word !== null);
}

/** `isAll`: what is not counted is not there. */
function countWords({ turns, tools, approvals, errors }: Timeline['counts'], isAll: boolean): string | null {
  const words = [
    turns > 0 ? plural(turns, 'turn') : null,
    tools > 0 ? plural(tools, 'tool call') : null,
    approvals > 0 ? plural(approvals, 'approval') : null,
    errors > 0 ? plural(errors, 'error') : null,
  ].filter((word) => word !== null);
  return words.length > 0 ? words.join(', ') : isAll ? 'no turns' : null;
}

function capabilityWords({ handshake }: Timeline): string[] {
  const { capabilities, tools, commands, mode } = handshake;
  const words: string[] = [];
  if (mode) words.push(`mode ${mode}`);
  for (const [kind, names] of capabilityLists(capabilities)) words.push(namesOrCount(kind, names));
  if (tools?.accepted.length) words.push(namesOrCount('client tool', tools.accepted));
  if (tools?.refused.length) words.push(namesOrCount('refused tool', tools.refused));
  if (commands?.length) words.push(namesOrCount('command', commands));
  return words;
}

/** The names of enabled capabilities, and lists of names. */
function capabilityLists(value: unknown): [kind: string, names: string[]][] {
  if (Array.isArray(value)) return [['capability', value.map(textOfValue)]];
  if (typeof value !== 'object' || value === null) return [];
  const on: string[] = [];
  const lists: [string, string[]][] = [];
  for (const [key, inside] of Object.entries(value)) {
    if (Array.isArray(inside)) {
      const names = inside.map((one) => (typeof one === 'string' ? one : textOfValue(one?.name ?? '?')));
      if (names.length > 0) lists.push([key.replace(/s$/, ''), names]);
    } else if (inside !== false && inside !== null && !key.startsWith('_')) on.push(key.replace(/^supports_/, ''));
  }
  return on.length > 0 ? [['can', on], ...lists] : lists;
}

function namesOrCount(kind: string, names: string[]): string {
  if (kind === 'can') return `can ${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ', …' : ''}`;
  const plain = kind.replaceAll('_', ' ');
  const many = names.length === 1 ? plain : plain.endsWith('y') ? `${plain.slice(0, -1)}ies` : `${plain}s`;
  return names.length > MAX_NAMES ? `${names.length} ${many}` : `${many} ${names.join(', ')}`;
}
