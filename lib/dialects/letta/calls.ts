/** Tool calls of letta: announced in pieces or whole, approved, run, and in some versions returned. */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { isObject } from '../../model/message.ts';
import { blocksOf, readable } from '../common/content.ts';
import { jsonText, listOf, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** The tools that change or run something, under the names that its toolsets give them. */
const WRITERS = new Set([
  ...['Bash', 'shell', 'Shell', 'shell_command', 'ShellCommand', 'exec_command', 'write_stdin'],
  ...['run_shell_command', 'RunShellCommand', 'run_shell_command_gemini', 'RunShellCommandGemini'],
  ...['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'apply_patch', 'ApplyPatch', 'memory_apply_patch'],
  ...['replace', 'Replace', 'write_file', 'WriteFile', 'write_file_gemini', 'WriteFileGemini'],
]);

/** Tools that delegate to another agent. */
const DELEGATES = new Set(['Agent', 'Task', 'agent', 'task']);

/** The text of a refused call, which has no other result. */
const DENIED = /^.{0,10}\brequest to call tool denied\b/;

interface OpenLettaCall {
  /** The answer that announced it is over, and so are its arguments. */
  isWhole: boolean;
  /** It may go ahead. */
  isApproved: boolean;
}

export class LettaCalls {
  /** Without a result, by id. */
  readonly #open = new LimitedMap<string, OpenLettaCall>(10_000);

  /** A message that names calls, one or several. A further piece of the same answer adds to the arguments. */
  announced({ tool_call, tool_calls }: JsonObject): Event[] {
    return (isObject(tool_call) ? [tool_call] : listOf(tool_calls)).map((one) => this.#announce(objectOf(one)));
  }

  #announce(named: JsonObject): Event {
    const { call, tool, args } = partsOf(named);
    const open = call === null ? undefined : this.#open.get(call);
    if (open && !open.isWhole) return { kind: 'tool-args', call, tool, text: args ?? '', delta: true };
    const event: Event = { kind: 'tool-call', call, tool, args, complete: false };
    if (tool !== null && WRITERS.has(tool)) event.writes = true;
    else if (tool !== null && DELEGATES.has(tool)) event.writes = false;
    // It is named again, with all of its arguments, when it is about to run.
    if (open) event.restates = true;
    else if (call !== null) this.#open.set(call, { isWhole: false, isApproved: false });
    return event;
  }

  /** The model's answer is over. */
  answered(): void {
    for (const open of this.#open.values()) open.isWhole = true;
  }

  /** The call goes ahead. `mode`: the one that allows it, if that is why. */
  approved(named: JsonObject, mode: string | null): Event {
    const { call, tool, args } = partsOf(named);
    const event: Event = { kind: 'tool-call', call, tool, args, complete: true };
    if (call !== null && this.#open.has(call)) event.restates = true;
    if (mode !== null) event.mode = mode;
    if (call !== null) this.#open.set(call, { isWhole: true, isApproved: true });
    return event;
  }

  /** The model is asked again, which it is with the results of the calls that went ahead: they ran. */
  wentOn(): Event[] {
    const ran: Event[] = [];
    for (const [call, { isApproved }] of this.#open.entries()) {
      if (isApproved) ran.push({ kind: 'progress', call });
      this.#open.delete(call);
    }
    return ran;
  }

  returned({ tool_call_id, name, status, tool_return, stderr }: JsonObject): Event {
    const call = stringOf(tool_call_id);
    if (call !== null) this.#open.delete(call);
    const ok = status !== 'error';
    const blocks = blocksOf(tool_return ?? listOf(stderr).join('\n'));
    const event: Event = { kind: 'tool-result', call, tool: stringOf(name), ok, blocks, displays: [] };
    const text = readable(blocks);
    if (!ok && text !== null && DENIED.test(text)) event.ruling = { decision: 'deny', by: null };
    return withText(event, text);
  }

  /** The turn is over, and so is what it began. */
  clear(): void {
    this.#open.clear();
  }
}

function partsOf({ tool_call_id, name, arguments: given }: JsonObject) {
  return { call: stringOf(tool_call_id), tool: stringOf(name) || null, args: jsonText(given) };
}
