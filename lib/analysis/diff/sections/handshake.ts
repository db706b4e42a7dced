/** What the two sides said of themselves before the first prompt: versions, capabilities, commands, options. */
import { toJson } from '../../../model/message.ts';
import type { Timeline } from '../../../model/timeline/entries.ts';
import { align } from '../align.ts';
import type { ContentReader } from '../content-reader.ts';
import { hashText } from '../hash.ts';
import type { HandshakeLine } from '../raw-lines.ts';
import type { Change, DiffEntry } from '../result.ts';
import { diffValues } from '../values.ts';
import { makeSectionEntry } from './section.ts';

export interface Introduction {
  handshakes: HandshakeLine[];
  reader: ContentReader;
  about: Timeline['handshake'];
}

/** Line by line, if both speak the same protocol. */
export function diffHandshakes(sessions: { a: string; b: string }, a: Introduction, b: Introduction): DiffEntry[] {
  const keys = ({ handshakes }: Introduction) => handshakes.map(({ name }) => hashText(name));
  /** Of a line that comes again, only new differences are reported. */
  const known = new Set<string>();
  const isNew = (name: string, change: Change): boolean => {
    const { size } = known;
    return known.add(toJson([name, change])).size > size;
  };
  return align(keys(a), keys(b)).flatMap(([i, j]): DiffEntry[] => {
    const [one, other] = [a.handshakes[i], b.handshakes[j]];
    const { name } = (one ?? other)!;
    const all = diffValues(contentOf(one), contentOf(other), '', comparisonOf(a, b));
    const changes = [...all].filter((change) => change.path === '' || isNew(name, change));
    if (changes.length === 0) return [];
    const op = one ? (other ? 'changed' : 'removed') : 'added';
    const fields = { kind: 'handshake' as const, name, a: one?.f ?? null, b: other?.f ?? null };
    return [makeSectionEntry('handshake', sessions, op, { ...fields, changes })];
  });
}

/** In neutral words. */
export function diffIntroductions(sessions: { a: string; b: string }, a: Introduction, b: Introduction): DiffEntry[] {
  const changes = [...diffValues(commonFields(a.about), commonFields(b.about), '', comparisonOf(a, b))].filter(
    isReported,
  );
  if (changes.length === 0) return [];
  const [f, other] = [a.handshakes[0]?.f ?? null, b.handshakes[0]?.f ?? null];
  return [
    makeSectionEntry('handshake', sessions, 'changed', {
      kind: 'handshake',
      name: '',
      what: '',
      a: f,
      b: other,
      changes,
    }),
  ];
}

/** Capabilities and modes are words of a protocol. */
function commonFields({ agent, client, model, cwd }: Timeline['handshake']): Record<string, unknown> {
  return { ...(agent && { agent }), ...(client && { client }), ...(model && { model }), ...(cwd && { cwd }) };
}

/** Both say it, and in other words: protocols have their own spelling of names, and add to those of models. */
function isReported({ op, path, a, b }: Change): boolean {
  if (op !== 'changed' || a === null || b === null) return false;
  const [one, other] = [a, b].map((value) => String(value).toLowerCase()) as [string, string];
  if (path === '/model') return !one.includes(other) && !other.includes(one);
  return !path.endsWith('/name') || one !== other;
}

function contentOf(one: HandshakeLine | undefined): Record<string, unknown> | undefined {
  if (!one) return undefined;
  const { request, answer } = one.raw;
  return { ...(request == null ? {} : { request }), ...(answer == null ? {} : { answer }) };
}

function comparisonOf(a: Introduction, b: Introduction) {
  return {
    a: a.reader.normaliserFor('handshake', 'answer'),
    b: b.reader.normaliserFor('handshake', 'answer'),
    isIgnored: (pointer: string) => a.reader.isIgnored('handshake', pointer),
  };
}
