/** A process that does not get a processor for a while, although something has come for it. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Place } from './store.ts';

/** Two ends of a pipe of the system: what is written to one is not seen at the other before the event loop looks. */
export async function pipe(place: Place): Promise<[Socket, Socket]> {
  const path = join(place.dir, 'pipe');
  const server = createServer().listen(path);
  await once(server, 'listening');
  const here = connect(path);
  const [there] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [here, there];
}

/** Nothing happens in this process for so long. */
export function pause(ms = 500): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
