// The agent's end of the wire: takes the client's messages one by one and answers every call,
// until the client closes its end. Then nothing more is said, not even the answer to an open prompt.

import { directives } from './directives.mjs';
import { Cancelled, InvalidParams, MaxSteps, TurnFailure } from './failures.mjs';
import { ErrorCode, readMessage } from './jsonrpc.mjs';
import { BUILTIN_TOOLS, HOOK_EVENTS, SERVER, SLASH_COMMANDS, WIRE_VERSION } from './kimi.mjs';
import { readParams, schemaProblem } from './params.mjs';
import { hex, statusUpdate } from './payloads.mjs';
import { Player } from './player.mjs';
import { ECHO_TURN } from './script.mjs';
import { slashCommand } from './slash.mjs';
import { Turn } from './turn.mjs';

const BUSY = 'An agent turn is already in progress';
const IDLE = 'No agent turn is in progress';

export class Server {
  #session;
  #player = new Player(directives);

  /** @param {import('./session.mjs').Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * @param {string} line one line from the client
   * @throws {import('./failures.mjs').UnknownPart} for a content part that ends the real agent, too
   */
  receive(line) {
    const { wire, requests } = this.#session;
    const message = readMessage(line);
    switch (message.kind) {
      case 'refused':
        return wire.error(null, message.code, message.message);
      case 'unknown-method':
        return wire.error(message.id, ErrorCode.unknownMethod, `Unexpected method received: ${message.method}`);
      case 'answer':
        return requests.answer(message);
      case 'call':
        return this.#call(message);
    }
  }

  /** Says no more and lets go of everything that waits. */
  shutDown() {
    this.#session.wire.writer.close();
    this.#session.turn?.end();
    this.#session.life.abort();
  }

  #call({ id, method, params }) {
    const { wire, turn } = this.#session;
    let read;
    try {
      read = readParams[method](params);
    } catch (error) {
      if (!(error instanceof InvalidParams)) throw error;
      return wire.error(id, ErrorCode.invalidParams, `Invalid parameters for method \`${method}\``);
    }
    const needsIdle = ['initialize', 'prompt', 'replay'].includes(method);
    if (needsIdle && turn) return wire.error(id, ErrorCode.invalidState, BUSY);
    if ((method === 'steer' || method === 'cancel') && !turn) return wire.error(id, ErrorCode.invalidState, IDLE);
    this.#methods[method](id, read);
  }

  #methods = {
    initialize: (id, { externalTools, hooks, supportsQuestion }) => {
      const session = this.#session;
      const tools = this.#register(externalTools);
      session.hooks.subscribe(hooks);
      session.supportsQuestion = supportsQuestion ?? session.supportsQuestion;
      session.initialized = true;
      session.approvals.resend();
      session.wire.result(id, {
        protocol_version: WIRE_VERSION,
        server: SERVER,
        slash_commands: SLASH_COMMANDS,
        ...(externalTools.length > 0 ? { external_tools: tools } : {}),
        hooks: { supported_events: HOOK_EVENTS, configured: session.hooks.configured() },
        capabilities: { supports_question: true },
      });
    },

    prompt: async (id, { userInput }) => {
      const session = this.#session;
      const turn = this.#beginTurn();
      const scripted = slashCommand(userInput) === null ? session.scenario.turns[session.promptsTaken++] : null;
      /** @type {import('./player.mjs').Run} */
      const run = {
        session,
        player: this.#player,
        turn,
        voice: session.voice,
        source: { kind: 'foreground_turn', id: hex(16), agentId: null, subagentType: null },
        meter: session.meter,
        userInput,
        lastText: '',
      };
      const failure = await this.#player.turn(run, scripted ?? ECHO_TURN).then(
        () => null,
        (error) => error,
      );
      session.approvals.rejectForeground();
      this.#endTurn(turn);
      this.#answerPrompt(id, failure);
    },

    replay: async (id) => {
      const { history, wire } = this.#session;
      const turn = this.#beginTurn();
      let events = 0;
      let requests = 0;
      let status = 'finished';
      try {
        for (const { kind, type, payload } of history.replay()) {
          turn.check();
          if (kind === 'event') {
            wire.event(type, payload);
            events++;
          } else {
            wire.request(payload.id, type, payload);
            requests++;
          }
          await turn.breathe();
        }
      } catch {
        status = 'cancelled';
      }
      this.#endTurn(turn);
      wire.result(id, { status, events, requests });
    },

    steer: (id, { userInput }) => {
      this.#session.steers.push(userInput);
      this.#session.wire.result(id, { status: 'steered' });
    },

    cancel: (id) => {
      this.#session.wire.result(id, {});
      this.#session.turn.end();
    },

    set_plan_mode: (id, { enabled }) => {
      const { wire, history } = this.#session;
      this.#session.planMode = enabled;
      const status = statusUpdate({ plan_mode: enabled });
      wire.event('StatusUpdate', status);
      history.append('event', 'StatusUpdate', status);
      wire.result(id, { status: 'ok', plan_mode: enabled });
    },
  };

  #register(tools) {
    const accepted = [];
    const rejected = [];
    for (const { name, parameters } of tools) {
      const reason = BUILTIN_TOOLS.has(name) ? 'conflicts with builtin tool' : schemaProblem(parameters);
      if (reason) {
        rejected.push({ name, reason });
      } else {
        accepted.push(name);
        this.#session.externalTools.add(name);
      }
    }
    return { accepted, rejected };
  }

  #beginTurn() {
    this.#session.turn = new Turn(this.#session.pace, this.#session.wire.writer);
    return this.#session.turn;
  }

  #endTurn(turn) {
    turn.end();
    this.#session.history.flush();
    this.#session.turn = null;
  }

  #answerPrompt(id, failure) {
    const { wire } = this.#session;
    if (failure === null) return wire.result(id, { status: 'finished' });
    if (failure instanceof Cancelled) return wire.result(id, { status: 'cancelled' });
    if (failure instanceof MaxSteps) return wire.result(id, { status: 'max_steps_reached', steps: failure.steps });
    if (failure instanceof TurnFailure) return wire.error(id, failure.code, failure.message);
    return wire.error(id, ErrorCode.internal, `${failure.name}: ${failure.message}`);
  }
}
