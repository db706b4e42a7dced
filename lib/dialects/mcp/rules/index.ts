/**
 * The rules of the Model Context Protocol over stdio, versions 2024-11-05 to 2025-11-25. A session of the version without
 * a handshake, 2026-07-28, is held only to what it has kept.
 */
import { type RuleDefinition, withBatchParts } from '../../rules/rule.ts';
import { MCP_CAPABILITY_RULES } from './capabilities.ts';
import { MCP_LIFECYCLE_RULES } from './lifecycle.ts';
import { MCP_LIST_RULES } from './lists.ts';
import { MCP_PROGRESS_RULES } from './progress.ts';

export const MCP_RULES: readonly RuleDefinition[] = withBatchParts([
  ...[...MCP_LIFECYCLE_RULES, ...MCP_CAPABILITY_RULES, ...MCP_PROGRESS_RULES, ...MCP_LIST_RULES],
]);
