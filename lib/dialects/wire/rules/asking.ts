/** Every request of the client is answered once, and has its own id. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import type { Ending } from '../../../model/ledger/process.ts';
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import { exitOf, isStopped } from '../../rules/ending.ts';
import { type Broken, error, NOTHING, warning } from '../../rules/rule.ts';
import { type Open, Requests } from './requests.ts';
import { Scene, type WireRule } from './scene.ts';

export const R5: WireRule = {
  ...error.agent.needsClient(
    'the agent answers every request of the client exactly once, unless the client closed stdin or sent a signal',
    'kimi-cli wire/server.py _dispatch_msg',
  ),
  open(session) {
    const scene = session.share(Scene);
    const requests = session.share(Requests);
    /** The agent refuses what it cannot read: since 0.79, before it was silent. */
    let refuses = scene.isLegacy;
    return {
      take(read) {
        const { frame, message, events, ledger } = read;
        if (frame.from !== 'agent') return NOTHING;
        refuses ||= message.envelope === 'error' && message.code !== null && message.code <= -32600;
        const over: Broken[] = [];
        for (const { takes } of events)
          if (takes !== undefined) over.push(...passedOver(requests, ledger, takes, frame.f));
        const odd = unasked(read, requests);
        return over.length === 0 ? odd : [...over, ...odd];
      },
      end({ process }) {
        const { isTorn } = process;
        const exit = exitOf(process);
        if (!exit || isTorn) return NOTHING;
        const left = [...requests.open.values()];
        if (!isStopped(process) && exit.signal === null) return left.map((one) => diedOn(one, exit));
        // A later request was answered, so this answer will not come any more.
        const isLost = ({ f }: Open) => f < requests.answered && (refuses || scene.release >= 79);
        return left.filter((one) => one.isForgotten || (!isPrompt(one) && isLost(one))).map((one) => forgotten(one));
      },
    };
  },
};

const isPrompt = ({ method }: Open) => method === 'prompt' || method === 'run';

/** Another prompt is taken up, so this turn is over. */
function passedOver({ open }: Requests, { turns }: Ledger, takes: number, f: number): readonly Broken[] {
  const over = [...open.values()].filter((one) => isPrompt(one) && one.f < takes && turns.taken(one.f));
  for (const one of over) open.delete(one.f);
  return over.map((one) => ({ ...forgotten(one), frames: [f] }));
}

function forgotten({ f, method, isForgotten }: Open): Broken {
  if (!isForgotten) return { f, message: `${method} was never answered, although the agent went on` };
  const why = 'agents up to 1.9 forget it if it is cancelled while they wait for their client';
  return { f, severity: 'info', message: `${method} was never answered: ${why}` };
}

function diedOn({ f, method }: Open, exit: Ending): Broken {
  const how = exit.code === null ? 'ended' : `exited with ${exit.code}`;
  return { f, frames: [exit.f], message: `the agent ${how} and never answered ${method}` };
}

function unasked({ frame: { f }, message, pairing }: ReadFrame, { oddIds }: Requests): readonly Broken[] {
  if (pairing?.role === 'duplicate')
    return [{ f, frames: [pairing.exchange!.askedF], message: 'the agent answers a request a second time' }];
  if (pairing?.role !== 'orphan' || message.id === null || oddIds.has(message.id)) return NOTHING;
  return [{ f, message: 'the agent answers a request that the client never sent' }];
}

export const idReuse: WireRule = {
  ...warning.client.needsClient(
    'an id is not reused while its request is open: the answers could not be told apart',
    'JSON-RPC 2.0, section 4',
  ),
  open(session) {
    const requests = session.share(Requests);
    return ({ frame: { f }, message }) => {
      const { reused } = requests;
      if (!reused) return NOTHING;
      return [
        { f, frames: [reused.f], message: `${message.method} reuses the id of ${reused.method}, which is still open` },
      ];
    };
  },
};

export const R7: WireRule = {
  dialects: ['wire'],
  ...warning.client(
    'external tools have unique names and valid schemas, and the agent accepts or refuses each',
    'kimi-cli wire-mode.md, initialize; wire/server.py',
  ),
  open() {
    const offered = new Map<number, string[]>();
    return ({ frame, message, pairing }) => {
      if (frame.from === 'client' && message.method === 'initialize') {
        const names = listOf(objectOf(message.body).external_tools).flatMap(
          (tool) => stringOf(objectOf(tool).name) ?? [],
        );
        if (names.length > 0) offered.set(frame.f, names);
        return NOTHING;
      }
      const { exchange, role } = pairing ?? {};
      if (frame.from !== 'agent' || role !== 'answers' || message.envelope !== 'response') return NOTHING;
      const names = offered.get(exchange!.askedF);
      if (!names) return NOTHING;
      offered.delete(exchange!.askedF);
      return toolsAnswered(names, objectOf(objectOf(message.body).external_tools), frame.f, exchange!.askedF);
    };
  },
};

function toolsAnswered(names: string[], answer: Record<string, unknown>, f: number, askedF: number): readonly Broken[] {
  const found: Broken[] = [];
  const told = new Set(listOf(answer.accepted));
  for (const refused of listOf(answer.rejected).map(objectOf)) {
    told.add(refused.name);
    const text = `the external tool ${toJson(refused.name)} is refused: ${firstLine(refused.reason)}`;
    found.push({ f: askedF, frames: [f], message: text });
  }
  for (const name of names)
    if (!told.has(name)) {
      const text = `the external tool ${toJson(name)} is neither accepted nor refused`;
      found.push({ f, frames: [askedF], severity: 'error', fault: 'agent', message: text });
    }
  return found;
}

const firstLine = (text: unknown) => (stringOf(text) ?? 'no reason').split('\n')[0]!;
