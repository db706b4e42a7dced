// Scenario files: turns > steps > directives, read and checked before the agent starts,
// so that a typing error is told with its place and not in the middle of a conversation.

import { readFileSync } from 'node:fs';
import { directives } from './directives.mjs';
import { nameIn } from './script.mjs';

/**
 * @typedef {Record<string, any>} Directive
 * @typedef {Directive[] | Directive} Step a list is a step; a lone directive runs outside any step
 * @typedef {Step[]} ScriptedTurn
 * @typedef {{about?: string, turns: ScriptedTurn[]}} Scenario
 */

const CALLS = ['tool', 'ask', 'plan', 'subagent', 'background_agent'];

/**
 * @param {string} nameOrPath
 * @returns {Scenario}
 */
export function loadScenario(nameOrPath) {
  const isPath = nameOrPath.includes('/') || nameOrPath.endsWith('.json');
  const file = isPath ? nameOrPath : new URL(`../scenarios/${nameOrPath}.json`, import.meta.url);
  let scenario;
  try {
    scenario = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`scenario ${nameOrPath}: ${error instanceof Error ? error.message : error}`);
  }
  if (!Array.isArray(scenario?.turns)) throw new Error(`scenario ${nameOrPath}: "turns" must be a list`);
  for (const [at, turn] of scenario.turns.entries()) checkSteps(turn, `scenario ${nameOrPath}, turn ${at + 1}`);
  return scenario;
}

function checkSteps(steps, place) {
  if (!Array.isArray(steps)) throw new Error(`${place}: must be a list of steps`);
  for (const [at, step] of steps.entries()) {
    const here = `${place}, step ${at + 1}`;
    for (const directive of [step].flat()) checkDirective(directive, here);
    if (!Array.isArray(step) && CALLS.includes(nameIn(directives, step))) {
      throw new Error(`${here}: a call must stand in a step, that is, in a list`);
    }
  }
}

function checkDirective(directive, place) {
  const name = nameIn(directives, directive);
  if (!name) throw new Error(`${place}: unknown directive ${JSON.stringify(directive)}`);
  if (name === 'repeat') for (const inner of directive.do ?? []) checkDirective(inner, `${place}, repeat`);
  if (name === 'subagent') checkSteps(directive.subagent.steps, `${place}, subagent`);
}
