// All that one run of the sample agent remembers, and the helpers that share it.

import { randomUUID } from 'node:crypto';
import { Approvals } from './approvals.mjs';
import { History } from './history.mjs';
import { Hooks } from './hooks.mjs';
import { ContextMeter } from './meter.mjs';
import { ClientRequests } from './requests.mjs';
import { RootVoice } from './voices.mjs';

export class Session {
  /**
   * @param {import('./jsonrpc.mjs').Wire} wire
   * @param {import('./options.mjs').AgentOptions} options
   * @param {import('./scenario.mjs').Scenario} scenario
   */
  constructor(wire, options, scenario) {
    this.wire = wire;
    this.scenario = scenario;
    this.id = options.session ?? randomUUID();
    this.workDir = options.workDir;
    this.pace = options.pace;
    this.yolo = options.yolo;
    this.repeat = options.repeat;

    this.initialized = false;
    this.supportsQuestion = false;
    /** Names of the client's tools that were accepted. */
    this.externalTools = new Set();
    this.planMode = false;
    this.promptsTaken = 0;
    this.toolCalls = 0;

    /** The turn or replay in progress. @type {import('./turn.mjs').Turn | null} */
    this.turn = null;
    /** User input that waits for the end of the current step. */
    this.steers = [];
    /** Notifications that wait for the next turn. */
    this.notifications = [];
    /** Background agents still at work. @type {Set<Promise<void>>} */
    this.background = new Set();
    /** Ends with the process: what runs outside turns hangs on it. */
    this.life = new AbortController();

    this.requests = new ClientRequests(wire);
    this.approvals = new Approvals(this);
    this.hooks = new Hooks(this);
    this.history = new History();
    this.meter = new ContextMeter();
    this.voice = new RootVoice(this);
  }

  /** Tool call ids look like the model's: the tool's name and a running number. */
  nextToolCallId(name) {
    return `${name}:${this.toolCalls++}`;
  }
}
