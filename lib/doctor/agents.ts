/** Agents and shims that the PATH and the store lead to. */
import { delimiter } from 'node:path';
import { findAgents, findShims } from '../shim/find.ts';
import { quote } from '../shim/script.ts';
import { shimFolder } from '../shim/write.ts';
import { type Finding, ok, warning } from './finding.ts';

export function lookAtAgents(home: string, env: NodeJS.ProcessEnv): Finding[] {
  const PATH = env.PATH ?? '';
  const found = findAgents(PATH);
  const agents = found.map(({ name, path, isShim }, i) => {
    const hidden = found.findIndex((other) => other.name === name) < i;
    return ok('agent', `${path}${isShim ? ' (a shim)' : hidden ? ' (behind the one before)' : ''}`);
  });
  const shims = findShims([shimFolder(home), PATH].join(delimiter)).map(({ path, agent, problem }) =>
    problem === null
      ? ok('shim', `${path} records ${agent}`)
      : warning('shim', `${path}: ${problem}`, `wiretape shim ${quote(agent)} --out ${quote(path)} makes it anew`),
  );
  return [
    ...(agents.length > 0 ? agents : [ok('agent', 'none of the known ones is on the PATH')]),
    ...(shims.length > 0 ? shims : [ok('shim', 'none; wiretape shim NAME makes one')]),
  ];
}
