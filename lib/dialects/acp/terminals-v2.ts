/**
 * Terminals of ACP 2: the agent runs them and reports their command, output and end. A call that uses one names it in its
 * content, so what a terminal reports is said of that call.
 */
import { LimitedMap } from '../../model/limited-map.ts';
import { decodeBase64Bytes } from '../../model/text/base64-bytes.ts';
import { isAbsent, objectOf, objectsOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

interface AgentTerminal {
  command: string | null;
  call: string | null;
}

const MAX_TERMINALS = 1000;

export class AcpTerminals {
  readonly #terminals = new LimitedMap<string, AgentTerminal>(MAX_TERMINALS);

  /** What is known of the terminal after this update. */
  update({ terminalId, command }: JsonObject): AgentTerminal {
    const terminal = this.#of(terminalId);
    terminal.command = stringOf(command) ?? terminal.command;
    return terminal;
  }

  /** What the terminals of a call run, each command once. */
  commandsOf(call: string): string[] {
    const own = [...this.#terminals.values()].filter((terminal) => terminal.call === call);
    return [...new Set(own.flatMap(({ command }) => (command === null ? [] : [command])))];
  }

  callOf({ terminalId }: JsonObject): string | null {
    return this.#of(terminalId).call;
  }

  /** The commands of the terminals that the content of a call names. */
  link(call: string, content: unknown): string[] {
    const commands: string[] = [];
    for (const { type, terminalId } of objectsOf(content)) {
      if (type !== 'terminal') continue;
      const terminal = this.#of(terminalId);
      terminal.call = call;
      if (terminal.command !== null) commands.push(terminal.command);
    }
    return commands;
  }

  #of(terminalId: unknown): AgentTerminal {
    const id = stringOf(terminalId) ?? '';
    const known = this.#terminals.get(id);
    if (known) return known;
    const terminal: AgentTerminal = { command: null, call: null };
    this.#terminals.set(id, terminal);
    return terminal;
  }
}

const decoder = new TextDecoder();

/** A chunk of output. Its bytes may end within a character. */
export function chunkText({ data }: JsonObject): string {
  return decoder.decode(decodeBase64Bytes(stringOf(data) ?? ''));
}

/** The whole output, if the update has it: '' if it only reports the end, null if neither. */
export function updateText({ output, exitStatus }: JsonObject): string | null {
  if (!isAbsent(output)) return chunkText(objectOf(output));
  return isAbsent(exitStatus) ? null : '';
}
