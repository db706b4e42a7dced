/** Recorded sessions of Claude Code: a model that fails, and signals. */
import { describe, expect, it } from 'vitest';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { FrameMeter } from '../../../../lib/session/stats.ts';
import { readAll } from '../../../support/audit.ts';
import { buildClaude, claudeTape } from '../../../support/claude.ts';
import { itemsOf } from '../../../support/timeline.ts';

function causes(frames: Frame[], command: string[], running = false): string[] {
  const watch = new SessionWatch({ command, dialect: 'stream-json' });
  for (const read of readAll(streamJson, frames, command)) watch.take(read);
  const moment = { t: watch.now.t, running, process: null, unfinished: [] };
  return explain('s', 0, watch, moment).map(({ cause }) => cause ?? '');
}

describe('requests to the model that fail', () => {
  const { frames, command } = claudeTape('err429');

  it('are the reason why a prompt is not answered', () => {
    expect(causes(frames, command)).toEqual([
      expect.stringContaining(
        '5 requests to the model failed, the last in f11: attempt 5 of 10 failed: 429 rate_limit, again in 9.9 s, then',
      ),
    ]);
    expect(causes(frames.slice(0, 7), command, true)[0]).toContain(
      'and 1 request to the model failed, the last in f7:',
    );
  });

  it('are shown and counted', () => {
    const built = buildClaude('err429');
    const notices = itemsOf(built).filter(({ kind }) => kind === 'notice');
    expect(notices.map(({ f, turn, name }) => [f, turn, name])).toEqual(
      [7, 8, 9, 10, 11].map((f) => [f, 1, 'api_retry']),
    );
    const meter = new FrameMeter();
    for (const reading of built.readings) meter.take(reading);
    expect(meter.retries).toBe(5);
  });
});

it('SIGTERM ended it, not the SIGCONT that followed', () => {
  const { frames, command } = claudeTape('err429');
  const at = frames.findIndex(({ event }) => event === 'signal');
  const woken = { ...frames[at]!, detail: { ...frames[at]!.detail, signal: 'SIGCONT' } };
  const all = frames.toSpliced(at + 1, 0, woken).map((frame, i) => ({ ...frame, f: i + 1 }));
  expect(causes(all, command)[0]).toMatch(/sent SIGTERM \(f13\)/);
});
