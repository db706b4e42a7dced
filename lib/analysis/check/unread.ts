/**
 * A session of which its dialect understands too little may be of another protocol. It is held only to the rules of what is
 * certain: its JSON-RPC envelopes, or its lines.
 */
import { traitsOf } from '../../dialects/index.ts';
import { jsonrpc } from '../../dialects/jsonrpc/index.ts';
import { lines } from '../../dialects/lines/index.ts';
import type { Rule } from '../../dialects/rules/rule.ts';

export function isCertain({ dialects }: Rule, dialect: string): boolean {
  const fallback = traitsOf(dialect).jsonRpc === null ? lines : jsonrpc;
  return dialects === null || dialects.includes(fallback.name);
}
