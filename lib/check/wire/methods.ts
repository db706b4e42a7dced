/** The shapes of what a client asks, and of what the agent answers: as shapes.ts, a line a method. */
import type { Shape } from '../schema.ts';
import { INPUT } from './shapes.ts';

const TOOL: Shape = { fields: { name: 'string', description: 'string', parameters: 'object' } };
const HOOK: Shape = { fields: { id: 'string', event: 'string', 'matcher?': 'string', 'timeout?': 'integer' } };
const CAPABILITIES: Shape = { fields: { 'supports_question?': 'boolean', 'supports_plan_mode?': 'boolean' } };
const STATUS: Shape = {
  either: [
    { fields: { status: "'finished'|'cancelled'" } },
    { fields: { status: "'max_steps_reached'", steps: 'integer' } },
  ],
};

interface Method {
  params: Shape;
  result: Shape;
  /** The client may leave out `params`. */
  isBare?: true;
}

export const METHODS: Readonly<Record<string, Method>> = {
  initialize: {
    params: {
      fields: {
        protocol_version: 'string',
        'client?': { either: ['null', { fields: { name: 'string', 'version?': 'string|null' } }] },
        'external_tools?': { either: ['null', { list: TOOL }] },
        'capabilities?': { either: ['null', CAPABILITIES] },
        'hooks?': { either: ['null', { list: HOOK }] },
      },
    },
    result: {
      fields: {
        protocol_version: 'string',
        server: { fields: { name: 'string', version: 'string' } },
        slash_commands: { list: { fields: { name: 'string', description: 'string', aliases: { list: 'string' } } } },
        'external_tools?': {
          fields: {
            accepted: { list: 'string' },
            rejected: { list: { fields: { name: 'string', reason: 'string' } } },
          },
        },
        'hooks?': { fields: { supported_events: { list: 'string' }, configured: { map: 'integer' } } },
        'capabilities?': CAPABILITIES,
      },
    },
  },
  prompt: { params: { fields: { user_input: INPUT } }, result: STATUS },
  cancel: { params: 'object|null', result: 'object', isBare: true },
  replay: {
    params: 'any',
    result: { fields: { status: "'finished'|'cancelled'", events: 'integer', requests: 'integer' } },
    isBare: true,
  },
  steer: { params: { fields: { user_input: INPUT } }, result: { fields: { status: "'steered'" } } },
  set_plan_mode: {
    params: { fields: { enabled: 'boolean' } },
    result: { fields: { status: "'ok'", plan_mode: 'boolean' } },
  },
};

export const LEGACY_METHODS: Readonly<Record<string, Method>> = {
  run: { params: { either: [{ fields: { input: 'string' } }, { fields: { prompt: 'string' } }] }, result: STATUS },
  interrupt: { params: 'any', result: { fields: { status: "'ok'|'idle'" } }, isBare: true },
};

export const ERROR: Shape = { fields: { code: 'integer', message: 'string' } };
