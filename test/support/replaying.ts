/**
 * A client that says what the recorded one said, with ids of its own, to a replay in this process. Each of its lines is sent
 * when it has got as many lines of the agent as the recorded client had.
 */
import { PassThrough } from 'node:stream';
import { traitsOf } from '../../lib/dialects/index.ts';
import type { Frame } from '../../lib/model/frame.ts';
import { AT_ONCE } from '../../lib/model/pace.ts';
import { AgentReplay, type AgentReplayOptions, type AgentReplayResult } from '../../lib/replay/agent.ts';
import { eachId, type IdTree, idTreeOf, rewrite } from '../../lib/replay/id-tree.ts';
import { LineWriter } from '../../lib/replay/line-writer.ts';
import { readLines } from '../../lib/replay/message-reader.ts';
import type { ReplaySide } from '../../lib/replay/script-step.ts';
import type { Session } from '../../lib/session/session.ts';

export interface Replayed extends AgentReplayResult {
  /** The lines of the agent as recorded and as the client got them, with ids replaced by their order. */
  recorded: string[];
  got: string[];
  /** What a person was told. */
  said: string[];
}

export const REPLAY_OPTIONS: AgentReplayOptions = {
  ...{
    pace: AT_ONCE,
    match: 'params',
    onMiss: 'error',
    keepIds: false,
    seed: 7,
    stderr: true,
    signals: false,
    loop: false,
  },
  ...{ timeout: 20, faults: [], framesOf: () => new Set(), others: [], cwd: null, print: () => {} },
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const textOf = ({ raw }: Frame): string => Buffer.from(raw).toString();

export async function replayed(session: Session, options: Partial<AgentReplayOptions> = {}): Promise<Replayed> {
  const said: string[] = [];
  const [out, err] = [new PassThrough(), new PassThrough()];
  const all = { ...REPLAY_OPTIONS, say: (line: string) => said.push(line), ...options };
  const agent = new AgentReplay(session, all, new LineWriter(out), new LineWriter(err));
  err.resume();
  const tree = idTreeOf(traitsOf(agent.dialect).replay);
  const client = new RecordedClient(session, agent, tree);
  const got: string[] = [];
  readLines(
    out,
    (line) => {
      got.push(line);
      client.got(line);
    },
    () => {},
  );
  client.speak();
  const end = await agent.run();
  const [recorded, live] = [new Canon(tree), new Canon(tree)];
  for (const line of client.sent) {
    recorded.line(line.recorded, 'client');
    live.line(line.live, 'client');
  }
  return {
    ...end,
    said,
    recorded: client.expected.map((line) => recorded.line(line, 'agent')),
    got: got.map((line) => live.line(line, 'agent')),
  };
}

class RecordedClient {
  readonly expected: string[];
  readonly sent: { recorded: string; live: string }[] = [];
  readonly #agent: AgentReplay;
  readonly #tree: IdTree;
  readonly #script: { frame: Frame; after: number }[];
  readonly #liveIds = new Map<string, string>();
  #received = 0;
  #at = 0;

  constructor(session: Session, agent: AgentReplay, tree: IdTree) {
    const frames = [...session.frames()].map((frame) => ({ ...frame, raw: new Uint8Array(frame.raw) }));
    this.#agent = agent;
    this.#tree = tree;
    const isLine = ({ from, event }: Frame) => from === 'agent' && event === null;
    this.expected = frames.filter(isLine).map((frame) => textOf(frame).replace(/\r$/, ''));
    let after = 0;
    this.#script = frames.flatMap((frame) => {
      if (isLine(frame)) after++;
      const isSaid = frame.from === 'client' && (frame.event === null || frame.event === 'eof');
      return isSaid ? [{ frame, after }] : [];
    });
  }

  got(line: string): void {
    const recorded = parsed(this.expected[this.#received]);
    this.#received++;
    this.#learn(recorded, parsed(line));
    this.speak();
  }

  speak(): void {
    for (let next = this.#script[this.#at]; next && this.#received >= next.after; next = this.#script[this.#at]) {
      this.#at++;
      if (next.frame.event === 'eof') setImmediate(() => this.#agent.end());
      else this.#say(textOf(next.frame));
    }
    const isOver = this.#at === this.#script.length && this.#received >= this.expected.length;
    if (isOver) setImmediate(() => this.#agent.end());
  }

  #say(recorded: string): void {
    const live = this.#withOwnIds(recorded);
    this.sent.push({ recorded, live });
    this.#agent.receive(live);
  }

  #withOwnIds(text: string): string {
    const value = parsed(text);
    if (value === null || typeof value !== 'object') return text;
    const isRequest = asks(value);
    return rewrite(text, this.#tree, (token, place) => {
      if (place === 'volatile' || place === 'introduction') return token;
      const id: unknown = JSON.parse(token);
      const isOwn = place === 'sender' || (place === 'request' && isRequest);
      // A token that is no id of a request, although the recorded client took the same number for both.
      if (place === 'token') return JSON.stringify(`token of ${id}`);
      if (place === 'shared' && !this.#liveIds.has(token) && UUID.test(`${id}`)) this.#chooses(token);
      if (isOwn && typeof id === 'number' && id < 1e9) return `${id + 1000}`;
      if (isOwn && typeof id === 'string') return JSON.stringify(`own-${id}`);
      return typeof id === 'string' ? (this.#liveIds.get(token) ?? token) : token;
    });
  }

  /** The recorded client made this up, so the live one makes up another. */
  #chooses(token: string): void {
    this.#liveIds.set(
      token,
      token.replace(/[0-9a-f]/g, (digit) => ((Number.parseInt(digit, 16) + 5) % 16).toString(16)),
    );
  }

  /** The ids of the agent are those that stand where the tape has others. */
  #learn(recorded: unknown, live: unknown): void {
    const [one, other]: unknown[][] = [[], []];
    eachId(recorded, this.#tree, (id) => one!.push(id));
    eachId(live, this.#tree, (id) => other!.push(id));
    one!.forEach((id, i) => {
      if (typeof id === 'string') this.#liveIds.set(JSON.stringify(id), JSON.stringify(other![i]));
    });
  }
}

/** Lines with their ids replaced by the order in which they first came. */
class Canon {
  readonly #tree: IdTree;
  readonly #known = new Map<string, string>();
  readonly #inText = new Map<string, string>();

  constructor(tree: IdTree) {
    this.#tree = tree;
  }

  line(text: string, from: ReplaySide): string {
    const value = parsed(text);
    if (value === null || typeof value !== 'object') return this.#words(text);
    const other = from === 'client' ? 'agent' : 'client';
    const asker = asks(value) ? from : other;
    const tokens = { token: `${from} token`, 'token-of-receiver': `${other} token` };
    const spaces = { request: asker, sender: from, receiver: other, shared: '', ...tokens };
    const changed = rewrite(text, this.#tree, (token, place) =>
      place === 'volatile' || place === 'introduction' || token === 'null' ? token : this.#name(spaces[place], token),
    );
    return this.#words(changed);
  }

  #name(space: string, token: string): string {
    const name = this.#known.get(space + token) ?? `#${this.#known.size}`;
    this.#known.set(space + token, name);
    this.#inText.set(token, this.#inText.get(token) ?? name);
    return name;
  }

  #words(text: string): string {
    return text.replace(
      /[A-Za-z0-9][A-Za-z0-9_:.-]{10,}[A-Za-z0-9]/g,
      (word) => this.#inText.get(JSON.stringify(word)) ?? word,
    );
  }
}

/** A request, by its shape in any dialect; anything else with an id is an answer. */
function asks(value: object): boolean {
  if ('method' in value || 'request' in value) return true;
  return 'type' in value && typeof value.type === 'string' && !value.type.endsWith('response');
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
