/**
 * Standing grants (rule A7): an answer that allows for good. Wire grants an action, and later calls of that action are not
 * asked about; which action a tool has is learned from what was asked about it. Others grant in words of their own, which
 * are taken to mean the same kind of call.
 */
import { Recent } from '../core/timeline/recent.ts';

export interface Grant {
  /** The row that was answered so, and the answer. */
  f: number;
  answer_f: number;
  tool: string | null;
  action: string | null;
  /** In the words of the option, where it has any; else the action or the tool. */
  scope: string | null;
  /** How many later calls and open requests it decided; their rows name it in `grant_f`. */
  covered: number;
}

const MOST = 1000;

/** Tools that share an action before anything was asked about them. */
const EDITORS = new Set(['WriteFile', 'StrReplaceFile', 'PatchFile', 'Write', 'Edit']);

export class Grants {
  readonly list: Grant[] = [];
  /** By action, else by tool: the first of each. */
  readonly #byScope = new Map<string, Grant>();
  /** The actions that were asked about, by tool. */
  readonly #actions = new Recent<string, Set<string>>(MOST);

  learn(tool: string | null, action: string | null): void {
    if (tool === null || action === null) return;
    const known = this.#actions.get(tool);
    if (!known) this.#actions.set(tool, new Set([action]));
    else if (known.size < MOST) known.add(action);
  }

  add(grant: Grant): void {
    const scope = scopeOf(grant.tool, grant.action);
    if (scope === null || this.list.length >= MOST || this.#byScope.has(scope)) return;
    this.list.push(grant);
    this.#byScope.set(scope, grant);
  }

  /** The grant of the same action, if it was given by then. */
  ofAction(tool: string | null, action: string | null, by: number): Grant | null {
    const scope = scopeOf(tool, action);
    const grant = scope === null ? undefined : this.#byScope.get(scope);
    return grant && grant.answer_f <= by ? grant : null;
  }

  /** The grant that covers a call that nobody was asked about. */
  covering(tool: string | null, action: string | null): Grant | null {
    if (this.list.length === 0) return null;
    if (action !== null) return this.#byScope.get(scopeOf(tool, action)!) ?? null;
    for (const known of this.#actions.get(tool ?? '') ?? []) {
      const grant = this.#byScope.get(scopeOf(tool, known)!);
      if (grant) return grant;
    }
    const own = this.#byScope.get(scopeOf(tool, null) ?? '');
    if (own || !EDITORS.has(tool ?? '') || this.#actions.has(tool!)) return own ?? null;
    return this.list.find((grant) => EDITORS.has(grant.tool ?? '')) ?? null;
  }
}

function scopeOf(tool: string | null, action: string | null): string | null {
  return action !== null ? `action ${action}` : tool !== null ? `tool ${tool}` : null;
}
