/** A reader that falls behind is named, but not for a pause of this process. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import type { Outlet } from '../../../../lib/recording/proxy/outlet.ts';
import { Pump } from '../../../../lib/recording/proxy/pump.ts';
import { pause, pipe } from '../../../support/paused.ts';
import { it } from '../../../support/store.ts';
import { waitFor } from '../../../support/wait.ts';

/** A pump whose reader has read on when `whenEmpty` says so. */
function pumped(whenEmpty: () => Promise<unknown>): { source: PassThrough; events: string[] } {
  const source = new PassThrough();
  const events: string[] = [];
  const outlet = { congested: true, write: () => {}, whenEmpty } as unknown as Outlet;
  const tap = { data: () => {}, event: (_from: string, event: string) => void events.push(event) };
  new Pump({ stream: 'agent', source, outlet, reader: 'client', tap, onEnd: () => {} });
  return { source, events };
}

it('a reader that does not read is said to stall', async () => {
  const { source, events } = pumped(() => new Promise(() => {}));
  source.write('x');
  await waitFor(() => events.includes('stalled'), 'the event');
});

it('one that has read while this process stood still is not', async ({ place }) => {
  const [reader, here] = await pipe(place);
  reader.write('I have read');
  let isRead = false;
  const { source, events } = pumped(async () => {
    const read = once(here, 'data');
    // The timer runs already, and what the reader did is not seen yet.
    pause(1500);
    await read;
    isRead = true;
  });
  // Timers come next.
  setImmediate(() => source.write('x'));
  await waitFor(() => isRead, 'the reader');
  await new Promise(setImmediate);
  expect(events).toEqual([]);
  reader.destroy();
});
