/**
 * npm run truth -- PATH: reads every tape NAME.jsonl below PATH as its dialect has it and compares the counts with
 * PATH/TRUTH.tsv, and the audit with PATH/APPROVALS.tsv, if that is there. Prints the differences, one a line, and ends with
 * 1 if there are any.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Audit } from '../../dist/lib/analysis/audit/audit.js';
import { DialectDetector } from '../../dist/lib/dialects/detect.js';
import { TimelineBuilder } from '../../dist/lib/model/timeline/builder.js';
import { SessionReader } from '../../dist/lib/session/reader.js';
import { readLineLog } from '../../dist/lib/storage/tape/import/line-log.js';
import { readTape as readSealed } from '../../dist/lib/storage/tape/read.js';
import { asTable, auditOf, compare, readApprovals } from './approvals.mjs';
import { COLUMNS, count, MORE } from './count.mjs';
import { compareFrames } from './frames.mjs';

const [root] = process.argv.slice(2);
if (!root || !existsSync(join(root, 'TRUTH.tsv'))) {
  console.error('truth: no TRUTH.tsv there\nhint: npm run truth -- PATH, with PATH/TRUTH.tsv and tapes below PATH');
  process.exit(2);
}

const truth = readTruth(join(root, 'TRUTH.tsv'));
const approvals = existsSync(join(root, 'APPROVALS.tsv')) ? readApprovals(join(root, 'APPROVALS.tsv')) : null;
const isOfFrames = approvals !== null && [...approvals.values()].some(([row]) => row?.f !== undefined);
const differences = [];
const tapes = tapesBelow(root).sort();
let rows = 0;

for (const path of tapes) {
  const tape = relative(root, path);
  const expected = truth.get(tape);
  if (!expected) {
    differences.push([tape, '-', 'row', 'none', 'tape']);
    continue;
  }
  const { dialect, frames, counts, audited } = readTape(path);
  for (const column of [...COLUMNS, ...MORE]) {
    // Some tables lack a column, and an empty cell is one that cannot be told.
    if (expected[column] === undefined || counts[column] === expected[column]) continue;
    differences.push([tape, dialect, column, expected[column], counts[column]]);
  }
  if (!approvals) continue;
  const name = tape.replace(/\.jsonl$/, '');
  // A tape whose frames are not counted was framed otherwise when the table was made: its frames have other numbers.
  if (isOfFrames && expected.client === undefined && expected.agent === undefined) continue;
  const wanted = approvals.get(name) ?? [];
  rows += wanted.length;
  const unequal = isOfFrames ? compareFrames(name, wanted, audited) : compare(name, wanted, asTable(audited, frames));
  for (const [line, column, truth, found] of unequal) {
    differences.push([`${tape}:${line}`, dialect, column, truth, found]);
  }
}
for (const tape of truth.keys()) {
  if (!tapes.includes(join(root, tape))) differences.push([tape, '-', 'tape', 'row', 'none']);
}

if (differences.length > 0) print([['tape', 'dialect', 'column', 'truth', 'counted'], ...differences]);
console.log(`${tapes.length} tapes, ${approvals ? `${rows} approvals, ` : ''}${differences.length} differences`);
process.exitCode = differences.length > 0 ? 1 : 0;

function readTape(path) {
  const { command, frames } = isLineLog(path) ? readLineLog(path) : readOwn(path);
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  const { dialect } = detector.best;
  const reader = new SessionReader(dialect, { command });
  const readings = frames.map((frame) => reader.read(frame));
  const builder = new TimelineBuilder({ keep: false });
  function* reads() {
    for (const reading of readings) yield { ...reading, where: builder.take(reading), ledger: builder.ledger };
  }
  const audited = auditOf(new Audit({ command, dialect: dialect.name }), reads());
  return { dialect: dialect.name, frames, counts: count(readings), audited };
}

/** A tape of wiretape's own. */
function readOwn(path) {
  const frames = [];
  let command = [];
  for (const line of readSealed(path)) {
    if (line.is === 'metadata') command = line.metadata.command;
    // Its bytes are valid until the next line is read.
    if (line.is === 'frame') frames.push({ ...line.frame, raw: Buffer.from(line.frame.raw) });
  }
  return { command, frames };
}

/** Logs of lines only: the session folders of agents hold other files of that name. */
function tapesBelow(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return tapesBelow(path);
    if (!entry.name.endsWith('.jsonl') || entry.name.endsWith('.meta.jsonl')) return [];
    return truth.has(relative(root, path)) || isLineLog(path) ? [path] : [];
  });
}

function isLineLog(path) {
  const line = readFileSync(path, 'utf8').split('\n', 1)[0];
  try {
    const { dir, line: text } = JSON.parse(line);
    return typeof dir === 'string' && typeof text === 'string';
  } catch {
    return false;
  }
}

function readTruth(path) {
  const [head, ...rows] = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
  const told = (values) => values.flatMap((value, i) => (value === '' ? [] : [[head[i + 1], Number(value)]]));
  return new Map(rows.map(([tape, ...values]) => [tape, Object.fromEntries(told(values))]));
}

function print(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, i) => String(cell).padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
  }
}
