/**
 * A session of which the dialect understands too little may use another protocol. Only the rules that are certain apply to
 * it: those of JSON-RPC envelopes, or of lines.
 */
import { traitsOf } from '../../dialects/index.ts';
import { jsonrpc } from '../../dialects/jsonrpc/index.ts';
import { lines } from '../../dialects/lines/index.ts';
import type { Rule } from '../../dialects/rules/rule.ts';

export function isCertain({ dialects }: Rule, dialect: string): boolean {
  const fallback = traitsOf(dialect).jsonRpc === null ? lines : jsonrpc;
  return dialects === null || dialects.includes(fallback.name);
}
