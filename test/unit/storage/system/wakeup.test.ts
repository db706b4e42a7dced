/** Waits end by a wakeup or when the time is up, and never before what has come by then is read. */
import { once } from 'node:events';
import { describe, expect } from 'vitest';
import { Timer, Wakeup } from '../../../../lib/storage/system/wakeup.ts';
import { pause, pipe } from '../../../support/paused.ts';
import { it } from '../../../support/store.ts';

const LONG = 1000;
const SHORT = 0.005;

/** After this, the event loop looks at timers before it reads anything. */
const timersNext = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('a wakeup', () => {
  it('ends a wait', async () => {
    const wakeup = new Wakeup();
    const wait = wakeup.wait(LONG);
    wakeup.wake();
    expect(await wait).toBe(true);
  });

  it('ends the next wait if nobody waits, and only that one', async () => {
    const wakeup = new Wakeup();
    wakeup.wake();
    wakeup.wake();
    expect(await wakeup.wait(Number.POSITIVE_INFINITY)).toBe(true);
    expect(await wakeup.wait(SHORT)).toBe(false);
  });

  it('can be forgotten', async () => {
    const wakeup = new Wakeup();
    wakeup.wake();
    wakeup.reset();
    expect(await wakeup.wait(SHORT)).toBe(false);
  });

  it('says until when everything has been read, also if this process stood still', async ({ place }) => {
    const [writer, reader] = await pipe(place);
    const wakeup = new Wakeup();
    const before = wakeup.readUntil;
    let readAt = 0;
    reader.once('data', () => {
      readAt = performance.now() / 1000;
    });
    await timersNext();
    const wait = wakeup.wait(SHORT);
    writer.write('x');
    pause(100);
    expect(await wait).toBe(false);
    expect(readAt).toBeGreaterThan(before);
    expect(wakeup.readUntil).toBeGreaterThan(before);
    writer.destroy();
  });
});

describe('a timer', () => {
  const fired = (set: (timer: Timer) => void) => {
    return new Promise<number>((done) => {
      set(new Timer(done));
    });
  };

  it('keeps the earlier of two times', async () => {
    await fired((timer) => {
      timer.set(SHORT);
      timer.set(LONG);
      timer.set(Number.POSITIVE_INFINITY);
    });
    await fired((timer) => {
      timer.set(LONG);
      timer.set(SHORT);
    });
  });

  it('can be set again when it has fired', async () => {
    let count = 0;
    await new Promise<void>((done) => {
      const timer = new Timer(() => (++count === 3 ? done() : timer.set(SHORT)));
      timer.set(0);
    });
    expect(count).toBe(3);
  });

  it('does not fire when it was cleared, even if the time was up already', async ({ place }) => {
    const [writer, reader] = await pipe(place);
    let hasFired = false;
    const timer = new Timer(() => {
      hasFired = true;
    });
    const read = once(reader, 'data');
    reader.once('data', () => timer.clear());
    await timersNext();
    timer.set(SHORT);
    writer.write('x');
    pause(100);
    await read;
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(hasFired).toBe(false);
    writer.destroy();
  });
});
