// Writes a tape of given frames, as the recorder would.
import { closeSync, openSync } from 'node:fs';

/** The frames may be an array or a generator; `more` goes into the metadata. */
export async function saveTape(bench, path, { command, frames }, more = {}) {
  const { Kind } = await bench.module('tape/journal.js');
  const { TapeSink } = await bench.module('tape/sink.js');
  const { TapeBuilder } = await bench.module('tape/write.js');
  const fd = openSync(path, 'wx');
  const sink = new TapeSink(fd);
  const tape = new TapeBuilder(sink, () => {});
  const take = (kind, t, bytes) => tape.take(kind, t, bytes, 0, bytes.length, 0);
  const started_at = new Date(0).toISOString();
  const metadata = {
    type: 'metadata',
    wiretape: 1,
    session: 'bench',
    started_at,
    command,
    cwd: '/',
    recorder: 'bench',
    ...more,
  };
  take(Kind.metadata, 0, Buffer.from(JSON.stringify(metadata)));
  let at = 0;
  for (const { t, form, from, raw, eol, event, detail } of frames) {
    at = Math.round(t * 1e6);
    if (form !== 'event') take(Kind[from], at, Buffer.concat([raw, Buffer.from(eol)]));
    else take(Kind.event, at, Buffer.from(JSON.stringify({ from, event, ...detail })));
  }
  take(Kind.end, at, Buffer.alloc(8));
  sink.flush();
  closeSync(fd);
}
