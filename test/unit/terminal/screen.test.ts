/** A screen that is drawn again and again, and the terminal as it was afterwards. */
import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { Screen } from '../../../lib/screen.ts';

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
  const screen = new Screen(out, () => {});
  expect(out.take()).toBe('\x1b[?1049h\x1b[?25l');
  screen.draw('one\ntwo\n');
  expect(out.take()).toBe('\x1b[Hone\x1b[K\r\ntwo\x1b[K\x1b[J');
  screen.close();
  expect(out.take()).toBe('\x1b[?25h\x1b[?1049l');
  expect(out.listenerCount('resize')).toBe(0);
});

it('shows what fits, counting lines that the terminal wraps, in any script and colour', () => {
  const out = new Fake();
  const screen = new Screen(out, () => {});
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
  const screen = new Screen(out, () => resized++);
  out.columns = 33;
  out.emit('resize');
  expect([resized, screen.columns]).toEqual([1, 33]);
  screen.close();
  out.emit('resize');
  expect(resized).toBe(1);
});

it('takes up no signals once it is closed', () => {
  const before = process.listenerCount('SIGTSTP');
  new Screen(new Fake(), () => {}).close();
  expect(process.listenerCount('SIGTSTP')).toBe(before);
});

it('gives the terminal back while it is suspended, and is drawn again afterwards', () => {
  const out = new Fake();
  const seen: string[] = [];
  const screen = new Screen(out, () => seen.push('resized'));
  out.take();
  const kill = vi.spyOn(process, 'kill').mockImplementation((_, signal) => {
    seen.push(`${String(signal)} after ${JSON.stringify(out.take())}`);
    return true;
  });
  process.emit('SIGTSTP', 'SIGTSTP');
  kill.mockRestore();
  expect(seen).toEqual([String.raw`SIGSTOP after "\u001b[?25h\u001b[?1049l"`, 'resized']);
  expect(out.take()).toBe('\x1b[?1049h\x1b[?25l');
  screen.close();
});

it('takes a terminal that was closed for what it is', () => {
  const out = new Fake();
  const screen = new Screen(out, () => {});
  expect(screen.draw('here')).toBe(true);
  out.emit('error', new Error('EIO'));
  expect(screen.draw('nobody sees it')).toBe(false);
  screen.close();
  // What `close` wrote fails later.
  out.emit('error', new Error('EIO'));
});
