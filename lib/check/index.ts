/** All rules, in the order of the list. A new one is a line here. */
import type { Rule } from './rule.ts';
import { shape } from './shape.ts';
import { WIRE_RULES } from './wire/index.ts';

export const RULES: readonly Rule[] = [shape, ...WIRE_RULES];
