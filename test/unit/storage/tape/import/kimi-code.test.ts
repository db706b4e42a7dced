/** kimi-code's journal: records verbatim, of one agent or several. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { fileIn, IMPORTS, importOne, textOfFrame, writeIn } from '../../../../support/imports.ts';
import { it } from '../../../../support/store.ts';

const FOLDER = join(IMPORTS, 'kimi-code-2.1.0-shell');
const MAIN = fileIn('kimi-code-2.1.0-shell', 'agents/main/wire.jsonl');

describe('a folder of kimi-code', () => {
  it.for([
    ['its folder', FOLDER],
    ['the file itself', MAIN],
  ] as const)('comes in verbatim by %s', ([, path], { place }) => {
    const { frames, metadata, notes, verdict } = importOne(place, path);
    const lines = readFileSync(MAIN, 'utf8').trimEnd().split('\n');
    expect(frames.map(textOfFrame)).toEqual(lines.slice(1));
    expect(metadata).toMatchObject({
      source_format: 'kimi-code',
      source_path: expect.stringMatching(/session_3817491e[^/]*$/),
      rebuilt: false,
      protocol: '1.5',
      cwd: '/home/dev/project',
      started_at: '2026-11-16T05:27:43.988000Z',
      title: 'SCENARIO=shell run it',
    });
    expect(notes.join('\n')).toMatch(/own journal.*\n.*client's lines/);
    expect(verdict).toBe('intact');
  });

  it('with several agents says whose file the next records stood in', ({ place }) => {
    const record = (type: string, time: number) => JSON.stringify({ type, time: 1790000000000 + time });
    const header = '{"type":"metadata","protocol_version":"1.4","created_at":1790000000000}';
    writeIn(place, 's/agents/main/wire.jsonl', [header, record('turn.prompt', 1), record('turn.ended', 9)].join('\n'));
    writeIn(place, 's/agents/agent-1/wire.jsonl', [header, record('turn.prompt', 2), 'torn'].join('\n'));
    const { frames, skipped } = importOne(place, join(place.dir, 's'));
    const what = frames.map((frame) =>
      frame.event ? [frame.event, frame.detail.agent ?? frame.detail.held] : JSON.parse(textOfFrame(frame)).type,
    );
    expect(what).toEqual([
      ['file', 'main'],
      'turn.prompt',
      ['file', 'agent-1'],
      'turn.prompt',
      ['unread', 'torn'],
      ['file', 'main'],
      'turn.ended',
    ]);
    expect(skipped).toBe(1);
  });
});
