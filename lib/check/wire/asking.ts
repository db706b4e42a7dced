/** R5-R10: what the client asks, when it may, and that it is answered once. */
import { toJson } from '../../core/message.ts';
import type { ReadFrame } from '../../dialects/read.ts';
import { list, object, string } from '../../dialects/wire/values.ts';
import type { Broken, Rule } from '../rule.ts';
import { CROSSING_SECONDS } from './answers.ts';
import { type Open, Requests } from './requests.ts';
import { Scene } from './scene.ts';

const BOTH = ['wire', 'wire-legacy'];
const BUSY_OR_IDLE = -32000;

export const R5: Rule = {
  id: 'R5',
  dialects: BOTH,
  severity: 'error',
  fault: 'agent',
  title:
    'every request of the client is answered, and once; but not after the client has closed stdin or sent a signal',
  ref: 'kimi-cli wire/server.py _dispatch_msg',
  needsClient: true,
  open(session) {
    const scene = session.share(Scene);
    const requests = session.share(Requests);
    /** The agent refuses what it cannot read: since 0.79, before it was silent. */
    let refuses = scene.isLegacy;
    return {
      take(read) {
        const { frame, message, events } = read;
        if (frame.from !== 'agent') return [];
        refuses ||= message.envelope === 'error' && message.code !== null && message.code <= -32600;
        return [
          ...events.flatMap(({ takes }) => passedOver(requests, scene, takes, frame.f)),
          ...unasked(read, requests),
        ];
      },
      end() {
        const { exit, isShut, isTorn, release } = scene;
        if (!exit || isTorn) return [];
        const left = [...requests.open.values()];
        if (!isShut && exit.signal === null) return left.map((one) => diedOn(one, exit));
        // What came later was answered, so this is not still to come.
        const isLost = ({ f }: Open) => f < requests.answered && (refuses || release >= 79);
        return left.filter((one) => one.isForgotten || (!isPrompt(one) && isLost(one))).map((one) => forgotten(one));
      },
    };
  },
};

const isPrompt = ({ method }: Open) => method === 'prompt' || method === 'run';

/** Another prompt is taken up, so this turn is over. */
function passedOver({ open }: Requests, scene: Scene, takes: number | undefined, f: number): Broken[] {
  if (takes === undefined) return [];
  const over = [...open.values()].filter((one) => isPrompt(one) && one.f < takes && scene.promptAt(one.f)?.takenF);
  for (const one of over) open.delete(one.f);
  return over.map((one) => ({ ...forgotten(one), frames: [f] }));
}

function forgotten({ f, method, isForgotten }: Open): Broken {
  if (!isForgotten) return { f, message: `${method} was never answered, although the agent went on` };
  const why = 'agents up to 1.9 forget it if it is cancelled while they wait for their client';
  return { f, severity: 'info', message: `${method} was never answered: ${why}` };
}

function diedOn({ f, method }: Open, exit: NonNullable<Scene['exit']>): Broken {
  const how = exit.code === null ? 'ended' : `exited with ${exit.code}`;
  return { f, frames: [exit.f], message: `the agent ${how} and never answered ${method}` };
}

function unasked({ frame: { f }, message, pairing }: ReadFrame, { oddIds }: Requests): Broken[] {
  if (pairing?.role === 'duplicate')
    return [{ f, frames: [pairing.exchange!.askedF], message: 'the agent answers what it has answered' }];
  if (pairing?.role !== 'orphan' || message.id === null || oddIds.has(message.id)) return [];
  return [{ f, message: 'the agent answers what nobody asked' }];
}

export const idReuse: Rule = {
  id: 'id-reuse',
  dialects: BOTH,
  severity: 'warning',
  fault: 'client',
  title: 'an id is not used again while what it names is open: the answers cannot be told apart',
  ref: 'JSON-RPC 2.0, section 4',
  needsClient: true,
  open(session) {
    const requests = session.share(Requests);
    return {
      take({ frame: { f }, message }) {
        const { reused } = requests;
        if (!reused) return [];
        return [{ f, frames: [reused.f], message: `${message.method} has the id of ${reused.method}, which is open` }];
      },
    };
  },
};

export const R6: Rule = {
  id: 'R6',
  dialects: ['wire'],
  severity: 'error',
  fault: 'client',
  title: 'initialize comes while no turn is open; hooks are subscribed once, for each time counts',
  ref: 'kimi-cli wire/server.py _handle_initialize',
  open(session) {
    const scene = session.share(Scene);
    let subscribed: number | null = null;
    return {
      take(read) {
        const refused = refusalOf(read, 'initialize');
        if (refused !== null)
          return [{ f: refused, frames: around(read, scene), message: 'initialize while a turn is open is refused' }];
        const { frame, message } = read;
        if (frame.from !== 'client' || message.method !== 'initialize') return [];
        if (list(object(message.body).hooks).length === 0) return [];
        const before = subscribed;
        subscribed ??= frame.f;
        if (before === null) return [];
        const text = 'hooks are subscribed again: the agent now asks twice';
        return [{ f: frame.f, frames: [before], severity: 'warning', message: text }];
      },
    };
  },
};

