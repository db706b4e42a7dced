// The parameters of each method, checked as strictly (and as leniently) as the real agent checks them.
// Every reader returns the parameters in full or throws InvalidParams.

import { InvalidParams } from './failures.mjs';
import { contentPart } from './payloads.mjs';
import { pythonRepr } from './python-text.mjs';

const TRUE_WORDS = ['true', 't', 'yes', 'y', 'on', '1'];
const FALSE_WORDS = ['false', 'f', 'no', 'n', 'off', '0'];

export const readParams = {
  initialize(params) {
    const { protocol_version, client, external_tools, hooks, capabilities } = object(params);
    string(protocol_version);
    if (client) string(object(client).name);
    if (capabilities) boolean(object(capabilities).supports_plan_mode ?? false);
    return {
      externalTools: list(external_tools).map((tool) => {
        const { name, description, parameters } = object(tool);
        string(description);
        return { name: string(name), parameters: object(parameters) };
      }),
      hooks: list(hooks).map((hook) => {
        const { id, event, matcher = '', timeout = 30 } = object(hook);
        if (!Number.isInteger(timeout)) throw new InvalidParams();
        return { id: string(id), event: string(event), matcher: string(matcher), timeout };
      }),
      // Null leaves what an earlier initialize said.
      supportsQuestion: capabilities ? boolean(capabilities.supports_question ?? false) : null,
    };
  },

  prompt: userInput,
  steer: userInput,
  set_plan_mode: (params) => ({ enabled: boolean(object(params).enabled) }),
  cancel: () => ({}),
  replay: () => ({}),
};

/** What the user typed, from a string or a list of content parts. */
export function plainText(input) {
  if (typeof input === 'string') return input;
  return input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
}

/** Why a tool's parameter schema is no schema, or null. Only `type` is looked at. */
export function schemaProblem({ type }) {
  const simple = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
  if (type === undefined || [type].flat().every((name) => simple.includes(name))) return null;
  return `${pythonRepr(type)} is not valid under any of the given schemas`;
}

function userInput(params) {
  const { user_input: input } = object(params);
  if (typeof input === 'string') return { userInput: input };
  if (!Array.isArray(input)) throw new InvalidParams();
  return { userInput: input.map(contentPart) };
}

function object(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new InvalidParams();
  return value;
}

function string(value) {
  if (typeof value !== 'string') throw new InvalidParams();
  return value;
}

function list(value) {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidParams();
  return value;
}

function boolean(value) {
  const word = String(value).toLowerCase();
  if (TRUE_WORDS.includes(word)) return true;
  if (FALSE_WORDS.includes(word)) return false;
  throw new InvalidParams();
}
