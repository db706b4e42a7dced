/**
 * The mode of a thread: its approval policy and its sandbox, as in `on-request/workspace-write`, and who is asked if that is
 * not the client. A policy that never asks is a bypass, and so is one that asks only to leave a sandbox that is not there.
 */

import { isAbsent, objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** The parts of a mode. What is not given is null, and stays as it was. */
export interface ThreadSettings {
  policy: string | null;
  sandbox: string | null;
  reviewer: string | null;
  plan: boolean | null;
}

export const NO_SETTINGS: ThreadSettings = { policy: null, sandbox: null, reviewer: null, plan: null };

/** From params or results, in which the sandbox is a word or an object. */
export function settingsIn(params: JsonObject): ThreadSettings {
  const { approvalPolicy, sandbox, sandboxPolicy, approvalsReviewer, collaborationMode } = params;
  const { mode } = objectOf(collaborationMode);
  return {
    policy: policyOf(approvalPolicy),
    sandbox: sandboxOf(sandboxPolicy ?? sandbox),
    reviewer: stringOf(approvalsReviewer),
    plan: isAbsent(mode) ? null : mode === 'plan',
  };
}

export function mergeSettings(before: ThreadSettings, now: ThreadSettings): ThreadSettings {
  return {
    policy: now.policy ?? before.policy,
    sandbox: now.sandbox ?? before.sandbox,
    reviewer: now.reviewer ?? before.reviewer,
    plan: now.plan ?? before.plan,
  };
}

export function modeOf({ policy, sandbox, reviewer }: ThreadSettings): string | null {
  const parts = [policy, sandbox, reviewer === 'user' ? null : reviewer].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('/');
}

/** Modes in which no command and no change needs an approval. */
export const BYPASS = /^never(?:\/|$)|^on-(?:request|failure)\/danger-full-access(?:\/|$)/;

function policyOf(value: unknown): string | null {
  return stringOf(value) ?? Object.keys(objectOf(value))[0] ?? null;
}

/** The name on the command line, wherever it comes from: `dangerFullAccess` is `danger-full-access`. */
function sandboxOf(value: unknown): string | null {
  const name = stringOf(value) ?? stringOf(objectOf(value).type);
  return name === null ? null : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
