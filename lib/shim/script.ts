/**
 * The drop-in executable, as text: a shell script that becomes the agent, or the recorder in front of it when the agent
 * is asked to speak a protocol. It holds absolute paths, because clients with a window have no PATH worth the name. It
 * reads nothing, prints nothing, sets no variable (an exported one of that name would change for the agent), and in
 * whatever state wiretape is, the agent runs.
 */

/** Raised when old shims should be made anew. */
export const SHIM_VERSION = 2;

export interface Shim {
  agent: string;
  node: string;
  /** The program's own file. */
  wiretape: string;
  /** Where to record, if $WIRETAPE_HOME does not say; null for the store that everybody has by default. */
  store: string | null;
  /** Every run is a protocol run: for MCP servers and the like. */
  always: boolean;
}

/** What every shim begins with, of whatever version. */
export const SHIM_START = '#!/bin/sh\n# wiretape shim ';
const FIRST_LINES = /^#!\/bin\/sh\n# wiretape shim (\d+)\n# (\{[^\n]*\})\n/;
/** Longer than the first lines of any shim. */
export const HEAD_BYTES = 32 * 1024;

export function shimScript(shim: Shim): string {
  const [agent, node, wiretape] = [shim.agent, shim.node, shim.wiretape].map(quote);
  const launcher = quote(shim.wiretape.replace(/[^/]*$/, 'launch'));
  const store = shim.store === null ? '' : `[ -n "\${WIRETAPE_HOME-}" ] || set -- --store ${quote(shim.store)} "$@"\n`;
  return `${SHIM_START}${SHIM_VERSION}
# ${JSON.stringify(shim)}
# Runs the agent named above, and records it ${shim.always ? 'every time' : 'when it is asked to speak a protocol'}.
# Do not edit: \`wiretape shim\` makes it anew, \`wiretape shim --remove\` removes it. WIRETAPE=off: records nothing.

if [ ${agent} -ef "$0" ]; then
  printf 'wiretape: the agent of this shim is the shim itself: %s\\nhint: make it anew with: wiretape shim AGENT\\n' "$0" >&2
  exit 127
fi
[ "\${WIRETAPE-}" != off ] && [ -x ${node} ] && [ -s ${wiretape} ] || exec ${agent} "$@"
${shim.always ? '' : WHAT_IS_ASKED.replaceAll('AGENT', () => agent!)}
set -- -- ${agent} "$@"
${store}# The launcher keeps ignored signals, the signal mask and open descriptors for the agent.
[ ! -x ${launcher} ] || exec ${launcher} --node ${node} ${wiretape} record "$@"
# What is meant for the agent's Node must not change ours: the program gives it back.
export WT_NODE_OPTIONS="\${NODE_OPTIONS-}" WT_NODE_DEBUG="\${NODE_DEBUG-}"
export NODE_OPTIONS=--no-warnings NODE_DEBUG=none
exec ${node} ${wiretape} record "$@"
`;
}

/** Goes on only if a protocol is spoken. Functions have arguments of their own, and so need no variables. */
const WHAT_IS_ASKED = `
# A flag that stands for a protocol.
wiretape_flag() {
  while [ $# -gt 0 ]; do
    case $1 in
      --) return 1 ;;
      --wire | --acp | --acp=true | --experimental-acp | --experimental-acp=true) return 0 ;;
      --input-format=stream-json | --output-format=stream-json) return 0 ;;
      --input-format | --output-format) [ "\${2-}" = stream-json ] && return 0 ;;
    esac
    shift
  done
  return 1
}

# The subcommand acp: the first word that is neither an option nor an option's value. A word that may be either counts
# if somebody other than a person at a terminal said it.
wiretape_acp() {
  while [ $# -gt 0 ]; do
    case $1 in
      acp) return 0 ;;
      --) return 1 ;;
      -p | --prompt | -c | --command | -i | --prompt-interactive) [ $# -gt 1 ] && shift ;;
      -*=*) ;;
      -*)
        case \${2--} in
          acp) [ ! -t 0 ] && return 0 || return 1 ;;
          -*) ;;
          *) shift ;;
        esac
        ;;
      *) return 1 ;;
    esac
    shift
  done
  return 1
}

# Only help or the version.
wiretape_help() {
  while [ $# -gt 0 ]; do
    case $1 in
      --) return 1 ;;
      --help | --version) return 0 ;;
    esac
    shift
  done
  return 1
}

{ wiretape_flag "$@" || wiretape_acp "$@"; } && ! wiretape_help "$@" || exec AGENT "$@"
`;

/** A word as sh reads it back, whatever is in it. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The shim whose text begins so; null if it is no shim. */
export function readShim(head: string): (Shim & { version: number }) | null {
  const [, version, json] = FIRST_LINES.exec(head) ?? [];
  if (!json) return null;
  try {
    const { agent, node, wiretape, store, always } = JSON.parse(json);
    if (![agent, node, wiretape].every((path) => typeof path === 'string')) return null;
    return { version: Number(version), agent, node, wiretape, store: store ?? null, always: always === true };
  } catch {
    return null;
  }
}
