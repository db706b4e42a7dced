/**
 * The text of a shim: a shell script that becomes the agent, or the recorder in front of it if the arguments select a
 * protocol. It uses absolute paths, because GUI clients often have a minimal PATH. It reads nothing, prints nothing, and
 * sets no variables (the agent would see them if they are exported). The agent runs even if wiretape is broken.
 */
import { basename } from 'node:path';
import { quote } from '../../model/text/shell.ts';
import { detectProtocol } from './detect-protocol.ts';
import { protocolRunsOf } from './protocol-runs.ts';

/** Raised when older shims should be recreated. */
export const SHIM_VERSION = 3;

export interface Shim {
  /** Empty if it replays a session and has no agent. */
  agent: string;
  node: string;
  /** The path of wiretape.js. */
  wiretape: string;
  /** The store to use if $WIRETAPE_HOME is not set; null for the default store. */
  store: string | null;
  /** Record every run: for MCP servers, for instance. */
  always: boolean;
  /** The session that it replays in place of the agent, by id or path; null: it records the agent. */
  replay: string | null;
}

/** The start of every shim, in all versions. */
export const SHIM_START = '#!/bin/sh\n# wiretape shim ';
const FIRST_LINES = /^#!\/bin\/sh\n# wiretape shim (\d+)\n# (\{[^\n]*\})\n/;
/** Longer than the first lines of any shim. */
export const HEAD_BYTES = 32 * 1024;

/** `name`: of the shim itself, in case that of its agent says nothing. */
export function shimScript(shim: Shim, name = ''): string {
  if (shim.replay !== null) return replayScript(shim, shim.replay, name);
  const [agent, node, wiretape] = [shim.agent, shim.node, shim.wiretape].map(quote);
  const launcher = quote(shim.wiretape.replace(/[^/]*$/, 'launch'));
  const store = shim.store === null ? '' : `[ -n "\${WIRETAPE_HOME-}" ] || set -- --store ${quote(shim.store)} "$@"\n`;
  return `${SHIM_START}${SHIM_VERSION}
# ${JSON.stringify(shim)}
# Runs the agent named above and records ${shim.always ? 'every run' : 'it if its arguments select a protocol'}.
# Do not edit. Recreate it with \`wiretape shim\`, remove it with \`wiretape shim --remove\`. WIRETAPE=off disables recording.

if [ ${agent} -ef "$0" ]; then
  printf 'wiretape: the agent of this shim is the shim itself: %s\\nhint: recreate it: wiretape shim AGENT\\n' "$0" >&2
  exit 127
fi
[ "\${WIRETAPE-}" != off ] && [ -x ${node} ] && [ -s ${wiretape} ] || exec ${agent} "$@"
${shim.always ? '' : detectProtocol(protocolRunsOf(basename(shim.agent), name), agent!)}
set -- -- ${agent} "$@"
${store}# The launcher passes ignored signals, the signal mask and open descriptors to the agent.
[ ! -x ${launcher} ] || exec ${launcher} --node ${node} ${wiretape} record "$@"
# Node settings are for the agent, not for wiretape, which restores them for the agent.
export WT_NODE_OPTIONS="\${NODE_OPTIONS-}" WT_NODE_DEBUG="\${NODE_DEBUG-}"
export NODE_OPTIONS=--no-warnings NODE_DEBUG=none
exec ${node} ${wiretape} record "$@"
`;
}

/** Every run is a replay, unless there is an agent for the runs that speak no protocol. */
function replayScript(shim: Shim, session: string, name: string): string {
  const [agent, node, wiretape] = [shim.agent, shim.node, shim.wiretape].map(quote);
  const isAgent = shim.agent === '' || shim.always;
  const store =
    shim.store === null ? '' : `export WIRETAPE_HOME="\${WIRETAPE_HOME:-${shim.store.replace(/[\\"$`]/g, '\\$&')}}"\n`;
  return `${SHIM_START}${SHIM_VERSION}
# ${JSON.stringify(shim)}
# Replays the session named above in place of the agent${isAgent ? '' : ' if the arguments select a protocol'}.
# Do not edit. Recreate it with \`wiretape shim --replay\`, remove it with \`wiretape shim --remove\`.

${isAgent ? '' : detectProtocol(protocolRunsOf(basename(shim.agent), name), agent!)}
${store}exec ${node} ${wiretape} replay --instant ${quote(session)}
`;
}

/** Parses the start of a shim; null if it is not a shim. */
export function readShim(head: string): (Shim & { version: number }) | null {
  const [, version, json] = FIRST_LINES.exec(head) ?? [];
  if (!json) return null;
  try {
    const { agent, node, wiretape, store = null, always = false, replay = null } = JSON.parse(json);
    if (![agent, node, wiretape].every((path) => typeof path === 'string')) return null;
    return { version: Number(version), agent, node, wiretape, store, always: always === true, replay };
  } catch {
    return null;
  }
}
