/** Points of a turn: agents cut the same text into more or fewer parts, and say more or less in between. */
import { describe, expect, it } from 'vitest';
import { dialectNamed } from '../../../../lib/dialects/index.ts';
import { ConversationProgress } from '../../../../lib/replay/client/conversation-progress.ts';
import { FrameReader } from '../../../../lib/session/frame-reader.ts';

const event = (type: string, payload: object = {}) => ({ method: 'event', params: { type, payload } });
const text = (part: string) => event('ContentPart', { type: 'text', text: part });
const call = (id: string) =>
  event('ToolCall', { type: 'function', id, function: { name: 'Shell', arguments: '{"command":"ls"}' } });
const BEGIN = [event('TurnBegin', { user_input: 'go' }), event('StepBegin', { n: 1 })];

/** The course of a turn whose agent says this. */
function courseOf(...lines: object[]): ConversationProgress {
  const reader = new FrameReader(dialectNamed('wire')!, { command: ['kimi', '--wire'] }, false);
  const course = new ConversationProgress();
  const take = (from: 'client' | 'agent', message: object, f: number) => {
    const line = JSON.stringify({ jsonrpc: '2.0', ...message });
    const raw = Buffer.from(line);
    const frame = {
      f,
      t: f,
      t0: null,
      from,
      form: 'message',
      raw,
      text: line,
      eol: '\n',
      event: null,
      detail: {},
    } as const;
    course.take(reader.read(frame));
  };
  take('client', { id: 'p', method: 'prompt', params: { user_input: 'go' } }, 1);
  lines.forEach((line, i) => {
    take('agent', line, i + 2);
  });
  return course;
}

const TURN = 1;
const pointAfter = (...lines: object[]) => courseOf(...lines).at(TURN)!;

describe('a point', () => {
  const point = pointAfter(...BEGIN, text('a'), text('b'), text('c'));

  it('is reached by as many parts of the same text', () => {
    expect(courseOf(...BEGIN, text('x'), text('y')).hasReached(point, TURN)).toBe(false);
    expect(courseOf(...BEGIN, text('x'), text('y'), text('z')).hasReached(point, TURN)).toBe(true);
  });

  it('is passed when the agent goes on to something else', () => {
    expect(courseOf(...BEGIN, text('all of it'), call('1')).hasReached(point, TURN)).toBe(true);
  });

  it('is the second text, not more of the first one', () => {
    const second = pointAfter(...BEGIN, text('a'), call('1'), text('b'));
    const long = [...'abcdefgh'].map(text);
    expect(courseOf(...BEGIN, ...long).hasReached(second, TURN)).toBe(false);
    expect(courseOf(...BEGIN, ...long, call('2'), text('i')).hasReached(second, TURN)).toBe(true);
  });

  it('does not count what is said aside', () => {
    const status = event('StatusUpdate', { context_usage: 0.1 });
    expect(courseOf(...BEGIN, text('x'), status, text('y'), text('z')).hasReached(point, TURN)).toBe(true);
  });

  it('before the first line of a turn is the beginning of the turn', () => {
    const begin = { turn: TURN, key: '', run: 0, count: 0 };
    expect(courseOf().hasReached(begin, TURN)).toBe(false);
    expect(courseOf(...BEGIN).hasReached(begin, TURN)).toBe(true);
  });
});
