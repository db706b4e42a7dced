/** Every subcommand, in the order of the help. Each is loaded only when it is run: `record` never pays for `show`. */
import type { Command } from 'commander';
import type { Io } from '../io.ts';

export interface CommandSpec {
  name: string;
  summary: string;
  load(): Promise<{ define: Define }>;
}

/** Adds arguments, options, help and the action; the action resolves to the exit code. */
export type Define = (command: Command, context: Context) => void;

export interface Context {
  io: Io;
  /** Every subcommand, for those that speak of them. */
  commands: readonly CommandSpec[];
  /** Where the action leaves its exit code. */
  exit(code: number | { signal: NodeJS.Signals }): void;
}

export const COMMANDS: readonly CommandSpec[] = [
  { name: 'record', summary: 'run an agent and record both directions', load: () => import('./record.ts') },
  { name: 'shim', summary: 'write a drop-in executable that records its agent', load: () => import('./shim.ts') },
  { name: 'ls', summary: 'list recorded sessions', load: () => import('./ls.ts') },
  {
    name: 'show',
    summary: 'show a session: its timeline, its frames, its exact bytes',
    load: () => import('./show.ts'),
  },
  { name: 'tail', summary: 'follow a running session', load: () => import('./tail.ts') },
  { name: 'filter', summary: 'find frames in all sessions, or in some', load: () => import('./filter.ts') },
  {
    name: 'approvals',
    summary: 'audit what was asked, decided, run and never asked',
    load: () => import('./approvals.ts'),
  },
  { name: 'why', summary: 'explain a hang: who owes whom an answer', load: () => import('./why.ts') },
  { name: 'stats', summary: 'count turns, tools, tokens, bytes and waits', load: () => import('./stats.ts') },
  { name: 'check', summary: 'hold sessions to the rules of their protocol', load: () => import('./check.ts') },
  { name: 'verify', summary: 'check that tapes are what their recorder wrote', load: () => import('./verify.ts') },
  { name: 'import', summary: 'take in sessions that others recorded', load: () => import('./import.ts') },
  { name: 'export', summary: 'write a session as a file for other programs', load: () => import('./export.ts') },
  { name: 'tag', summary: 'name sessions and tag them', load: () => import('./tag.ts') },
  { name: 'rm', summary: 'remove sessions', load: () => import('./rm.ts') },
  { name: 'prune', summary: 'remove old sessions, by age, number or size', load: () => import('./prune.ts') },
  { name: 'config', summary: 'set how much the store keeps', load: () => import('./config.ts') },
  { name: 'reindex', summary: 'make the index anew from the tapes', load: () => import('./reindex.ts') },
  { name: 'doctor', summary: 'look at the store, the machine and the agents found', load: () => import('./doctor.ts') },
  {
    name: 'completion',
    summary: 'complete commands, sessions and queries in a shell',
    load: () => import('./completion.ts'),
  },
  { name: 'demo', summary: 'record a sample client against a sample agent', load: () => import('./demo.ts') },
];