export const R7: Rule = {
  id: 'R7',
  dialects: ['wire'],
  severity: 'warning',
  fault: 'client',
  title: 'external tools have names of their own and valid schemas; each is accepted or refused',
  ref: 'kimi-cli wire-mode.md, initialize; wire/server.py',
  open() {
    const offered = new Map<number, string[]>();
    return {
      take({ frame, message, pairing }) {
        if (frame.from === 'client' && message.method === 'initialize') {
          const names = list(object(message.body).external_tools).flatMap((tool) => string(object(tool).name) ?? []);
          if (names.length > 0) offered.set(frame.f, names);
          return [];
        }
        const { exchange, role } = pairing ?? {};
        if (frame.from !== 'agent' || role !== 'answers' || message.envelope !== 'response') return [];
        const names = offered.get(exchange!.askedF);
        if (!names) return [];
        offered.delete(exchange!.askedF);
        return toolsAnswered(names, object(object(message.body).external_tools), frame.f, exchange!.askedF);
      },
    };
  },
};

function toolsAnswered(names: string[], answer: Record<string, unknown>, f: number, askedF: number): Broken[] {
  const found: Broken[] = [];
  const told = new Set(list(answer.accepted));
  for (const refused of list(answer.rejected).map(object)) {
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

const firstLine = (text: unknown) => (string(text) ?? 'no reason').split('\n')[0]!;

export const R8: Rule = {
  id: 'R8',
  dialects: BOTH,
  severity: 'error',
  fault: 'client',
  title: 'one prompt or replay at a time',
  ref: 'kimi-cli wire-mode.md, prompt',
  open(session) {
    const scene = session.share(Scene);
    return {
      take(read) {
        const refused = refusalOf(read, 'prompt', 'replay', 'run');
        if (refused === null) return [];
        const { method } = read.pairing!.exchange!;
        return [{ f: refused, frames: around(read, scene), message: `${method} while a turn is open is refused` }];
      },
    };
  },
};

export const R9: Rule = {
  id: 'R9',
  dialects: ['wire'],
  severity: 'error',
  fault: 'client',
  title: 'steer only inside a turn; inside a replay it is taken and thrown away',
  ref: 'kimi-cli wire-mode.md, steer',
  open(session) {
    const scene = session.share(Scene);
    let replay: number | null = null;
    return {
      take(read) {
        const { frame, message, pairing } = read;
        if (frame.from === 'client' && message.method === 'replay' && !scene.turn) replay ??= frame.f;
        if (pairing?.role === 'answers' && pairing.exchange!.askedF === replay) replay = null;
        if (frame.from === 'client' && message.method === 'steer' && replay !== null)
          return [
            {
              f: frame.f,
              frames: [replay],
              severity: 'warning',
              message: 'steer during a replay is taken and thrown away',
            },
          ];
        return idle(read, scene, 'steer');
      },
    };
  },
};

export const R10: Rule = {
  id: 'R10',
  dialects: ['wire'],
  severity: 'error',
  fault: 'client',
  title: 'cancel only while a turn or a replay runs; only then is a turn cancelled',
  ref: 'kimi-cli wire-mode.md, cancel',
  needsClient: true,
  open(session) {
    const scene = session.share(Scene);
    const requests = session.share(Requests);
    return {
      take(read) {
        const { answered } = scene;
        if (answered?.status !== 'cancelled' || answered.cancelF !== null || scene.isShut)
          return idle(read, scene, 'cancel');
        const text = 'the turn is cancelled, but nobody cancelled it';
        return [{ f: read.frame.f, frames: [answered.f], fault: 'agent', message: text }];
      },
      end() {
        if (scene.release >= 73) return [];
        return [...requests.open.values()]
          .filter(({ method, hasParams }) => method === 'cancel' && hasParams)
          .map(({ f }) => ({
            ...{ f, severity: 'warning' },
            message: 'cancel was not answered: agents from 0.59 to 0.72 refuse it if it has params',
          }));
      },
    };
  },
};

/** The frame that asked, if this one refuses it because of what is or is not running. */
function refusalOf({ frame, message, pairing }: ReadFrame, ...methods: string[]): number | null {
  if (frame.from !== 'agent' || message.code !== BUSY_OR_IDLE || pairing?.role !== 'answers') return null;
  return methods.includes(pairing.exchange!.method) ? pairing.exchange!.askedF : null;
}

const around = ({ frame }: ReadFrame, { turn }: Scene) => (turn ? [turn.f, frame.f] : [frame.f]);

/** A client may cancel or steer just when the turn ends: that is nobody's fault. */
function idle(read: ReadFrame, { last }: Scene, method: string): Broken[] {
  const refused = refusalOf(read, method);
  if (refused === null) return [];
  if (last?.answerF && read.pairing!.exchange!.askedT - last.answerT < CROSSING_SECONDS) return [];
  return [{ f: refused, frames: [read.frame.f], message: `${method} while nothing runs is refused` }];
}
