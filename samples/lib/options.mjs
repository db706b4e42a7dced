// The sample agent's command line. Its own options are few; anything else that kimi might be given
// is accepted and ignored, so that the sample can stand in wherever a client starts `kimi --wire ...`.

import { resolve } from 'node:path';

/**
 * @typedef {object} AgentOptions
 * @property {'serve' | 'info' | 'info-json' | 'version'} task
 * @property {string} scenario a name in samples/scenarios, or a path
 * @property {number} pace
 * @property {boolean} yolo
 * @property {string | null} session
 * @property {string} workDir
 * @property {number | null} repeat replaces the count of every `repeat` directive
 */

const WITH_VALUE = {
  '--scenario': 'scenario',
  '--pace': 'pace',
  '--repeat': 'repeat',
  '--session': 'session',
  '--resume': 'session',
  '-S': 'session',
  '-r': 'session',
  '--work-dir': 'workDir',
  '-w': 'workDir',
};
const YOLO = ['--yolo', '--yes', '-y', '--auto-approve', '--afk'];

/**
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} env
 * @returns {AgentOptions}
 */
export function readAgentOptions(argv, env) {
  /** @type {Record<string, string>} */
  const given = {};
  const rest = [];
  for (let at = 0; at < argv.length; at++) {
    const [flag, attached] = argv[at].startsWith('--') ? argv[at].split(/=(.*)/s) : [argv[at]];
    const name = WITH_VALUE[flag];
    if (name) given[name] = attached ?? argv[++at] ?? '';
    else rest.push(argv[at]);
  }
  return {
    task: taskOf(rest),
    scenario: given.scenario || env.WIRETAPE_SAMPLE_SCENARIO || 'tour',
    pace: numberOr(1, given.pace ?? env.WIRETAPE_SAMPLE_PACE),
    yolo: rest.some((flag) => YOLO.includes(flag)),
    session: given.session || null,
    workDir: resolve(given.workDir || '.'),
    repeat: given.repeat ? numberOr(1, given.repeat) : null,
  };
}

function taskOf(rest) {
  if (rest[0] === 'info') return rest.includes('--json') ? 'info-json' : 'info';
  return rest.includes('--version') || rest.includes('-V') ? 'version' : 'serve';
}

function numberOr(fallback, text) {
  const number = Number.parseFloat(text ?? '');
  return Number.isFinite(number) && number >= 0 ? number : fallback;
}
