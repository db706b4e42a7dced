/** Every request of the client is answered once, and has its own id. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import type { ProcessEnding } from '../../../model/ledger/process.ts';
import { toJson } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { listOf, objectOf, stringOf } from '../../common/fields.ts';
import { error, NOTHING, type Violation, warning } from '../../rules/rule.ts';
import { exitOf, wasStopped } from '../../rules/session-end.ts';
import { type OpenWireRequest, OpenWireRequests } from './requests.ts';
import { type WireRule, WireSessionState } from './session-state.ts';

export const unansweredRule: WireRule = {
  ...error.agent.needsClient(
    'the agent answers every request of the client exactly once, unless the client closed stdin or sent a signal',
    'kimi-cli wire/server.py _dispatch_msg',
  ),
  open(session) {
    const state = session.share(WireSessionState);
    const requests = session.share(OpenWireRequests);
    /** The agent refuses what it cannot read: since 0.79, before it was silent. */
    let refuses = state.isLegacy;
    return {
      take(read) {
        const { frame, message, events, ledger } = read;
        if (frame.from !== 'agent') return NOTHING;
        refuses ||= message.envelope === 'error' && message.code !== null && message.code <= -32600;
        const over: Violation[] = [];
        for (const { takes } of events)
          if (takes !== undefined) over.push(...findSkippedPrompts(requests, ledger, takes, frame.f));
        const odd = checkStrayAnswer(read, requests);
        return over.length === 0 ? odd : [...over, ...odd];
      },
      end({ process }) {
        const { hasHoles: isTorn } = process;
        const exit = exitOf(process);
        if (!exit || isTorn) return NOTHING;
        const left = [...requests.open.values()];
        if (!wasStopped(process) && exit.signal === null) return left.map((one) => makeExitViolation(one, exit));
        // A later request was answered, so this answer will not come any more.
        const isLost = ({ f }: OpenWireRequest) => f < requests.answered && (refuses || state.release >= 79);
        return left
          .filter((one) => one.isForgotten || (!isPrompt(one) && isLost(one)))
          .map((one) => makeForgottenViolation(one));
      },
    };
  },
};

const isPrompt = ({ method }: OpenWireRequest) => method === 'prompt' || method === 'run';

/** Another prompt is taken up, so this turn is over. */
function findSkippedPrompts(
  { open }: OpenWireRequests,
  { turns }: Ledger,
  takes: number,
  f: number,
): readonly Violation[] {
  const over = [...open.values()].filter((one) => isPrompt(one) && one.f < takes && turns.turnOfPrompt(one.f));
  for (const one of over) open.delete(one.f);
  return over.map((one) => ({ ...makeForgottenViolation(one), frames: [f] }));
}

function makeForgottenViolation({ f, method, isForgotten }: OpenWireRequest): Violation {
  if (!isForgotten) return { f, message: `${method} was never answered, although the agent went on` };
  const why = 'agents up to 1.9 forget it if it is cancelled while they wait for their client';
  return { f, severity: 'info', message: `${method} was never answered: ${why}` };
}

function makeExitViolation({ f, method }: OpenWireRequest, exit: ProcessEnding): Violation {
  const how = exit.code === null ? 'ended' : `exited with ${exit.code}`;
  return { f, frames: [exit.f], message: `the agent ${how} and never answered ${method}` };
}

function checkStrayAnswer(
  { frame: { f }, message, pairing }: ReadFrame,
  { oddIds }: OpenWireRequests,
): readonly Violation[] {
  if (pairing?.role === 'duplicate')
    return [{ f, frames: [pairing.exchange!.askedF], message: 'the agent answers a request a second time' }];
  if (pairing?.role !== 'orphan' || message.id === null || oddIds.has(message.id)) return NOTHING;
  return [{ f, message: 'the agent answers a request that the client never sent' }];
}

export const idInUseRule: WireRule = {
  ...warning.client.needsClient(
    'an id is not reused while its request is open: the answers could not be told apart',
    'JSON-RPC 2.0, section 4',
  ),
  open(session) {
    const requests = session.share(OpenWireRequests);
    return ({ frame: { f }, message }) => {
      const { reused } = requests;
      if (!reused) return NOTHING;
      return [
        { f, frames: [reused.f], message: `${message.method} reuses the id of ${reused.method}, which is still open` },
      ];
    };
  },
};

export const externalToolsRule: WireRule = {
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
      return checkToolsAnswer(names, objectOf(objectOf(message.body).external_tools), frame.f, exchange!.askedF);
    };
  },
};

function checkToolsAnswer(
  names: string[],
  answer: Record<string, unknown>,
  f: number,
  askedF: number,
): readonly Violation[] {
  const found: Violation[] = [];
  const answeredNames = new Set(listOf(answer.accepted));
  for (const refused of listOf(answer.rejected).map(objectOf)) {
    answeredNames.add(refused.name);
    const text = `the external tool ${toJson(refused.name)} is refused: ${firstLine(refused.reason)}`;
    found.push({ f: askedF, frames: [f], message: text });
  }
  for (const name of names)
    if (!answeredNames.has(name)) {
      const text = `the external tool ${toJson(name)} is neither accepted nor refused`;
      found.push({ f, frames: [askedF], severity: 'error', fault: 'agent', message: text });
    }
  return found;
}

const firstLine = (text: unknown) => (stringOf(text) ?? 'no reason').split('\n')[0]!;
