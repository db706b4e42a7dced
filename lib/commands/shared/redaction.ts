/** The options about redaction, the same for every command that writes something to be sent away, and what they mean. */

import { type ArtefactPiece, type Leak, scanForLeaks } from '../../analysis/redact/leak-scan.ts';
import { parsePath, type RedactionMode, type RedactOptions } from '../../analysis/redact/options.ts';
import {
  ALL_PRESETS,
  COUNTRY_PRESETS,
  type CountryPreset,
  type CountryPresets,
} from '../../analysis/redact/presets.ts';
import { PseudonymBook } from '../../analysis/redact/pseudonym-book.ts';
import { countKinds, type RedactedSession, redactSession } from '../../analysis/redact/session.ts';
import { type Suspect, suspectsIn } from '../../analysis/redact/suspects.ts';
import { Exit, Failure } from '../../model/failure.ts';
import { type InspectOptions, piecesIn } from '../../output/export/artefact.ts';
import { type InspectionTask, Inspector } from '../../output/export/inspection.ts';
import { parseUserAlso, parseUserKeep, parseUserRule } from '../../output/export/user-patterns.ts';
import { framesProgress, type Io } from '../../output/terminal/io.ts';
import type { Session } from '../../session/session.ts';
import { LARGER_FILE_BYTES, readSmallFile } from '../../storage/tape/small-file.ts';
import { type Verification, verifyTape } from '../../storage/tape/verify.ts';
import { collectValues } from './options.ts';

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

type CollectOption = typeof collectValues;

/** Flags, help, and how several values are put together. */
const REDACTION_OPTIONS: readonly (readonly [string, string, CollectOption?])[] = [
  ['--redact-text', 'also replace every text by its shape'],
  ['--also <pattern>', 'replace this text too, such as ACME*, or /regex/', collectValues],
  ['--rule <rule>', 'replace what matches /regex/ or NAME=/regex/', collectValues],
  ['--path <path>', 'replace what stands at this JSON path', collectValues],
  ['--literals <file>', 'replace each line of this file'],
  ['--env <name>', 'replace the value of this variable', collectValues],
  ['--preset <name>', 'personal data of cn, us, eu (all by default) or none', collectValues],
  ['--addresses', 'also replace public IP and MAC addresses'],
  ['--keep <pattern>', 'keep values that match this', collectValues],
];

/** The part of a commander command that is used here. */
interface OptionAdder {
  option(flags: string, help: string): unknown;
  option(flags: string, help: string, collect: CollectOption): unknown;
}

/** `isOptional`: the command can also write everything unredacted. */
export function addRedaction(command: OptionAdder, isOptional: boolean): void {
  if (isOptional) command.option('--redact <what>', 'secrets (default), text, or none: nothing is replaced');
  for (const [flags, help, collect] of REDACTION_OPTIONS)
    if (collect) command.option(flags, help, collect);
    else command.option(flags, help);
}

/** `none` selects no country. */
function parsePresets({ preset }: RedactionFlags): CountryPresets {
  if (preset === undefined) return ALL_PRESETS;
  const unknown = preset.find((name) => name !== 'none' && !COUNTRY_PRESETS.includes(name as CountryPreset));
  if (unknown === undefined) return new Set(COUNTRY_PRESETS.filter((name) => preset.includes(name)));
  throw new Failure(`unknown preset ${JSON.stringify(unknown)}`, `use one of: ${COUNTRY_PRESETS.join(', ')}, none`);
}

const MODES: readonly RedactionMode[] = ['secrets', 'text', 'none'];

export function parseRedaction(flags: RedactionFlags, env: NodeJS.ProcessEnv): RedactOptions {
  const keeps = (flags.keep ?? []).map((word) => parsePattern('--keep', word, () => parseUserKeep(word)));
  const paths = (flags.path ?? []).map((word) => {
    const path = parsePath(word);
    if (path) return path;
    throw new Failure(`invalid value ${JSON.stringify(word)} for --path`, 'write a path such as params.items[*].key');
  });
  const rules = [
    ...(flags.rule ?? []).map((word) => parsePattern('--rule', word, () => parseUserRule(word))),
    ...(flags.also ?? []).map((word) => parsePattern('--also', checkWord('--also', word), () => parseUserAlso(word))),
  ];
  const literals = [...readLiterals(flags.literals), ...(flags.env ?? []).map((name) => variableValue(name, env))];
  const { addresses = false } = flags;
  return {
    mode: parseMode(flags),
    rules,
    paths,
    literals,
    addresses,
    presets: parsePresets(flags),
    keeps: (value) => keeps.some((keep) => keep(value)),
  };
}

function parseMode(flags: RedactionFlags): RedactionMode {
  const { redact, redactText, also, rule, path, literals, env, preset, addresses } = flags;
  const mode = redact === undefined ? (redactText ? 'text' : 'secrets') : MODES.find((known) => known === redact);
  if (mode === undefined)
    throw new Failure(`unknown redaction ${JSON.stringify(redact)}`, `use one of: ${MODES.join(', ')}`);
  const hasRules = redactText || also || rule || path || literals || env || preset || addresses;
  if (mode === 'none' && hasRules)
    throw new Failure('--redact none replaces nothing', 'leave out the rules, or --redact none');
  return mode;
}

function parsePattern<T>(option: string, word: string, parse: () => T | null): T {
  const hint = 'write it as /regex/, with i, m, s or u behind it if need be';
  try {
    const parsed = parse();
    if (parsed !== null) return parsed;
  } catch (error) {
    throw new Failure(`invalid value ${JSON.stringify(word)} for ${option}: ${(error as Error).message}`, hint);
  }
  throw new Failure(`invalid value ${JSON.stringify(word)} for ${option}`, hint);
}

