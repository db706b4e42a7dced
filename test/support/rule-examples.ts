/**
 * Examples of broken rules, which are sessions that can be checked: test/fixtures/rules. In a file:
 *   ## rule          the rule that is broken
 *   dialect: command the session; the command may be absent
 *   client text      a line, as it crossed the pipe; `<BOM>`, `<CR>` and the like stand for what cannot be seen
 *   !proc exit {…}   what happened
 *   ~5               five seconds pass, else a tenth
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Checker } from '../../lib/analysis/check/checker.ts';
import { INCOMPLETE } from '../../lib/analysis/check/incomplete.ts';
import { RULES } from '../../lib/analysis/check/rules.ts';
import type { Finding } from '../../lib/dialects/rules/rule.ts';
import type { Eol, Frame, From } from '../../lib/model/frame.ts';
import { Pass } from '../../lib/session/pass.ts';

export interface Example {
  rule: string;
  dialect: string;
  command: string[];
  /** As in the file, one a frame. */
  lines: string[];
  frames: Frame[];
}

const FOLDER = fileURLToPath(new URL('../fixtures/rules', import.meta.url));

/** By rule. */
export function readExamples(): Map<string, Example> {
  const texts = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
  const parts = texts.flatMap((text) => text.split(/^## /m).slice(1));
  return new Map(parts.map((part) => exampleOf(part.trimEnd().split('\n'))).map((one) => [one.rule, one]));
}

function exampleOf([rule = '', session = '', ...rest]: string[]): Example {
  const [dialect = '', command = ''] = session.split(': ');
  const frames: Frame[] = [];
  let t = 0;
  for (const line of rest) {
    t += line.startsWith('~') ? Number(line.slice(1)) : 0.1;
    if (!line.startsWith('~')) frames.push({ ...frameOf(line), f: frames.length + 1, t });
  }
  const lines = rest.filter((line) => !line.startsWith('~'));
  return { rule, dialect, command: command.split(' ').filter(Boolean), lines, frames };
}

function frameOf(line: string): Frame {
  const [, bang, from, text = ''] = /^(!?)(\w+) ?(.*)$/.exec(line) as unknown as [string, string, From, string];
  const plain = { f: 0, t: 0, t0: null, from, raw: new Uint8Array(), eol: '\n' as Eol, event: null, detail: {} };
  if (bang) {
    const [, event = '', detail = ''] = /^(\S+) ?(.*)$/.exec(text)!;
    return { ...plain, form: 'event', event, detail: detail ? JSON.parse(detail) : {} };
  }
  const eol = text.endsWith('<CR>') ? '\r\n' : text.endsWith('<no LF>') ? '' : '\n';
  return { ...plain, form: 'message', eol, raw: rawOf(text.replace(/<(?:CR|no LF)>$/, '')) };
}

const MARKS: Readonly<Record<string, number[]>> = {
  ...{ '<BOM>': [0xef, 0xbb, 0xbf], '<U+2028>': [0xe2, 0x80, 0xa8], '<ff>': [0xff] },
};

/** `<x*70>` is seventy times `x`. */
function rawOf(text: string): Uint8Array {
  const long = text.replace(/<([^<>*]+)\*(\d+)>/g, (_, one: string, times: string) => one.repeat(Number(times)));
  return Buffer.concat(long.split(/(<[^<> ]+>)/).map((part) => Buffer.from(MARKS[part] ?? Buffer.from(part))));
}

/** What is found in an example. */
export function findingsIn({ rule, dialect, command, frames }: Example): Finding[] {
  const rules = rule === INCOMPLETE.id ? [...RULES, INCOMPLETE] : RULES;
  const checker = new Checker({ dialect, command, source: 'record' }, rules);
  const found: Finding[] = [];
  for (const read of new Pass({ command, dialect, frames: () => frames })) found.push(...checker.take(read));
  return [...found, ...checker.end()];
}
