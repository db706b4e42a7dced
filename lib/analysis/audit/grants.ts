/**
 * Standing grants (rule A7): answers that allow all later calls too. Wire grants an action, and later calls of that
 * action need no approval; requests show which actions a tool has. A grant that names what it covers covers only
 * that; one in other words covers the same kind of call.
 */
import type { Cover } from '../../model/event.ts';
import type { Ask } from '../../model/ledger/records.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { type CoveredCall, coversCall } from './cover.ts';
import { argumentsOf } from './request.ts';
import type { ApprovalRow } from './row.ts';

export interface Grant {
  /** The frames of the request and of the answer. */
  f: number;
  answer_f: number;
  tool: string | null;
}

/** A grant that does not cover all calls of its action. */
interface NarrowGrant extends Grant, CoveredCall {
  cover: Cover;
}

/** What a grant covers: the label of the chosen option, or else the action or the tool. */
export function describeGrant({ tool, action, options, option }: GrantingRow): string | null {
  return options.find(({ id }) => id === option)?.label ?? action ?? tool;
}

/** The actions of Wire that cover a whole kind of call. */
const ACTION_COVERS: Readonly<Record<string, string>> = {
  'run command': 'every command',
  'run shell command': 'every command',
  'edit file': 'every file edit',
  execute: 'every command',
  edit: 'every file edit',
};

/** What a grant covers, as text: its own rules, else the label of its option, else what the protocol says it covers. */
export function describeCover(granting: GrantingRow): string {
  const { tool, action, options, option, granted } = granting;
  if (granted.length > 0) return granted.join(', ');
  const label = options.find(({ id }) => id === option)?.label ?? null;
  if (label !== null) return `what its option says: "${label}"`;
  if (action === null) return `later calls of ${tool ?? 'the tool'}, as far as the agent's own rules say`;
  return `${ACTION_COVERS[action] ?? `every call with the action "${action}"`} of this session`;
}

interface GrantedAsk extends Pick<Ask, 'f' | 'tool' | 'call' | 'action'>, Partial<Pick<Ask, 'arguments'>> {
  decided?: { covers?: Cover | null } | null;
}
type GrantingRow = Pick<ApprovalRow, 'tool' | 'action' | 'options' | 'option' | 'granted'>;

const MAX_GRANTS = 1000;

/** Tools that are assumed to share an action until a request shows otherwise. */
const EDITORS = new Set(['WriteFile', 'StrReplaceFile', 'PatchFile', 'Write', 'Edit']);

export class Grants {
  readonly #list: Grant[] = [];
  readonly #narrow: NarrowGrant[] = [];
  /** The first grant for each action, or else for each tool. */
  readonly #byScope = new Map<string, Grant>();
  /** The actions in requests, by tool. */
  readonly #actions = new LimitedMap<string, Set<string>>(MAX_GRANTS);

  learn(tool: string | null, action: string | null): void {
    if (tool === null || action === null) return;
    const known = this.#actions.get(tool);
    if (!known) this.#actions.set(tool, new Set([action]));
    else if (known.size < MAX_GRANTS) known.add(action);
  }

  /** A second grant with the same scope has no effect. */
  add(ask: GrantedAsk, answer_f: number): void {
    const { f, tool: named, call, action, decided } = ask;
    const tool = named ?? call?.tool ?? null;
    if (decided?.covers) {
      const given = ask.arguments ?? (call ? argumentsOf(call) : null);
      const narrow = { f, answer_f, tool, action, cover: decided.covers, arguments: given };
      if (this.#narrow.length < MAX_GRANTS) this.#narrow.push(narrow);
      return;
    }
    const scope = scopeOf(tool, action);
    if (scope === null || this.#list.length >= MAX_GRANTS || this.#byScope.has(scope)) return;
    const grant = { f, answer_f, tool };
    this.#list.push(grant);
    this.#byScope.set(scope, grant);
  }

  /** The grant for the same action, if it was given by frame `by`. */
  findByAction(tool: string | null, action: string | null, by: number): Grant | null {
    const scope = scopeOf(tool, action);
    const grant = scope === null ? undefined : this.#byScope.get(scope);
    return grant && grant.answer_f <= by ? grant : null;
  }

  /** The grant that covers an unasked call with these arguments. */
  findCovering(tool: string | null, action: string | null, args: () => unknown): Grant | null {
    const narrow = this.#narrow.length === 0 ? undefined : this.#findNarrow({ tool, action, arguments: args() });
    if (narrow) return narrow;
    if (this.#list.length === 0) return null;
    if (action !== null) return this.#byScope.get(scopeOf(tool, action)!) ?? null;
    for (const known of this.#actions.get(tool ?? '') ?? []) {
      const grant = this.#byScope.get(scopeOf(tool, known)!);
      if (grant) return grant;
    }
    const own = this.#byScope.get(scopeOf(tool, null) ?? '');
    if (own || !EDITORS.has(tool ?? '') || this.#actions.has(tool!)) return own ?? null;
    return this.#list.find((grant) => EDITORS.has(grant.tool ?? '')) ?? null;
  }

  #findNarrow(ran: CoveredCall): Grant | undefined {
    // Rules name the tools that they are for.
    const isOf = (grant: NarrowGrant) => grant.cover.is === 'rules' || grant.action === ran.action;
    return this.#narrow.find((grant) => isOf(grant) && coversCall(grant.cover, grant, ran));
  }
}

function scopeOf(tool: string | null, action: string | null): string | null {
  return action !== null ? `action ${action}` : tool !== null ? `tool ${tool}` : null;
}
