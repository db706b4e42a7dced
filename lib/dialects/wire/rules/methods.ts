/** The shapes of what a client asks, and of what the agent answers: as shapes.ts, a line a method. */

import type { MethodShape } from '../../rules/method-shapes.ts';
import { either, type JsonShape, mapOf } from '../../rules/schema.ts';
import { INPUT } from './shapes.ts';

const TOOL: JsonShape = { name: 'string', description: 'string', parameters: 'object' };
const HOOK: JsonShape = { id: 'string', event: 'string', 'matcher?': 'string', 'timeout?': 'integer' };
const CAPABILITIES: JsonShape = { 'supports_question?': 'boolean', 'supports_plan_mode?': 'boolean' };
const STATUS: JsonShape = either(
  { status: "'finished'|'cancelled'" },
  { status: "'max_steps_reached'", steps: 'integer' },
);

export const METHODS: Readonly<Record<string, MethodShape>> = {
  initialize: {
    params: {
      protocol_version: 'string',
      'client?': either('null', { name: 'string', 'version?': 'string|null' }),
      'external_tools?': either('null', [TOOL]),
      'capabilities?': either('null', CAPABILITIES),
      'hooks?': either('null', [HOOK]),
    },
    result: {
      protocol_version: 'string',
      server: { name: 'string', version: 'string' },
      slash_commands: [{ name: 'string', description: 'string', aliases: ['string'] }],
      'external_tools?': { accepted: ['string'], rejected: [{ name: 'string', reason: 'string' }] },
      'hooks?': { supported_events: ['string'], configured: mapOf('integer') },
      'capabilities?': CAPABILITIES,
    },
  },
  prompt: { params: { user_input: INPUT }, result: STATUS },
  cancel: { params: 'object|null', result: 'object', optional: true },
  replay: {
    params: 'any',
    result: { status: "'finished'|'cancelled'", events: 'integer', requests: 'integer' },
    optional: true,
  },
  steer: { params: { user_input: INPUT }, result: { status: "'steered'" } },
  set_plan_mode: { params: { enabled: 'boolean' }, result: { status: "'ok'", plan_mode: 'boolean' } },
};

export const LEGACY_METHODS: Readonly<Record<string, MethodShape>> = {
  run: { params: either({ input: 'string' }, { prompt: 'string' }), result: STATUS },
  interrupt: { params: 'any', result: { status: "'ok'|'idle'" }, optional: true },
};

export const ERROR: JsonShape = { code: 'integer', message: 'string' };
