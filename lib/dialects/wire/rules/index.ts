/** The rules of Kimi Wire. */
import type { RuleDefinition } from '../../rules/rule.ts';
import { approvalAgainRule, approvalAnswerRule, deafRule } from './approvals.ts';
import { cancelRule, initializeRule, promptBusyRule, steerRule } from './busy.ts';
import { externalToolsRule, idInUseRule, unansweredRule } from './client-requests.ts';
import { externalCallRule, hookRule, questionRule, replayRule, unknownAnswerRule } from './client-side.ts';
import { contentPartRule, idRule, lineLengthRule, lineRule, methodRule, noIdRule } from './framing.ts';
import { bracketRule, resultRule, subagentRule } from './pairs.ts';
import { earlyEofRule, exitFailureRule, handshakeRule } from './process.ts';
import type { WireRule } from './session-state.ts';
import { callInStepRule, compactionRule, mcpLoadingRule, stepOrderRule } from './steps.ts';
import {
  maxStepsRule,
  modelErrorRule,
  outsideTurnRule,
  rejectRule,
  stepInterruptedRule,
  turnEndRule,
  turnNestingRule,
} from './turns.ts';

/** Each with its earlier id; a number is that of the Wire reference. */
const RULES_BY_ID: readonly [id: string, rule: WireRule, alias: string][] = [
  ['wire-line', lineRule, 'R1'],
  ['wire-line-length', lineLengthRule, 'R2'],
  ['wire-id', idRule, 'R3'],
  ['wire-no-id', noIdRule, 'R4'],
  ['wire-unanswered', unansweredRule, 'R5'],
  ['wire-initialize', initializeRule, 'R6'],
  ['wire-external-tools', externalToolsRule, 'R7'],
  ['wire-prompt-busy', promptBusyRule, 'R8'],
  ['wire-steer', steerRule, 'R9'],
  ['wire-cancel', cancelRule, 'R10'],
  ['wire-outside-turn', outsideTurnRule, 'R11'],
  ['wire-turn-end', turnEndRule, 'R12'],
  ['wire-turn-nesting', turnNestingRule, 'R13'],
  ['wire-approval-answer', approvalAnswerRule, 'R14'],
  ['wire-approval-again', approvalAgainRule, 'R15'],
  ['wire-reject', rejectRule, 'R16'],
  ['wire-question', questionRule, 'R17'],
  ['wire-external-call', externalCallRule, 'R18'],
  ['wire-hook', hookRule, 'R19'],
  ['wire-early-eof', earlyEofRule, 'R20'],
  ['wire-step-order', stepOrderRule, 'R21'],
  ['wire-call-in-step', callInStepRule, 'R22'],
  ['wire-result', resultRule, 'R24'],
  ['wire-step-interrupted', stepInterruptedRule, 'R25'],
  ['wire-compaction', compactionRule, 'R26'],
  ['wire-mcp-loading', mcpLoadingRule, 'R28'],
  ['wire-bracket', bracketRule, 'R29'],
  ['wire-subagent', subagentRule, 'R30'],
  ['wire-replay', replayRule, 'R31'],
  ['wire-max-steps', maxStepsRule, 'R32'],
  ['wire-model-error', modelErrorRule, 'R33'],
  ['wire-deaf', deafRule, 'R35'],
  ['wire-id-in-use', idInUseRule, 'id-reuse'],
  ['wire-method', methodRule, 'method'],
  ['wire-unknown-answer', unknownAnswerRule, 'answer'],
  ['wire-exit-failure', exitFailureRule, 'exit-code'],
  ['wire-content-part', contentPartRule, 'content-part'],
  ['wire-handshake', handshakeRule, 'handshake'],
];

/** Only these look at the agent's plain notifications; the others are about the client, or about requests and answers. */
const OF_PLAIN_NOTIFICATIONS: ReadonlySet<WireRule> = new Set([
  ...[
    lineLengthRule,
    outsideTurnRule,
    turnNestingRule,
    approvalAnswerRule,
    rejectRule,
    stepOrderRule,
    callInStepRule,
    resultRule,
    stepInterruptedRule,
    compactionRule,
    mcpLoadingRule,
    bracketRule,
    subagentRule,
    modelErrorRule,
    methodRule,
  ],
]);
/** Of those, only these look at pieces of streamed text; the others are about what begins or ends something. */
const OF_STREAMED_PIECES: ReadonlySet<WireRule> = new Set([lineLengthRule, outsideTurnRule, resultRule]);

export const WIRE_RULES = RULES_BY_ID.map(([id, rule, alias]): RuleDefinition => {
  const dialects = rule.dialects ?? ['wire', 'wire-legacy'];
  const definition: RuleDefinition = { id, aliases: [alias], ...rule, dialects };
  if (!OF_PLAIN_NOTIFICATIONS.has(rule)) definition.skipsPlainNotifications = true;
  if (!OF_STREAMED_PIECES.has(rule)) definition.skipsStreamedPieces = true;
  return definition;
});
