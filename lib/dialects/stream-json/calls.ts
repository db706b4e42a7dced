/** The calls that have no result yet: whose they are, and which of them the client runs itself. */
import type { Event } from '../../core/event.ts';

interface Call {
  tool: string | null;
  subagent: string | null;
  /** The client was asked to run it. */
  sent: boolean;
}

/** Tools that change or run something, in qwen's and in Claude's words. */
const WRITERS = new Set([
  ...['run_shell_command', 'write_file', 'edit', 'replace', 'notebook_edit'],
  ...['Bash', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
]);

/** Tools that let another agent do the work. */
const DELEGATES = new Set(['agent', 'task', 'Agent', 'Task']);

/** Undefined: nobody can tell from the name. */
export function writes(tool: string | null): boolean | undefined {
  if (tool === null) return undefined;
  return WRITERS.has(tool) ? true : DELEGATES.has(tool) ? false : undefined;
}

export class Calls {
  readonly #open = new Map<string, Call>();
  /** Servers of tools that live in the client. */
  readonly #servers = new Set<string>();

  /** False if it says again what is announced already. */
  announce(id: string, tool: string | null, subagent: string | null): boolean {
    if (this.#open.get(id)?.subagent === subagent) return false;
    this.#open.set(id, { tool, subagent, sent: false });
    return true;
  }

  close(id: string): void {
    this.#open.delete(id);
  }

  /** A new turn of the main agent: what it left open stays without result, and its ids may come again. */
  reset(): void {
    for (const [id, { subagent }] of this.#open) if (subagent === null) this.#open.delete(id);
  }

  subagentOf(id: string | null): string | null {
    return id === null ? null : (this.#open.get(id)?.subagent ?? null);
  }

  serve(server: string): void {
    this.#servers.add(server);
  }

  /** The oldest open call that a request to run this tool can be about. */
  send(server: string, tool: string): string | null {
    const name = `mcp__${server}__${tool}`;
    for (const [id, call] of this.#open) {
      if (call.sent || call.tool !== name) continue;
      call.sent = true;
      return id;
    }
    return null;
  }

  /** What the client runs itself is none of the agent's doing. */
  writes(tool: string | null): boolean | undefined {
    const known = writes(tool);
    if (tool === null || known !== undefined) return known;
    const server = tool.startsWith('mcp__') ? tool.slice(5, tool.indexOf('__', 5)) : '';
    return this.#servers.has(server) ? false : undefined;
  }
}

/** Says whose event it is: an agent that an agent started is named by the call that started it. */
export function by<E extends Event>(event: E, subagent: string | null): E {
  if (subagent !== null) {
    event.subagent = subagent;
    event.parent = subagent;
  }
  return event;
}
