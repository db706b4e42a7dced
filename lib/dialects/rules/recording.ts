/** The recording itself: what is missing from it, and why, as far as that is certain. */
import type { Frame } from '../../model/frame.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { defineRules, type GroupReader, info, NOTHING, type RuleDefinition, type RuleHit } from './rule.ts';

const RULES = {
  'io-gap': info.unknown(
    'the recording has no gaps',
    'wiretape: a gap says how many bytes of which stream are missing',
  ),
  'io-lost': info.unknown(
    'the recording reaches the end of the session',
    'wiretape: the recorder was killed, or gave up on a pipe that did not end',
  ),
  'io-undelivered': info.unknown(
    'each side reads everything that the other writes',
    'wiretape: bytes that were received but could not be delivered',
  ),
};

type RecordingRule = keyof typeof RULES;

const STREAM_NAMES: Readonly<Record<string, string>> = { agent: 'stdout', stderr: 'stderr' };

class RecordingRules implements GroupReader<RecordingRule> {
  /** Pipes that the recorder gave up before they ended: the reason is known when the process has ended. */
  #abandoned: { f: number; stream: string; isHeld: boolean }[] = [];

  take(read: ReadFrame): readonly RuleHit<RecordingRule>[] {
    const { frame } = read;
    if (frame.form !== 'event') return NOTHING;
    const { f, event, detail } = frame;
    if (event === 'gap') {
      const of = typeof detail.stream === 'string' ? ` of the ${detail.stream}` : '';
      return [{ rule: 'io-gap', f, message: `${detail.missing ?? 'some'} bytes${of} are missing from the recording` }];
    }
    if (event === 'lost') return [...this.end(), { rule: 'io-lost', f, message: 'the recorder was killed here' }];
    if (event === 'abandoned') this.#addAbandoned(read);
    return event === 'exit' ? [...this.end(countsOf(frame)), ...undelivered(frame)] : NOTHING;
  }

  end(unread: unknown = {}): RuleHit<RecordingRule>[] {
    const hits = this.#abandoned.map(({ f, stream, isHeld }): RuleHit<RecordingRule> => {
      const name = STREAM_NAMES[stream] ?? 'pipes';
      if (isHeld || Number(countsIn(unread)[stream]) > 0) {
        const message = `the client had stopped reading when the agent ended: what the agent's ${name} still held is not recorded`;
        return { rule: 'io-lost', f, fault: 'client', message, timed: true };
      }
      const message = `the agent ended, but another process kept the agent's ${name} open: what that process wrote later is not recorded`;
      return { rule: 'io-lost', f, message, timed: true };
    });
    this.#abandoned = [];
    return hits;
  }

  /** A full pipe was not read to its end by the recorder either, so it need not have been kept open by a process. */
  #addAbandoned({ frame: { f, detail }, ledger }: ReadFrame): void {
    const held = stringsIn(detail.stalled);
    const { stalled } = ledger.process;
    const streams = stringsIn(detail.streams);
    for (const stream of streams.length > 0 ? streams : ['']) {
      const isHeld = held.includes(stream) || (stalled?.stream === stream && stalled.whose === 'client');
      this.#abandoned.push({ f, stream, isHeld });
    }
  }
}

function undelivered(frame: Frame): RuleHit<RecordingRule>[] {
  return Object.entries(countsOf(frame)).flatMap(([stream, bytes]): RuleHit<RecordingRule>[] => {
    if (!(Number(bytes) > 0)) return [];
    const reader = stream === 'client' ? 'agent' : 'client';
    const message = `${bytes} bytes from the ${stream} could not be delivered: the ${reader} did not read them`;
    return [{ rule: 'io-undelivered', f: frame.f, message }];
  });
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function countsIn(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}

const countsOf = ({ detail }: Frame) => countsIn(detail.undelivered);

export const RECORDING_RULES: readonly RuleDefinition[] = defineRules(null, RULES, () => new RecordingRules());
