/** The calls without a result: whose they are, and which of them the client runs. */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { objectOf } from '../common/fields.ts';

interface OpenStreamCall {
  tool: string | null;
  subagent: string | null;
  /** The client was asked to run it. */
  sent: boolean;
  /** It is to go on after its result. */
  background: boolean;
}

/** Tools of qwen and Claude that change or run something. */
const WRITERS = new Set([
  ...['run_shell_command', 'write_file', 'edit', 'replace', 'notebook_edit'],
  ...['Bash', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
]);

/** Tools that delegate to another agent. */
const DELEGATES = new Set(['agent', 'task', 'Agent', 'Task']);

/** Undefined if the name does not say. */
export function writes(tool: string | null): boolean | undefined {
  if (tool === null) return undefined;
  return WRITERS.has(tool) ? true : DELEGATES.has(tool) ? false : undefined;
}

export class StreamCalls {
  readonly #open = new LimitedMap<string, OpenStreamCall>();
  /** MCP servers that run in the client. */
  readonly #servers = new Set<string>();

  /** False if the call is already announced. */
  announce(id: string, tool: string | null, subagent: string | null, input: unknown): boolean {
    if (this.#open.get(id)?.subagent === subagent) return false;
    const background = objectOf(input).run_in_background === true;
    this.#open.set(id, { tool, subagent, sent: false, background });
    return true;
  }

  /** False only for an open call that ends with what it started. */
  isBackground(id: string | null): boolean {
    return id === null || this.#open.get(id)?.background !== false;
  }

  close(id: string): void {
    this.#open.delete(id);
  }

  /** A new turn of the main agent begins: its open calls get no result, and their ids may be used again. */
  reset(): void {
    for (const [id, { subagent }] of this.#open.entries()) if (subagent === null) this.#open.delete(id);
  }

  subagentOf(id: string | null): string | null {
    return id === null ? null : (this.#open.get(id)?.subagent ?? null);
  }

  serve(server: string): void {
    this.#servers.add(server);
  }

  /** The oldest open call that a request to run this tool may be about. */
  send(server: string, tool: string): string | null {
    const name = `mcp__${server}__${tool}`;
    for (const [id, call] of this.#open.entries()) {
      if (call.sent || call.tool !== name) continue;
      call.sent = true;
      return id;
    }
    return null;
  }

  /** Tools that the client runs do not count as the agent's. */
  writes(tool: string | null): boolean | undefined {
    const known = writes(tool);
    if (tool === null || known !== undefined) return known;
    const server = tool.startsWith('mcp__') ? tool.slice(5, tool.indexOf('__', 5)) : '';
    return this.#servers.has(server) ? false : undefined;
  }
}

/** Sets the subagent of an event, which is named after the call that started it. */
export function bySubagent<E extends Event>(event: E, subagent: string | null): E {
  if (subagent !== null) {
    event.subagent = subagent;
    event.parent = subagent;
  }
  return event;
}
