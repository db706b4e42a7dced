/** Agents and shims on the PATH and in the store. */
import { delimiter } from 'node:path';
import { quote } from '../../model/text/shell.ts';
import { findAgents, findShims } from '../shim/find-shims.ts';
import { shimFolder } from '../shim/write-shim.ts';
import { type DoctorFinding, ok, warning } from './finding.ts';

export function checkAgents(home: string, env: NodeJS.ProcessEnv): DoctorFinding[] {
  const PATH = env.PATH ?? '';
  const found = findAgents(PATH);
  const agents = found.map(({ name, path, isShim }, i) => {
    const hidden = found.findIndex((other) => other.name === name) < i;
    return ok('agent', `${path}${isShim ? ' (a shim)' : hidden ? ' (hidden by the one above)' : ''}`);
  });
  const shims = findShims([shimFolder(home), PATH].join(delimiter)).map((shim) => {
    const { path, agent } = shim;
    const problem =
      shim.problem ?? (shim.outdated ? 'it was made by an older wiretape, which knew fewer protocols' : null);
    if (problem === null) return ok('shim', `${path} records ${agent}`);
    return warning('shim', `${path}: ${problem}`, `recreate it: wiretape shim ${quote(agent)} --out ${quote(path)}`);
  });
  return [
    ...(agents.length > 0 ? agents : [ok('agent', 'no known agent on the PATH')]),
    ...(shims.length > 0 ? shims : [ok('shim', 'none; create one with: wiretape shim NAME')]),
  ];
}
