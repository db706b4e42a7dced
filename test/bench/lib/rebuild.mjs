// Makes a tape of a journal with the built modules, and tells how long it took: {"frames":n,"seconds":s,...}.
// Arguments: the measured program, the journal, the tape to write.
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finalSeal } from './tape.mjs';

const [program, journal, tape] = process.argv.slice(2);
const built = (path) => import(join(dirname(program), '..', 'lib', path));
const { JournalReader } = await built('tape/journal.js');
const { TapeSink } = await built('tape/sink.js');
const { TapeBuilder } = await built('tape/write.js');

const start = performance.now();
const reader = new JournalReader(journal);
const fd = openSync(tape, 'wx', 0o600);
const sink = new TapeSink(fd);
const builder = new TapeBuilder(sink, (at, into) => reader.readBack(at, into));
while (reader.readBlock(builder.take)) {}
sink.flush();
closeSync(fd);
reader.close();
const seconds = (performance.now() - start) / 1000;

const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ frames: finalSeal(tape)?.f ?? 0, seconds, status: 0, cpu: (user + system) / 1e6 }));
