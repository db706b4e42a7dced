/** vibe-json: the list that `--output json` writes at the end, one entry over many lines. */
import { describe, expect, it } from 'vitest';
import { DialectDetector } from '../../../lib/dialects/detect.ts';
import { vibeJson } from '../../../lib/dialects/vibe-json/index.ts';
import { eventsOf, framesOf, kinds, type Said } from '../../support/reading.ts';

const entry = (more: object) => ({ id: 'e', sessionId: 's', turnId: 't', generationStatus: 'completed', ...more });
const lines = (...entries: object[]): Said[] =>
  JSON.stringify(entries, null, 2)
    .split('\n')
    .map((line) => ['agent', line]);
const text = (content: string) =>
  entry({ type: 'message', role: 'assistant', content: [{ type: 'text', text: content }] });
const effect = entry({
  ...{ type: 'effect', detail: { toolName: 'file_system.bash', input: { command: 'ls' } } },
  state: { status: 'completed', outputText: 'a  }\n  },\n]', decision: 'execute' },
});
const told = (said: Said[]) => eventsOf(vibeJson, said).filter((events) => kinds(events) !== 'status');

function detected(said: Said[], command: string[] = []): string {
  const detector = new DialectDetector(command);
  for (const frame of framesOf(said)) detector.take(frame);
  return detector.best.dialect.name;
}

describe('the list of vibe', () => {
  it('is read entry by entry, with the last line of each', () => {
    const said = lines(text('hi'), effect, text('done'));
    const ends = said.flatMap(([, line], i) => (/^ {2}\},?$/.test(String(line)) ? [i] : []));
    const events = eventsOf(vibeJson, said);
    expect(ends.map((i) => kinds(events[i]!))).toEqual(['text', 'tool-call+tool-result', 'text']);
    expect(told(said)).toHaveLength(3);
    expect(events[0]).toMatchObject([{ kind: 'status', takes: 0 }]);
  });

  it('texts that look like the end of an entry are only texts', () => {
    expect(told(lines(effect))[0]).toMatchObject([
      { kind: 'tool-call' },
      { kind: 'tool-result', text: 'a  }\n  },\n]' },
    ]);
  });

  it('may be empty, or break off', () => {
    expect(
      told([
        ['agent', '['],
        ['agent', ']'],
      ]),
    ).toEqual([]);
    expect(told(lines(text('hi'), text('ho')).slice(0, -4))).toMatchObject([[{ kind: 'text', text: 'hi' }]]);
  });

  it('what is no JSON is noise, and so is text outside of it', () => {
    const said: Said[] = [
      ['agent', 'Welcome'],
      ['agent', '['],
      ['agent', '  {'],
      ['agent', '    oops'],
      ['agent', '  }'],
    ];
    expect(eventsOf(vibeJson, said).map(kinds)).toEqual(['noise', 'status', 'status', 'status', 'noise']);
  });

  it('is recognised by its first lines, and by nothing less', () => {
    expect(detected(lines(text('hi')))).toBe('vibe-json');
    expect(detected(lines({ id: 1, name: 'x' }))).toBe('lines');
    expect(detected([], ['vibe', '-p', 'go', '--output', 'json'])).toBe('vibe-json');
  });
});
