/** Sends lines to the live agent, and reads each as part of the live conversation before the agent can answer it. */

import type { Json } from '../../dialects/dialect.ts';
import { headerOf } from '../../model/content-length.ts';
import { blocksOf } from '../../model/frame.ts';
import { exactJson } from '../../model/id.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { StreamMessage } from '../lines-in.ts';
import type { Debts } from './debts.ts';
import type { Live } from './live.ts';
import type { LiveIds } from './live-ids.ts';
import { type Outgoing, outgoing, type Paths } from './outgoing.ts';
import type { Peer } from './peer.ts';
import type { Answer, Step } from './steps.ts';

export class Voice {
  /** The agent does not read fast enough. */
  isFull = false;
  readonly #live: Live;
  readonly #ids: LiveIds;
  readonly #debts: Debts;
  readonly #paths: Paths | null;
  #peer!: Peer;

  constructor(live: Live, ids: LiveIds, debts: Debts, paths: Paths | null) {
    this.#live = live;
    this.#ids = ids;
    this.#debts = debts;
    this.#paths = paths;
  }

  connect(peer: Peer): void {
    this.#peer = peer;
  }

  step(step: Step): void {
    this.#send(step, this.#paths, (f) => {
      step.liveF = f;
      if (step.what === 'request' || step.isPrompt) this.#debts.add(f, step);
    });
  }

  answer(answer: Answer, asked: ReadFrame): void {
    // An agent that names the recorded folder wants it back.
    const [recorded] = this.#paths ?? [''];
    const isNamed = recorded !== '' && textIn(asked.frame)?.includes(recorded);
    this.#send(answer, isNamed ? null : this.#paths);
  }

  /** A line that is not on the tape. */
  madeUp(line: Json, isFramed: boolean): void {
    const text = exactJson(line);
    const raw = Buffer.from(text);
    this.#write(isFramed ? { raw, eol: '', head: headerOf(text) } : { raw, eol: '\n' });
  }

  signal(signal: NodeJS.Signals): void {
    this.#peer.signal(signal);
  }

  end(): void {
    this.#debts.take(this.#live.event('client', 'eof'));
    this.#peer.end();
  }

  /** `registered` gets the live frame. */
  #send(line: Outgoing, paths: Paths | null, registered: (f: number) => void = () => {}): void {
    const { frame } = line;
    if (!frame.cut) return this.#write(outgoing(line, this.#ids, paths), registered);
    registered(this.#live.longLine(frame).read.frame.f);
    for (const block of blocksOf(frame)) if (!this.#peer.write(Buffer.from(block))) this.isFull = true;
  }

  #write(message: StreamMessage, registered: (f: number) => void = () => {}): void {
    const heard = this.#live.message('client', message);
    registered(heard.read.frame.f);
    this.#debts.take(heard);
    if (!this.#peer.write(message.head ?? '', message.raw, message.eol)) this.isFull = true;
  }
}
