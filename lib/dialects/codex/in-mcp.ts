/**
 * What `codex mcp-server` adds to MCP: its own events, read as the work of the tool call that they belong to, and
 * elicitations that are approvals, which need an answer in its own form.
 */
import type { Event } from '../../model/event.ts';
import { idText, jsonText, objectOf, stringOf } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { changeBlocks } from './changes.ts';
import { optionsOf, readDecisionAnswer, readFailedAnswer } from './decisions.ts';
import { OldEvents } from './old-events.ts';

export const CODEX_EVENT = 'codex/event';

export class CodexInMcp {
  /** Of each tool call. */
  readonly #events = new Map<string, OldEvents>();

  read(params: JsonObject): Event[] {
    const call = idText(objectOf(params._meta).requestId) ?? '';
    const reader = this.#events.get(call) ?? new OldEvents();
    this.#events.set(call, reader);
    if (this.#events.size > MAX_CALLS) this.#events.delete(this.#events.keys().next().value!);
    const events = reader.read(objectOf(params.msg));
    return call === '' ? events : events.map((event) => ({ ...event, subagent: call, parent: call }));
  }

  /** An elicitation that asks for an approval, and what it says about its call; null if it is one of MCP's own. */
  readApproval(params: JsonObject): [CodexMcpApproval, ...Event[]] | null {
    if (typeof params.codex_elicitation !== 'string') return null;
    const parent = this.#callOf(params.codex_mcp_tool_call_id);
    const approval = makeApproval(params, parent);
    const { call } = approval;
    const isKnown = call !== null && this.#events.get(parent ?? '')?.isRunning(call);
    const text = isKnown ? jsonText(approval.arguments) : null;
    if (text === null) return [approval];
    // The arguments as they will be reported when the call begins, which may never happen.
    const by = parent === null ? {} : { subagent: parent, parent };
    return [approval, { kind: 'tool-args', call, replace: true, text, ...by }];
  }

  /** Codex writes every id as a text, also that of a number. */
  #callOf(id: unknown): string | null {
    return typeof id === 'string' && this.#events.has(id) ? id : idText(id);
  }
}

const MAX_CALLS = 100;

type CodexMcpApproval = Event & { kind: 'approval' };

function makeApproval(params: JsonObject, parent: string | null): CodexMcpApproval {
  const { codex_elicitation, codex_call_id, codex_command, codex_cwd, codex_changes, message } = params;
  const isPatch = codex_elicitation === 'patch-approval';
  const description = stringOf(message);
  return {
    kind: 'approval',
    call: stringOf(codex_call_id),
    tool: isPatch ? 'patch_apply' : 'exec_command',
    request: null,
    action: isPatch ? 'edit' : 'execute',
    description,
    arguments: isPatch ? { changes: codex_changes } : { command: codex_command, cwd: codex_cwd },
    options: optionsOf(null, 'v1'),
    displays: changeBlocks(codex_changes),
    ...(description === null ? {} : { text: description }),
    ...(parent === null ? {} : { subagent: parent, parent }),
  };
}

export function readCodexApprovalAnswer(line: DialectLine): Event {
  return readFailedAnswer(line) ?? readDecisionAnswer(line.message.body, 'v1');
}
