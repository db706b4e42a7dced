/** The rules of Kimi Wire. */
import type { RuleDefinition } from '../../rules/rule.ts';
import { R14, R15, R35 } from './approvals.ts';
import { idReuse, R5, R7 } from './asking.ts';
import { R6, R8, R9, R10 } from './busy.ts';
import { answers, R17, R18, R19, R31 } from './client-side.ts';
import { contentPart, method, R1, R2, R3, R4 } from './framing.ts';
import { R24, R29, R30 } from './pairs.ts';
import { exitCode, handshake, R20 } from './process.ts';
import type { WireRule } from './scene.ts';
import { R21, R22, R26, R28 } from './steps.ts';
import { R11, R12, R13, R16, R25, R32, R33 } from './turns.ts';

/** Each with its earlier id; a number is that of the Wire reference. */
const BY_ID: readonly [id: string, rule: WireRule, alias: string][] = [
  ['wire-line', R1, 'R1'],
  ['wire-line-length', R2, 'R2'],
  ['wire-id', R3, 'R3'],
  ['wire-no-id', R4, 'R4'],
  ['wire-unanswered', R5, 'R5'],
  ['wire-initialize', R6, 'R6'],
  ['wire-external-tools', R7, 'R7'],
  ['wire-prompt-busy', R8, 'R8'],
  ['wire-steer', R9, 'R9'],
  ['wire-cancel', R10, 'R10'],
  ['wire-outside-turn', R11, 'R11'],
  ['wire-turn-end', R12, 'R12'],
  ['wire-turn-nesting', R13, 'R13'],
  ['wire-approval-answer', R14, 'R14'],
  ['wire-approval-again', R15, 'R15'],
  ['wire-reject', R16, 'R16'],
  ['wire-question', R17, 'R17'],
  ['wire-external-call', R18, 'R18'],
  ['wire-hook', R19, 'R19'],
  ['wire-early-eof', R20, 'R20'],
  ['wire-step-order', R21, 'R21'],
  ['wire-call-in-step', R22, 'R22'],
  ['wire-result', R24, 'R24'],
  ['wire-step-interrupted', R25, 'R25'],
  ['wire-compaction', R26, 'R26'],
  ['wire-mcp-loading', R28, 'R28'],
  ['wire-bracket', R29, 'R29'],
  ['wire-subagent', R30, 'R30'],
  ['wire-replay', R31, 'R31'],
  ['wire-max-steps', R32, 'R32'],
  ['wire-model-error', R33, 'R33'],
  ['wire-deaf', R35, 'R35'],
  ['wire-id-in-use', idReuse, 'id-reuse'],
  ['wire-method', method, 'method'],
  ['wire-unknown-answer', answers, 'answer'],
  ['wire-exit-failure', exitCode, 'exit-code'],
  ['wire-content-part', contentPart, 'content-part'],
  ['wire-handshake', handshake, 'handshake'],
];

/** Only these look at the agent's plain notifications; the others are about the client, or about requests and answers. */
const OF_NEWS: ReadonlySet<WireRule> = new Set([
  ...[R2, R11, R13, R14, R16, R21, R22, R24, R25, R26, R28, R29, R30, R33, method],
]);
/** Of those, only these look at pieces of streamed text; the others are about what begins or ends something. */
const OF_PIECES: ReadonlySet<WireRule> = new Set([R2, R11, R24]);

export const WIRE_RULES = BY_ID.map(([id, rule, alias]): RuleDefinition => {
  const dialects = rule.dialects ?? ['wire', 'wire-legacy'];
  const definition: RuleDefinition = { id, aliases: [alias], ...rule, dialects };
  if (!OF_NEWS.has(rule)) definition.skipsNews = true;
  if (!OF_PIECES.has(rule)) definition.skipsPieces = true;
  return definition;
});
