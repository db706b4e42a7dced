/** Sends lines to the live agent, and reads each as part of the live conversation before the agent can answer it. */

import type { JsonObject } from '../../dialects/dialect.ts';
import { headerOf } from '../../model/content-length.ts';
import { blocksOf } from '../../model/frame.ts';
import { exactJson } from '../../model/id.ts';
import { textIn } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { StreamMessage } from '../message-reader.ts';
import type { DriveStep, RecordedAnswer } from './drive-step.ts';
import type { LiveConversation } from './live-conversation.ts';
import type { LiveIds } from './live-ids.ts';
import { type OutgoingLine, toLiveMessage, type WorkingDirectories } from './outgoing-line.ts';
import type { Peer } from './peer.ts';
import type { PendingReplies } from './pending-replies.ts';

export class AgentWriter {
  /** The agent does not read fast enough. */
  isFull = false;
  readonly #conversation: LiveConversation;
  readonly #ids: LiveIds;
  readonly #pendingReplies: PendingReplies;
  readonly #paths: WorkingDirectories | null;
  #peer!: Peer;

  constructor(live: LiveConversation, ids: LiveIds, pendingReplies: PendingReplies, paths: WorkingDirectories | null) {
    this.#conversation = live;
    this.#ids = ids;
    this.#pendingReplies = pendingReplies;
    this.#paths = paths;
  }

  connect(peer: Peer): void {
    this.#peer = peer;
  }

  sendStep(sendStep: DriveStep): void {
    this.#send(sendStep, this.#paths, (f) => {
      sendStep.liveF = f;
      if (sendStep.what === 'request' || sendStep.isPrompt) this.#pendingReplies.add(f, sendStep);
    });
  }

  sendAnswer(sendAnswer: RecordedAnswer, request: ReadFrame): void {
    // An agent that names the recorded folder wants it back.
    const [recorded] = this.#paths ?? [''];
    const isNamed = recorded !== '' && textIn(request.frame)?.includes(recorded);
    this.#send(sendAnswer, isNamed ? null : this.#paths);
  }

  /** A line that is not on the tape. */
  sendMadeUp(line: JsonObject, isFramed: boolean): void {
    const text = exactJson(line);
    const raw = Buffer.from(text);
    this.#write(isFramed ? { raw, eol: '', head: headerOf(text) } : { raw, eol: '\n' });
  }

  sendSignal(sendSignal: NodeJS.Signals): void {
    this.#peer.signal(sendSignal);
  }

  end(): void {
    this.#pendingReplies.take(this.#conversation.event('client', 'eof'));
    this.#peer.end();
  }

  /** `registered` gets the live frame. */
  #send(line: OutgoingLine, paths: WorkingDirectories | null, registered: (f: number) => void = () => {}): void {
    const { frame } = line;
    if (!frame.cut) return this.#write(toLiveMessage(line, this.#ids, paths), registered);
    registered(this.#conversation.longLine(frame).read.frame.f);
    for (const block of blocksOf(frame)) if (!this.#peer.write(Buffer.from(block))) this.isFull = true;
  }

  #write(message: StreamMessage, registered: (f: number) => void = () => {}): void {
    const frame = this.#conversation.message('client', message);
    registered(frame.read.frame.f);
    this.#pendingReplies.take(frame);
    if (!this.#peer.write(message.head ?? '', message.raw, message.eol)) this.isFull = true;
  }
}