function checkWord(option: string, word: string): string {
  if (/[^\s*?]/.test(word)) return word;
  throw new Failure(`${option} ${JSON.stringify(word)} would replace everything`, 'write the text, or a part of it');
}

function readLiterals(file: string | undefined): string[] {
  if (file === undefined) return [];
  try {
    return readSmallFile(file, LARGER_FILE_BYTES)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${(error as Error).message}`);
  }
}

function variableValue(name: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value) return value;
  throw new Failure(`the variable ${name} is not set`, 'set it, or leave out --env');
}

const MAX_SHOWN_LEAKS = 10;

/**
 * Fails if anything that was replaced, or that looks like a secret, is in these pieces. The error names the kind and
 * the place, not the value.
 */
export function refuseLeaks(
  pieces: Iterable<ArtefactPiece>,
  redacted: readonly RedactedSession[],
  { keeps }: RedactOptions,
): void {
  failOnLeaks(scanForLeaks(pieces, { values: valuesOf(redacted), ...(keeps ? { keeps } : {}) }));
}

const valuesOf = (redacted: readonly RedactedSession[]): string[] => redacted.flatMap((one) => [...one.values()]);

function failOnLeaks(leaks: readonly Leak[]): void {
  if (leaks.length === 0) return;
  const lines = leaks.slice(0, MAX_SHOWN_LEAKS).map(({ kind, where }) => `${kind} in ${where}`);
  const hint = 'nothing was written; hide them with --rule, or allow them with --keep';
  throw new Failure(
    `${leaks.length === 1 ? 'a leak' : `${leaks.length} leaks`} found in what was redacted`,
    hint,
    Exit.no,
    lines,
  );
}

/** Sessions that may leave the machine: redacted, unless the user chose otherwise. */
export interface OutboundSessions {
  sessions: readonly Session[];
  /** How each of them was redacted. */
  redacted: readonly RedactedSession[];
  /** Fails if there is a leak in the file. */
  inspect(path: string, options?: InspectOptions): void;
  /** Inspects files in a thread. They must not change meanwhile. */
  inspecting(): LeakInspection;
  /** What a finished session keeps although it looks private. */
  kept?(session: Session): Suspect[];
  /** How many values of each kind were replaced in a session, once it was read. */
  replaced?(session: Session): Record<string, number>;
}

interface LeakInspection {
  inspect(path: string, options: InspectOptions): void;
  /** Fails if there is a leak in one of the files. */
  done(): Promise<void>;
  /** To be called in any case. */
  stop(): Promise<void>;
}

/** Without redaction, files are not scanned. */
export const NO_INSPECTION: Pick<OutboundSessions, 'inspect' | 'inspecting'> = {
  inspect: () => {},
  inspecting: () => ({ inspect: () => {}, done: async () => {}, stop: async () => {} }),
};

function inspectInThread(about: Pick<InspectionTask, 'values' | 'keep'>): LeakInspection {
  const inspector = new Inspector();
  const found: Promise<Leak[]>[] = [];
  return {
    inspect: (path, options) => {
      const leaks = inspector.inspect({ path, ...about, ...options });
      leaks.catch(() => {});
      found.push(leaks);
    },
    done: async () => failOnLeaks((await Promise.all(found)).flat()),
    stop: () => inspector.stop(),
  };
}

type RedactionIo = Pick<Io, 'env' | 'say' | 'progress'>;

export function prepareOutbound(
  sessions: readonly Session[],
  flags: RedactionFlags,
  io: RedactionIo,
): OutboundSessions {
  const redactOptions = parseRedaction(flags, io.env);
  if (redactOptions.mode === 'none') {
    io.say('wiretape: not redacted: check it before you send it');
    const redacted = sessions.map((one) => redactSession(one, redactOptions));
    return { sessions: redacted.map(({ session }) => session), redacted, ...NO_INSPECTION };
  }
  const book = new PseudonymBook();
  const tapes = sessions.map(({ tape }) => verifyTape(tape));
  const redacted = sessions.map((one, i) =>
    redactSession(one, { ...redactOptions, book, progress: framesProgress(io, 'redacting', tapes[i]!.frames) }),
  );
  io.progress('', 0, 0);
  // A part of a session is another object.
  const byId = new Map(redacted.map((one) => [one.session.metadata.session, one]));
  return {
    sessions: redacted.map((one, i) => resealed(tapes[i]!, one)),
    redacted,
    kept: (session) => suspectsIn(session, { keeps: redactOptions.keeps }),
    inspect: (path, options) => refuseLeaks(piecesIn(path, options), redacted, redactOptions),
    inspecting: () => inspectInThread({ values: valuesOf(redacted), keep: flags.keep ?? [] }),
    replaced: ({ metadata }) => {
      const one = byId.get(metadata.session);
      return one ? countKinds(one.manifest()) : {};
    },
  };
}

/** Records which session it was made from. A tape that does not end as a recording does is sealed like an import. */
export function resealed({ verdict, digest }: Verification, { session }: RedactedSession): Session {
  const { metadata } = session;
  const before = metadata.original === undefined ? {} : { original: metadata.original };
  const isRecording = metadata.source !== 'import' && (verdict === 'intact' || verdict === 'recovered');
  const original = { session: metadata.session, verdict, digest, ...before };
  return { ...session, metadata: { ...metadata, original, ...(isRecording ? {} : { source: 'import' }) } };
}
