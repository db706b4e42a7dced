/** What the header says, from what the commands print as JSON. */

import { isMostlyUnread, type ReadShare } from '../../../session/understanding.ts';
import type { SessionHead } from '../../page/page.ts';

export interface Phases {
  busy: number;
  waiting: number;
  idle: number;
}

export interface HeadFacts {
  title: string;
  agent: string | null;
  protocol: string | null;
  client: string | null;
  wall: number;
  turns: number;
  steps: number;
  tools: number;
  /** Calls whose result was an error. */
  failed: number;
  errors: number;
  /** How long each approval was open, added up. */
  waited: number;
  /** Null if nothing shows that the agent did something, and too little was understood to say that it did not. */
  phases: Phases | null;
}

export function factsOf({ summary, stats, session, duration }: SessionHead): HeadFacts {
  const agent = [text(summary.agent), text(summary.agent_version)].filter(Boolean).join(' ');
  const phases = record(stats.phases);
  const [busy, waiting] = [number(phases.busy), number(phases.waiting)];
  const protocol = [text(summary.dialect), text(summary.protocol)].filter(Boolean).join(' ');
  return {
    title: text(summary.name) ?? session,
    agent: agent || commandOf(summary.command),
    protocol: protocol || null,
    client: text(summary.client),
    wall: duration,
    turns: number(summary.turns),
    steps: number(stats.steps),
    tools: number(stats.calls ?? summary.tools),
    failed: list(stats.tools).reduce((sum: number, tool) => sum + number(record(tool).errors), 0),
    errors: number(summary.errors),
    waited: number(record(record(stats.waits).approval).total),
    phases:
      isMostlyUnread((summary.read ?? null) as ReadShare | null) && busy + waiting === 0
        ? null
        : { busy, waiting, idle: number(phases.idle) },
  };
}

/** The name of the program, if the agent did not say who it is. */
function commandOf(command: unknown): string | null {
  const [first] = list(command);
  return typeof first === 'string' ? (first.split(/[\\/]/).at(-1) ?? null) : null;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function record(value: unknown): Record<string, unknown> {
  return Object(value) as Record<string, unknown>;
}
