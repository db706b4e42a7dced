/** Sessions by hand for the rules: lines of both sides, what happens to the process, and what is found in them. */
import { Checker } from '../../lib/analysis/check/checker.ts';
import { RULES } from '../../lib/analysis/check/rules.ts';
import type { Finding, Rule } from '../../lib/dialects/rules/rule.ts';
import type { Frame } from '../../lib/model/frame.ts';
import { Pass } from '../../lib/session/pass.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';

export interface Given {
  dialect?: string;
  command?: string[];
  source?: string;
  /** It has not ended. */
  isRunning?: boolean;
  rules?: readonly Rule[];
}

/**
 * `>` a line of the client, `<` one of the agent, `!eof`, `!eof agent`, `!exit 1`, `!signal SIGINT` what happens; `~5` five seconds pass, else
 * a tenth. Frames are numbered from 1; what only passes the time has no number.
 */
export function framesOf(script: readonly string[]): Frame[] {
  let t = 0;
  const frames: Frame[] = [];
  for (const line of script) {
    t += line.startsWith('~') ? Number(line.slice(1)) : 0.1;
    if (!line.startsWith('~')) frames.push({ ...frameOf(line), f: frames.length + 1, t });
  }
  return frames;
}

function frameOf(line: string): Frame {
  const plain = { f: 0, t: 0, t0: null, raw: new Uint8Array(), eol: '\n', event: null, detail: {} } as const;
  const from = line[0] === '>' ? 'client' : 'agent';
  if (!line.startsWith('!')) return { ...plain, from, form: 'message', raw: Buffer.from(line.slice(1)) };
  const [event = '', word = ''] = line.slice(1).split(' ');
  const detail = event === 'exit' ? exitOf(word) : event === 'signal' ? { signal: word } : {};
  return {
    ...plain,
    from: event === 'eof' ? (word === 'agent' ? 'agent' : 'client') : 'proc',
    form: 'event',
    event,
    detail,
  };
}

const exitOf = (word: string) =>
  /^\d+$/.test(word) ? { code: Number(word), signal: null } : { code: null, signal: word };

export function findingsOf(script: readonly string[], given: Given = {}): Finding[] {
  return check(framesOf(script), given);
}

export function check(frames: readonly Frame[], given: Given): Finding[] {
  const { command = [], dialect = 'wire', source = 'record', rules = RULES } = given;
  const checker = new Checker({ command, dialect, source }, rules);
  const found: Finding[] = [];
  for (const read of new Pass({ command, dialect, frames: () => frames })) found.push(...checker.take(read));
  return given.isRunning ? found : [...found, ...checker.end()];
}

/** A tape of real traffic: its dialect, and what is found in it. */
export function checkTape(path: string): { dialect: string; findings: Finding[] } {
  const { command, frames } = readLineLog(path);
  const { dialect } = new Pass({ command, frames: () => frames });
  return { dialect, findings: check(frames, { command, dialect, source: 'import' }) };
}
