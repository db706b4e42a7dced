// The sample client's command line: its own options, then `--`, then the agent's command.

import { readFileSync } from 'node:fs';

export const USAGE = `usage: client.mjs [options] -- AGENT [ARGS...]

  --approve approve|approve_for_session|reject|error|never   how to answer approvals (approve)
  --answer first|last|dismiss    how to answer questions (first)
  --delay SECONDS                wait this long before each answer (0)
  --prompt TEXT                  a prompt to send; may be given several times
  --script FILE                  a JSON list of actions, after the prompts
  --hook EVENT[:MATCHER]         subscribe to a hook event; may be given several times
  --timeout SECONDS              give up after this long
  --quiet                        no account of the conversation
`;

const CHOICES = {
  approve: ['approve', 'approve_for_session', 'reject', 'error', 'never'],
  answer: ['first', 'last', 'dismiss'],
};

/**
 * @typedef {object} ClientOptions
 * @property {string} approve
 * @property {string} answer
 * @property {number} delay
 * @property {object[]} actions prompts first, then the script
 * @property {{id: string, event: string, matcher: string}[]} hooks
 * @property {number | null} timeout
 * @property {boolean} quiet
 * @property {string[]} command
 */

/**
 * @param {string[]} argv
 * @returns {ClientOptions}
 * @throws {Error} with a line for the user
 */
export function readClientOptions(argv) {
  const options = { approve: 'approve', answer: 'first', delay: 0, hooks: [], timeout: null, quiet: false };
  const prompts = [];
  let script = null;
  const rest = [...argv];
  const value = (flag) => {
    if (rest.length === 0) throw new Error(`${flag} needs a value`);
    return rest.shift();
  };
  while (rest.length > 0) {
    const flag = rest.shift();
    if (flag === '--') break;
    if (flag === '--approve') options.approve = oneOf('approve', value(flag));
    else if (flag === '--answer') options.answer = oneOf('answer', value(flag));
    else if (flag === '--delay') options.delay = seconds(flag, value(flag));
    else if (flag === '--timeout') options.timeout = seconds(flag, value(flag));
    else if (flag === '--prompt') prompts.push({ prompt: value(flag) });
    else if (flag === '--script') script = readScript(value(flag));
    else if (flag === '--hook') options.hooks.push(hook(value(flag), options.hooks.length + 1));
    else if (flag === '--quiet') options.quiet = true;
    else throw new Error(`unknown option ${flag}`);
  }
  if (rest.length === 0) throw new Error('no agent: its command comes after --');
  const actions = [...prompts, ...(script ?? [])];
  return { ...options, actions: actions.length > 0 ? actions : [{ prompt: 'Hello' }], command: rest };
}

function oneOf(name, word) {
  if (CHOICES[name].includes(word)) return word;
  throw new Error(`--${name} must be one of ${CHOICES[name].join(', ')}`);
}

function seconds(flag, word) {
  const number = Number(word);
  if (Number.isFinite(number) && number >= 0) return number;
  throw new Error(`${flag} needs a number of seconds`);
}

function hook(word, number) {
  const [event, matcher = ''] = word.split(/:(.*)/s);
  return { id: `hook-${number}`, event, matcher };
}

function readScript(file) {
  try {
    const actions = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(actions)) return actions;
  } catch (error) {
    throw new Error(`script ${file}: ${error.message}`);
  }
  throw new Error(`script ${file}: must be a list of actions`);
}
