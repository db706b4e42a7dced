/** A recorder for clients that take the path of an agent and no arguments. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WIRETAPE, wiretape } from '../../support/run.ts';
import type { Place } from '../../support/store.ts';

const HAS_SHIM = existsSync(fileURLToPath(new URL('../../../dist/lib/commands/shim.js', import.meta.url)));

/** The path of a program that is `wiretape record -- AGENT`, with whatever arguments it is given. */
export async function recordingExecutable(place: Place, agent: string): Promise<string> {
  const path = join(place.dir, 'recording-agent');
  if (HAS_SHIM) {
    const { code, stderr } = await wiretape(place, ['shim', agent, '--out', path]);
    if (code !== 0) throw new Error(stderr.toString());
    return path;
  }
  writeFileSync(path, `#!/bin/sh\nexec '${WIRETAPE}' record -- '${agent}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
