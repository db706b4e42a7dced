/** A row of the timeline as `show --json` has it, with types. Keys that a kind of row lacks are empty. */
import type { Block, ClientQuestion, Decision, EventKind, Option, Usage } from '../../../model/event.ts';
import type { RowBody } from '../../page/page.ts';

export interface Body {
  is: 'turn' | 'step' | 'item';
  kind: EventKind | null;
  f: number;
  f_end: number;
  t: number;
  t_end: number;
  turn: number | null;
  step: number | null;
  subagent: string | null;
  parent: string | null;
  name: string | null;
  text: string;
  longer: number;
  parts: number;
  flags: string[];
  blocks: Block[];
  tool: string | null;
  tool_call_id: string | null;
  pair_f: number | null;
  latency: number | null;
  code: number | null;
  answer_text: string | null;
  status: string | null;
  wait: number | null;
  arguments: unknown;
  queue: number | null;
  run: number | null;
  result_f: number | null;
  approval_f: number | null;
  output: Block[];
  displays: Block[];
  request_id: string | null;
  action: string | null;
  description: string | null;
  options: Option[];
  questions: ClientQuestion[];
  decision: Decision | null;
  feedback: string | null;
  answers: unknown;
  edited: unknown;
  resolved: Decision | null;
  resolved_f: number | null;
  usage: Usage | null;
  cancelled_f: number | null;
}

const EMPTY: Omit<Body, 'is' | 'f' | 'f_end' | 't' | 't_end'> = {
  ...{ kind: null, turn: null, step: null, subagent: null, parent: null, name: null, text: '', longer: 0, parts: 1 },
  ...{ flags: [], blocks: [], tool: null, tool_call_id: null, pair_f: null, latency: null, code: null },
  ...{ answer_text: null, status: null, wait: null, arguments: null, queue: null, run: null, result_f: null },
  ...{ approval_f: null, output: [], displays: [], request_id: null, action: null, description: null, options: [] },
  ...{ questions: [], decision: null, feedback: null, answers: null, edited: null, resolved: null, resolved_f: null },
  ...{ usage: null, cancelled_f: null },
};

export function bodyOf(row: RowBody): Body {
  return { ...EMPTY, ...(row as Partial<Body>) } as Body;
}
