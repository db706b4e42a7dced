/**
 * A session of which its dialect understands too little may be of another protocol. It is held only to the rules of what is
 * certain: its JSON-RPC envelopes, or its lines.
 */
import { JSON_RPC } from './common/envelope.ts';
import type { Rule } from './rule.ts';

export function isCertain({ dialects }: Rule, dialect: string): boolean {
  return dialects === null || dialects.includes(isJsonRpc(dialect) ? 'jsonrpc' : 'lines');
}

export function isJsonRpc(dialect: string): boolean {
  return (JSON_RPC as readonly string[]).includes(dialect);
}
