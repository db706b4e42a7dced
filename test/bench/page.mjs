// A page of `export --format html` for 1k to 1M frames: the time of the export against `gzip -6` of the tape, its size
// against the tape's, and, in Chromium, what its reader waits for. The figures of the targets are for two cores.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from '../browser/support/find.mjs';
import { askPage, heapOf, inPage, openBrowser, scrollPage, startOf } from './lib/browser.mjs';
import { interleave } from './lib/pairs.mjs';
import { limitRow, ratioRow } from './lib/rows.mjs';
import { run } from './lib/run.mjs';
import { saveTape } from './lib/save-tape.mjs';
import { wireMix } from './lib/wire-mix.mjs';

const MIB = 1024;
/** Seconds and megabytes, by the number of frames. */
const SIZES = {
  1000: { name: '1k', file: 0.35, start: 0.25, link: 0.3, columns: 0.016, first: 0.05, text: 0.05, heap: 25 },
  10000: { name: '10k', file: 1.1, start: 0.4, link: 0.5, columns: 0.016, first: 0.15, text: 0.15, heap: 40 },
  100000: { name: '100k', file: 9, start: 1, link: 1.2, columns: 0.03, first: 0.2, text: 1.5, heap: 120 },
  1000000: { name: '1M', file: 90, start: 4, link: 5, columns: 0.06, first: 0.2, text: 10, heap: 600 },
};
/** In Chromium each figure is the median of so many loads. */
const LOADS = 5;
/** A frame of a display with 60 Hz, as the browser rounds it. */
const FRAME = 0.017;
const COLUMNS = ['tool:Shell', 'is:error', 'size:1kb..*', 'kind:text turn:2', 'from:agent -is:delta'];
/** The first is rare, the second in many frames. */
const TEXTS = ['"contradicts itself"', 'the'];

export async function page(bench) {
  const rows = [];
  const hasBrowser = findBrowser() !== null;
  if (!hasBrowser) bench.say('no browser: set CHROMIUM, or install chromium; pages are exported but not opened');
  for (const [frames, targets] of Object.entries(SIZES)) {
    if (Number(frames) > bench.frames) continue;
    bench.progress(`page: a tape of ${targets.name} frames`);
    const tape = join(bench.scratch, `page-${frames}.jsonl`);
    const file = join(bench.scratch, `page-${frames}.html`);
    await saveTape(bench, tape, wireMix(Number(frames)));
    rows.push(...(await exportRows(bench, tape, file, targets)));
    if (hasBrowser) rows.push(...(await browserRows(bench, file, Number(frames), targets)));
    rmSync(tape);
    rmSync(file);
  }
  return rows;
}

async function exportRows(bench, tape, file, { name, file: most }) {
  const took = async (...command) => {
    const start = performance.now();
    await run(command, bench.env);
    return (performance.now() - start) / 1000;
  };
  const exporting = [bench.program, 'export', tape];
  const count = name === '1M' ? Math.min(bench.pairs, 2) : Math.min(bench.pairs, 5);
  const samples = await interleave(
    bench,
    `export of ${name} frames`,
    {
      // It says on stderr what it wrote.
      ours: () =>
        took(
          'sh',
          '-c',
          '"$@" 2> /dev/null',
          'sh',
          ...exporting,
          '--format',
          'html',
          '--redact',
          'none',
          '-o',
          file,
          '--force',
        ),
      gzip: () => took('sh', '-c', 'gzip -6 -c "$1" > /dev/null', 'sh', tape),
    },
    { count },
  );
  const kb = (path) => statSync(path).size / 1024;
  // A process that does nothing takes longer than gzip of a small tape.
  const limit = name === '100k' || name === '1M' ? 3 : null;
  return [
    ratioRow(`export of ${name} frames, against gzip -6 of the tape`, 'time', samples.ours, samples.gzip, limit),
    ratioRow(`page of ${name} frames, against the tape`, 'memory', [kb(file)], [kb(tape)], limit && 0.35),
    limitRow(`page of ${name} frames`, 'memory', [kb(file)], { most: most * MIB }),
  ];
}

/** The browser runs no longer than this: while pages are exported it would be one more program. */
async function browserRows(bench, file, frames, targets) {
  const browser = await openBrowser();
  try {
    return await browsed(bench, browser, file, frames, targets);
  } finally {
    await browser.close();
  }
}

async function browsed(bench, browser, file, frames, targets) {
  const { name } = targets;
  const loads = name === '1M' ? Math.min(bench.pairs, 3) : Math.min(bench.pairs, LOADS);
  const found = { start: [], link: [], columns: [], first: [], text: [], heap: [], scroll: [], long: [] };
  for (let i = 0; i < loads; i++) {
    bench.progress(`page of ${name} frames in Chromium ${i + 1}/${loads}`);
    const linked = await inPage(browser, file, `f${Math.floor(frames / 2)}&v=frames`, startOf);
    found.link.push(linked);
    // As a reader opens it: in the view that comes first.
    await inPage(browser, file, '', async (open) => {
      found.start.push(await startOf(open));
      found.heap.push(await heapOf(open));
    });
    await inPage(browser, file, 'v=frames', async (open) => {
      const { p95, long } = await scrollPage(open);
      found.scroll.push(p95);
      found.long.push(long);
      // The first time, columns are unpacked.
      for (const query of COLUMNS) await askPage(open, query);
      for (const query of COLUMNS) found.columns.push((await askPage(open, query)).all);
      const [rare, common] = [await askPage(open, TEXTS[0]), await askPage(open, TEXTS[1])];
      found.text.push(rare.all);
      found.first.push(common.first);
    });
  }
  const row = (what, unit, all, most) => limitRow(`${what}, ${name} frames`, unit, all, { most });
  return [
    row('page: first row', 'time', found.start, targets.start),
    row('page: frame of a link has the focus', 'time', found.link, targets.link),
    row('page: query on columns', 'time', found.columns, targets.columns),
    row('page: first hits in texts', 'time', found.first, targets.first),
    row('page: all texts', 'time', found.text, targets.text),
    row('page: memory after loading', 'memory', found.heap, targets.heap * MIB),
    row('page: scrolling, p95 of its frames', 'time', found.scroll, FRAME),
    limitRow(`page: tasks over 50 ms while scrolling, ${name} frames`, 'count', found.long, { most: 0 }),
  ];
}
