/** The options about redaction, the same for every command that writes something to be sent away, and what they mean. */

import { Book } from '../../analysis/redact/book.ts';
import { type Mode, parsePath, type RedactOptions } from '../../analysis/redact/options.ts';
import { ALL_PRESETS, PRESETS, type Preset, type Presets } from '../../analysis/redact/presets.ts';
import { type Leak, type Piece, scan } from '../../analysis/redact/scan.ts';
import { kindsIn, type Redacted, redactSession } from '../../analysis/redact/session.ts';
import { type Suspect, suspectsIn } from '../../analysis/redact/suspects.ts';
import { Exit, Failure } from '../../model/failure.ts';
import { type Looking, piecesIn } from '../../output/export/artefact.ts';
import { type Inspected, Inspector } from '../../output/export/inspection.ts';
import { alsoOf, keepOf, ruleOf } from '../../output/export/user-patterns.ts';
import { framesProgress, type Io } from '../../output/terminal/io.ts';
import type { Session } from '../../session/session.ts';
import { LARGER, readSmall } from '../../storage/tape/small-file.ts';
import { type Verification, verifyTape } from '../../storage/tape/verify.ts';
import { repeated } from './options.ts';

export interface RedactionFlags {
  redact?: string;
  redactText?: boolean;
  also?: string[];
  rule?: string[];
  path?: string[];
  literals?: string;
  env?: string[];
  keep?: string[];
  preset?: string[];
  addresses?: boolean;
}

type Repeat = typeof repeated;

/** Flags, help, and how several values are put together. */
const REDACTION_OPTIONS: readonly (readonly [string, string, Repeat?])[] = [
  ['--redact-text', 'also replace every text by its shape'],
  ['--also <pattern>', 'replace this text too, such as ACME*, or /regex/', repeated],
  ['--rule <rule>', 'replace what matches /regex/ or NAME=/regex/', repeated],
  ['--path <path>', 'replace what stands at this JSON path', repeated],
  ['--literals <file>', 'replace each line of this file'],
  ['--env <name>', 'replace the value of this variable', repeated],
  ['--preset <name>', 'personal data of cn, us, eu (all by default) or none', repeated],
  ['--addresses', 'also replace public IP and MAC addresses'],
  ['--keep <pattern>', 'keep values that match this', repeated],
];

/** The part of a commander command that is used here. */
interface Optioned {
  option(flags: string, help: string): unknown;
  option(flags: string, help: string, collect: Repeat): unknown;
}

/** `isOptional`: the command can also write everything unredacted. */
export function addRedaction(command: Optioned, isOptional: boolean): void {
  if (isOptional) command.option('--redact <what>', 'secrets (default), text, or none: nothing is replaced');
  for (const [flags, help, collect] of REDACTION_OPTIONS)
    if (collect) command.option(flags, help, collect);
    else command.option(flags, help);
}

/** `none` selects no country. */
function presetsOf({ preset }: RedactionFlags): Presets {
  if (preset === undefined) return ALL_PRESETS;
  const unknown = preset.find((name) => name !== 'none' && !PRESETS.includes(name as Preset));
  if (unknown === undefined) return new Set(PRESETS.filter((name) => preset.includes(name)));
  throw new Failure(`unknown preset ${JSON.stringify(unknown)}`, `use one of: ${PRESETS.join(', ')}, none`);
}

const MODES: readonly Mode[] = ['secrets', 'text', 'none'];

export function redactionOf(flags: RedactionFlags, env: NodeJS.ProcessEnv): RedactOptions {
  const keeps = (flags.keep ?? []).map((word) => regexIn('--keep', word, () => keepOf(word)));
  const paths = (flags.path ?? []).map((word) => {
    const path = parsePath(word);
    if (path) return path;
    throw new Failure(`invalid value ${JSON.stringify(word)} for --path`, 'write a path such as params.items[*].key');
  });
  const rules = [
    ...(flags.rule ?? []).map((word) => regexIn('--rule', word, () => ruleOf(word))),
    ...(flags.also ?? []).map((word) => regexIn('--also', wordIn('--also', word), () => alsoOf(word))),
  ];
  const literals = [...linesOf(flags.literals), ...(flags.env ?? []).map((name) => variable(name, env))];
  const { addresses = false } = flags;
  return {
    mode: modeOf(flags),
    rules,
    paths,
    literals,
    addresses,
    presets: presetsOf(flags),
    keeps: (value) => keeps.some((keep) => keep(value)),
  };
}

function modeOf(flags: RedactionFlags): Mode {
  const { redact, redactText, also, rule, path, literals, env, preset, addresses } = flags;
  const mode = redact === undefined ? (redactText ? 'text' : 'secrets') : MODES.find((known) => known === redact);
  if (mode === undefined)
    throw new Failure(`unknown redaction ${JSON.stringify(redact)}`, `use one of: ${MODES.join(', ')}`);
  const asked = redactText || also || rule || path || literals || env || preset || addresses;
  if (mode === 'none' && asked)
    throw new Failure('--redact none replaces nothing', 'leave out the rules, or --redact none');
  return mode;
}

