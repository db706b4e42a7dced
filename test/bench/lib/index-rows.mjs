// Fills a fresh index with the rows of one session, and tells how long it took: {"frames":n,"seconds":s,...}.
// Arguments: the measured program; `ours` (from the tape) or `raw` (the finished rows, inserted by better-sqlite3 and
// nothing else); the store that has the session; the folder for the fresh index.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [program, how, store, fresh] = process.argv.slice(2);
const built = (path) => import(join(dirname(program), '..', 'lib', path));
const { openIndex } = await built('index/file.js');
const { indexSession, inTransaction } = await built('index/indexer.js');
const open = (home) => openIndex(home, { patienceMs: 1000, notice: console.error });
const TABLES = ['sessions', 'exchanges', 'approvals', 'texts', 'frames'];

function ours(db) {
  const [id] = readdirSync(join(store, 'sessions'));
  const dir = join(store, 'sessions', id);
  return () => inTransaction(db, () => indexSession(db, { id, dir, tape: join(dir, 'wire.jsonl'), running: false }));
}

function raw(db) {
  const from = open(store);
  const rows = TABLES.map((table) => from.prepare(`SELECT * FROM ${table}`).raw().all());
  from.close();
  return () =>
    inTransaction(db, () => {
      TABLES.forEach((table, i) => {
        if (rows[i].length === 0) return;
        const insert = db.prepare(`INSERT INTO ${table} VALUES (${rows[i][0].map(() => '?')})`);
        for (const row of rows[i]) insert.run(...row);
      });
    });
}

const db = open(fresh);
const fill = { ours, raw }[how](db);
const before = process.cpuUsage();
const start = performance.now();
fill();
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(before);
const frames = db.prepare('SELECT count(*) FROM frames').pluck().get();
db.close();
console.log(JSON.stringify({ frames, seconds, status: 0, used: (user + system) / 1e6 }));
