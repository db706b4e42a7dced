/** All rules, in the order of the list. A new one is a line here. */
import type { Rule } from './rule.ts';
import { shape } from './shape.ts';

export const RULES: readonly Rule[] = [shape];