function regexIn<T>(option: string, word: string, parse: () => T | null): T {
  const hint = 'write it as /regex/, with i, m, s or u behind it if need be';
  try {
    const parsed = parse();
    if (parsed !== null) return parsed;
  } catch (error) {
    throw new Failure(`invalid value ${JSON.stringify(word)} for ${option}: ${(error as Error).message}`, hint);
  }
  throw new Failure(`invalid value ${JSON.stringify(word)} for ${option}`, hint);
}

function wordIn(option: string, word: string): string {
  if (/[^\s*?]/.test(word)) return word;
  throw new Failure(`${option} ${JSON.stringify(word)} would replace everything`, 'write the text, or a part of it');
}

function linesOf(file: string | undefined): string[] {
  if (file === undefined) return [];
  try {
    return readSmall(file, LARGER)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${(error as Error).message}`);
  }
}

function variable(name: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value) return value;
  throw new Failure(`the variable ${name} is not set`, 'set it, or leave out --env');
}

const SHOWN = 10;

/**
 * Fails if anything that was replaced, or that looks like a secret, is in these pieces. The error names the kind and
 * the place, not the value.
 */
export function refuseLeaks(pieces: Iterable<Piece>, redacted: readonly Redacted[], { keeps }: RedactOptions): void {
  refuse(scan(pieces, { values: valuesOf(redacted), ...(keeps ? { keeps } : {}) }));
}

const valuesOf = (redacted: readonly Redacted[]): string[] => redacted.flatMap((one) => [...one.values()]);

function refuse(leaks: readonly Leak[]): void {
  if (leaks.length === 0) return;
  const lines = leaks.slice(0, SHOWN).map(({ kind, where }) => `${kind} in ${where}`);
  const hint = 'nothing was written; hide them with --rule, or allow them with --keep';
  throw new Failure(
    `${leaks.length === 1 ? 'a leak' : `${leaks.length} leaks`} found in what was redacted`,
    hint,
    Exit.no,
    lines,
  );
}

/** Sessions that may leave the machine: redacted, unless the user chose otherwise. */
export interface Leaving {
  sessions: readonly Session[];
  /** How each of them was redacted. */
  redacted: readonly Redacted[];
  /** Fails if there is a leak in the file. */
  inspect(path: string, looking?: Looking): void;
  /** Inspects files in a thread. They must not change meanwhile. */
  inspecting(): Inspecting;
  /** What a finished session keeps although it looks private. */
  kept?(session: Session): Suspect[];
  /** How many values of each kind were replaced in a session, once it was read. */
  replaced?(session: Session): Record<string, number>;
}

interface Inspecting {
  inspect(path: string, looking: Looking): void;
  /** Fails if there is a leak in one of the files. */
  done(): Promise<void>;
  /** To be called in any case. */
  stop(): Promise<void>;
}

/** Without redaction, files are not scanned. */
export const UNINSPECTED: Pick<Leaving, 'inspect' | 'inspecting'> = {
  inspect: () => {},
  inspecting: () => ({ inspect: () => {}, done: async () => {}, stop: async () => {} }),
};

function inspectBeside(about: Pick<Inspected, 'values' | 'keep'>): Inspecting {
  const inspector = new Inspector();
  const found: Promise<Leak[]>[] = [];
  return {
    inspect: (path, looking) => {
      const leaks = inspector.inspect({ path, ...about, ...looking });
      leaks.catch(() => {});
      found.push(leaks);
    },
    done: async () => refuse((await Promise.all(found)).flat()),
    stop: () => inspector.stop(),
  };
}

type Told = Pick<Io, 'env' | 'say' | 'progress'>;

export function leaving(sessions: readonly Session[], flags: RedactionFlags, io: Told): Leaving {
  const asked = redactionOf(flags, io.env);
  if (asked.mode === 'none') {
    io.say('wiretape: not redacted: check it before you send it');
    const redacted = sessions.map((one) => redactSession(one, asked));
    return { sessions: redacted.map(({ session }) => session), redacted, ...UNINSPECTED };
  }
  const book = new Book();
  const tapes = sessions.map(({ tape }) => verifyTape(tape));
  const redacted = sessions.map((one, i) =>
    redactSession(one, { ...asked, book, progress: framesProgress(io, 'redacting', tapes[i]!.frames) }),
  );
  io.progress('', 0, 0);
  // A part of a session is another object.
  const byId = new Map(redacted.map((one) => [one.session.metadata.session, one]));
  return {
    sessions: redacted.map((one, i) => sealedAnew(tapes[i]!, one)),
    redacted,
    kept: (session) => suspectsIn(session, { keeps: asked.keeps }),
    inspect: (path, looking) => refuseLeaks(piecesIn(path, looking), redacted, asked),
    inspecting: () => inspectBeside({ values: valuesOf(redacted), keep: flags.keep ?? [] }),
    replaced: ({ metadata }) => {
      const one = byId.get(metadata.session);
      return one ? kindsIn(one.manifest()) : {};
    },
  };
}

/** Records which session it was made from. A tape that does not end as a recording does is sealed like an import. */
export function sealedAnew({ verdict, digest }: Verification, { session }: Redacted): Session {
  const { metadata } = session;
  const before = metadata.original === undefined ? {} : { original: metadata.original };
  const isRecording = metadata.source !== 'import' && (verdict === 'intact' || verdict === 'recovered');
  const original = { session: metadata.session, verdict, digest, ...before };
  return { ...session, metadata: { ...metadata, original, ...(isRecording ? {} : { source: 'import' }) } };
}
