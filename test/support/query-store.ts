/** A store to ask queries of: the tapes of real programs, and odd conversations, with every frame as its tape tells it. */
import { readdirSync } from 'node:fs';
import type { PathStep } from '../../lib/analysis/query/ast.ts';
import type { FrameFacts } from '../../lib/analysis/query/facts.ts';
import { printPath } from '../../lib/analysis/query/print.ts';
import { QUALIFIERS } from '../../lib/analysis/query/qualifiers.ts';
import type { Frame } from '../../lib/model/frame.ts';
import { type FoundFrame, searchFrames } from '../../lib/storage/search/frames.ts';
import { type Target, targetsOf } from '../../lib/storage/search/targets.ts';
import { ImportBatch } from '../../lib/storage/store/import-batch.ts';
import { findSources as searchFiles } from '../../lib/storage/tape/import/find-sources.ts';
import { surveySource } from '../../lib/storage/tape/import/survey.ts';
import { OddTalk, WORDS } from './odd-session.ts';
import { type Random, randomOf, STOCK, type Stock } from './random-query.ts';
import { makeSession, sessionOn } from './session.ts';
import { FIXTURES } from './stream-lines.ts';

/** One session, with its whole tape. */
export interface Told {
  target: Target;
  frames: { facts: FrameFacts; found: FoundFrame }[];
}

/** The names of those that were imported, by session. */
export function importTapes(home: string, wanted: (name: string) => boolean = () => true): Map<string, string> {
  const names = new Map<string, string>();
  const batch = new ImportBatch({ home, dialect: null });
  for (const name of readdirSync(FIXTURES, { recursive: true }) as string[]) {
    if (!name.endsWith('.jsonl') || name.endsWith('.meta.jsonl') || !wanted(name)) continue;
    for (const one of searchFiles([`${FIXTURES}/${name}`], () => false)) {
      if (one.is !== 'source') throw new Error(`${name} is no tape`);
      const tags = { tape: name.replace('.jsonl', '') };
      const id = batch.add(one.source, surveySource(one.source), { name: null, tags });
      names.set(id, tags.tape);
    }
  }
  batch.settle();
  return names;
}

export function addOddSessions(home: string, random: Random, count: number): void {
  for (let i = 0; i < count; i++) {
    const dialect = i % 2 === 0 ? 'wire' : 'rpc';
    // The first two are long: their texts take several blocks.
    const steps = i < 2 ? 700 : 60;
    makeSession(home, (journal) => new OddTalk(random, journal).play(dialect, steps), {
      id: `20261116T${String(i).padStart(6, '0')}-${dialect[0]}${String(i).padStart(3, '0')}`,
      about: { cwd: i % 3 ? '/home/me/Shop' : '/Σ/K' },
      names: { name: i % 2 ? `odd ${i}` : null, tags: { odd: `${i}`, K: 'ΣΑΣ' } },
    });
  }
}

/** All sessions of a store, by their index, and with all frames by their tapes. */
export async function tellAll(home: string): Promise<Told[]> {
  const talk = { notice: (message: string) => fail(message), progress() {} };
  const { sessions, unreadable } = await targetsOf(home, [], talk);
  if (unreadable.length > 0) fail(JSON.stringify(unreadable));
  return sessions.map((target) => ({ target, frames: framesOf(target) }));
}

function fail(message: string): never {
  throw new Error(message);
}

/** What the tape tells of each frame, kept, so that it is read once and not for every query. */
function framesOf({ summary }: Target): Told['frames'] {
  const asked: FrameFacts[] = [];
  const keep = (facts: FrameFacts) => asked.push(facts) > 0;
  const found = [...searchFrames(sessionOn(summary.tape, { dialect: summary.dialect }), summary, keep)].filter(
    (one) => one !== null,
  );
  return found.map((one, i) => ({ facts: asked[i]!, found: one }));
}

export const framesIn = ({ frames }: Told): Frame[] => frames.map(({ found }) => found.frame);

/** Values that are there: of some frames of some sessions. */
export function stockOf(told: readonly Told[], seed: number): Stock {
  const random = randomOf(seed);
  const known: Record<string, (string | number)[]> = {};
  const texts: string[] = [...STOCK.texts, ...WORDS.filter((word) => word.length < 200)];
  const paths = new Set(STOCK.paths);
  const times = new Set(STOCK.times);
  const note = (name: string, value: unknown) => {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== 'string' && !Number.isFinite(one)) continue;
      known[name] ??= [];
      const values = known[name];
      if (`${one}`.length <= 100 && !values.includes(one) && values.length < 200) values.push(one);
    }
  };
  for (const { frames } of told) {
    let said = '';
    for (const { facts } of frames) {
      if (random() < 0.7) continue;
      for (const { name, of, get } of QUALIFIERS)
        note(name, of === 'frame' ? get(facts as never) : get(facts.session as never));
      const message = facts.message();
      const path: PathStep[] = [];
      said += `${walk(message, random, path)} `;
      if (path.length > 0 && paths.size < 400) {
        const printed = printPath(path);
        paths.add(printed.slice(1));
        note(printed, valueAt(message, path));
      }
      if (times.size < 30) times.add(new Date(facts.at / 1000).toISOString());
    }
    for (let i = 0; i < 6 && said.length > 1; i++) {
      const from = Math.floor(random() * said.length);
      const text = said.slice(from, from + 1 + Math.floor(random() * 12));
      if (text.trim() !== '') texts.push(text);
    }
  }
  const values = [...STOCK.values, ...Object.values(known).flatMap((all) => all.slice(0, 10).map(String))];
  return { ...STOCK, values, texts, paths: [...paths], times: [...times], known };
}

/** Some string of a message, and the way to it. */
function walk(value: unknown, random: Random, path: PathStep[]): string {
  if (value === null || typeof value !== 'object') return String(value);
  const keys = Object.keys(value).filter((key) => key.length < 50);
  if (keys.length === 0) return '';
  const key = keys[Math.floor(random() * keys.length)]!;
  path.push(Array.isArray(value) ? (random() < 0.5 ? { any: true } : { index: Number(key) }) : { key });
  return walk((value as Record<string, unknown>)[key], random, path);
}

function valueAt(value: unknown, path: readonly PathStep[]): unknown {
  let here = value;
  for (const step of path) {
    const key = 'any' in step ? 0 : 'index' in step ? step.index : step.key;
    here = (here as Record<string | number, unknown> | undefined)?.[key];
  }
  return typeof here === 'boolean' ? String(here) : here;
}
