/** A screen that is drawn again and again, and the terminal as it was afterwards. */
import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { Screen } from '../../../../lib/output/terminal/screen.ts';

class Fake extends EventEmitter {
  columns = 20;
  rows = 4;
  text = '';
  write(text: string): boolean {
    this.text += text;
    return true;
  }
  /** What was written since the last look. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

const plain = (text: string) => text.replace(/\x1b\[[?\d]*[a-zA-Z]/g, '').split('\r\n');

it('draws in place, on a screen of its own', () => {
  const out = new Fake();
  const screen = new Screen(out, { resized: () => {} });
  expect(out.take()).toBe('\x1b[?1049h\x1b[?25l');
  screen.draw('one\ntwo\n');
  expect(out.take()).toBe('\x1b[Hone\x1b[K\r\ntwo\x1b[K\r\n\x1b[K\r\n\x1b[K');
  screen.close();
  expect(out.take()).toBe('\x1b[?25h\x1b[?1049l');
  expect(out.listenerCount('resize')).toBe(0);
});

it('shows what fits, counting lines that the terminal wraps, in any script and colour', () => {
  const out = new Fake();
  const screen = new Screen(out, { resized: () => {} });
  out.take();
  screen.draw('1\n2\n3\n4\n');
  expect(plain(out.take())).toEqual(['1', '2', '3', '4']);
  screen.draw('1\n2\n3\n4\n5\n');
  expect(plain(out.take())).toEqual(['1', '2', '3', '… 2 more lines']);
  screen.draw(`${'文'.repeat(11)}\n\x1b[1m${'x'.repeat(20)}\x1b[22m\n3\n`);
  expect(plain(out.take())).toEqual(['文'.repeat(11), 'x'.repeat(20), '3']);
  screen.draw(`${'文'.repeat(21)}\n2\n3\n`);
  expect(plain(out.take())).toEqual(['文'.repeat(21), '… 2 more lines']);
  screen.close();
});

it('is drawn again when its size changes, and has the new width', () => {
  const out = new Fake();
  let resized = 0;
  const screen = new Screen(out, { resized: () => resized++ });
  out.columns = 33;
  out.emit('resize');
  expect([resized, screen.columns]).toEqual([1, 33]);
  screen.close();
  out.emit('resize');
  expect(resized).toBe(1);
});

it('erases nothing of a line that is as wide as the terminal', () => {
  const out = new Fake();
  const screen = new Screen(out, { resized: () => {} });
  out.take();
  screen.draw(`${'x'.repeat(20)}\n${'文'.repeat(10)}\n3\n\n5`);
  expect(out.take()).toBe(`\x1b[H${'x'.repeat(20)}\r\n${'文'.repeat(10)}\r\n3\x1b[K\r\n… 2 more lines\x1b[K`);
  screen.close();
});

it('writes nothing if nothing has changed, and all of it if somebody else had the screen', () => {
  const out = new Fake();
  const screen = new Screen(out, { resized: () => {} });
  screen.draw('one');
  const first = out.take();
  screen.draw('one');
  expect(out.take()).toBe('');
  process.emit('SIGCONT', 'SIGCONT');
  screen.draw('one');
  expect(out.take()).toBe(`\x1b[?25h\x1b[?1049l${first}`);
  screen.close();
});

it('takes keys as long as it is there', () => {
  const out = new Fake();
  const seen: string[] = [];
  const keys = { on: () => seen.push('on'), off: () => seen.push('off') };
  const screen = new Screen(out, { resized: () => {}, keys });
  screen.close();
  screen.close();
  expect(seen).toEqual(['on', 'off']);
});

it('says once when the terminal is gone, and writes nothing more', () => {
  const out = new Fake();
  let closed = 0;
  const screen = new Screen(out, { resized: () => {}, closed: () => closed++ });
  out.emit('error', new Error('EIO'));
  out.emit('error', new Error('EIO'));
  out.take();
  screen.draw('one');
  screen.close();
  expect([closed, out.take()]).toEqual([1, '']);
  // A write may still fail afterwards.
  out.emit('error', new Error('EIO'));
});

it('gives the terminal back even if it was never closed', () => {
  const out = new Fake();
  const before = process.listeners('exit');
  const screen = new Screen(out, { resized: () => {} });
  out.take();
  const [leave] = process.listeners('exit').filter((one) => !before.includes(one));
  leave!(1);
  expect(out.take()).toBe('\x1b[?25h\x1b[?1049l');
  screen.close();
  expect(out.take()).toBe('');
});

it('takes up no signals once it is closed', () => {
  const names = ['SIGTSTP', 'SIGCONT', 'exit'] as const;
  const count = () => names.map((name) => process.listenerCount(name as 'exit'));
  const before = count();
  new Screen(new Fake(), { resized: () => {} }).close();
  expect(count()).toEqual(before);
});

it('gives the terminal back while it is suspended, and is drawn again afterwards', () => {
  const out = new Fake();
  const seen: string[] = [];
  const screen = new Screen(out, { resized: () => seen.push('resized') });
  out.take();
  const kill = vi.spyOn(process, 'kill').mockImplementation((_, signal) => {
    seen.push(`${String(signal)} after ${JSON.stringify(out.take())}`);
    return true;
  });
  process.emit('SIGTSTP', 'SIGTSTP');
  kill.mockRestore();
  expect(seen).toEqual([String.raw`SIGTSTP after "\u001b[?25h\u001b[?1049l"`, 'resized']);
  expect(out.take()).toBe('\x1b[?1049h\x1b[?25l');
  screen.close();
});

it('takes a terminal that was closed for what it is', () => {
  const out = new Fake();
  let closed = 0;
  const screen = new Screen(out, { resized: () => {}, closed: () => closed++ });
  screen.draw('here');
  out.take();
  out.emit('error', new Error('EIO'));
  expect(closed).toBe(1);
  screen.draw('nobody sees it');
  screen.close();
  expect(out.take()).toBe('');
  // What was written last fails last.
  out.emit('error', new Error('EIO'));
  expect(closed).toBe(1);
});
