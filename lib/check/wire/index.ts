/** The rules of Kimi Wire, by their numbers in the reference where they have one. */
import type { Rule } from '../rule.ts';
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

const BY_ID: Readonly<Record<string, WireRule>> = {
  ...{ R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13, R14, R15, R16, R17, R18, R19, R20 },
  ...{ R21, R22, R24, R25, R26, R28, R29, R30, R31, R32, R33, R35 },
  ...{ 'id-reuse': idReuse, method, 'content-part': contentPart, answer: answers, handshake, 'exit-code': exitCode },
};

export const WIRE_RULES: readonly Rule[] = Object.entries(BY_ID).map(([id, rule]) => {
  return { id, ...rule, dialects: rule.dialects ?? ['wire', 'wire-legacy'] };
});
