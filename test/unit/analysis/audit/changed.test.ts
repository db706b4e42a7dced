/**
 * What the client made of a call before it ran: by its answer, or by a hook. Real sessions of Claude, in which a few words
 * or the end are others.
 */
import { describe, expect, it } from 'vitest';
import { describeAsked, describeRan, whatRan } from '../../../../lib/analysis/audit/describe-row.ts';
import { comparePolicy } from '../../../../lib/analysis/audit/policy/compare.ts';
import { readPolicy } from '../../../../lib/analysis/audit/policy/read.ts';
import type { ApprovalRow } from '../../../../lib/analysis/audit/row.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { auditFrames, auditRecording } from '../../../support/audit.ts';

const ASKED = 'echo tool-ran > out.txt && cat out.txt';
const CHANGED = { command: 'echo changed-by-client', description: 'Echo and show' };
const REMOVES = { command: 'rm -rf precious', description: 'Echo and show' };

const ASKED_INPUT = JSON.stringify({ command: ASKED, description: 'Echo and show' });

function edited(frame: Frame, words: readonly (readonly [from: string, to: string])[]): Frame {
  let text = new TextDecoder().decode(frame.raw);
  for (const [from, to] of words) text = text.replaceAll(from, to);
  return { ...frame, raw: new TextEncoder().encode(text) };
}

/** The approval of a recording with other words, and without what the agent says after frame `last`. */
function rowOf(name: string, words: readonly (readonly [string, string])[], last = Number.POSITIVE_INFINITY) {
  const frames = auditRecording(name)
    .frames.filter(({ f, from, form }) => f <= last || from !== 'agent' || form === 'event')
    .map((frame) => edited(frame, words));
  const rows = auditFrames(streamJson, frames, ['claude']).rows.filter(({ kind }) => kind === 'approval');
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

const judged = (policy: string, row: ApprovalRow) => {
  const { verdict, unknown } = comparePolicy(readPolicy(policy), row, '/w');
  return unknown === null ? verdict : `${verdict}: ${unknown}`;
};

describe('a call that the answer changed', () => {
  it('is judged as it may have run if the tape has no result', () => {
    const row = rowOf('claude-changed', [], 11);
    expect(row).toMatchObject({ decision: 'allow', executed: 'unknown', executed_arguments: null });
    expect(row).toMatchObject({ arguments: { command: ASKED }, changed_arguments: CHANGED });
    expect(row.flags).toContain('edited');
    expect(judged('deny command echo changed*\ndefault allow', row)).toBe('deny');
    expect(judged('deny command cat *\ndefault allow', row)).toBe('allow');
    expect([describeAsked(row), describeRan(row)]).toEqual([`$ ${ASKED}`, `? $ ${CHANGED.command}`]);
    expect(whatRan(row)).toBeNull();
  });

  it('is not judged by what was asked if nothing is known of what ran', () => {
    const row = rowOf('claude-changed', [[JSON.stringify(CHANGED), '{}']]);
    expect(row).toMatchObject({ executed: 'yes', executed_arguments: {} });
    expect(judged('deny command rm *\ndefault allow', row)).toBe('cannot judge: command');
    expect(judged('default deny', row)).toBe('deny');
    expect([describeAsked(row), whatRan(row)]).toEqual([`$ ${ASKED}`, '{}']);
  });
});

describe('a call that a hook changed', () => {
  const allows = '"permissionDecision":"allow"';
  const changes = (decision: string) => `"permissionDecision":"${decision}","updatedInput":${JSON.stringify(REMOVES)}`;

  it('ran as the hook left it, without being asked about', () => {
    const row = rowOf('claude-hookallow', [[allows, changes('allow')]]);
    expect(row).toMatchObject({ decision: 'unasked', by: 'hook', executed: 'yes', executed_arguments: REMOVES });
    expect(row).toMatchObject({ arguments: { command: ASKED }, flags: ['edited'] });
    expect([describeAsked(row), describeRan(row)]).toEqual(['', `$ ${REMOVES.command}`]);
    expect(judged('deny command rm *\ndefault allow', row)).toBe('deny');
    expect(judged('deny command cat *\ndefault allow', row)).toBe('allow');
  });

  it('may have run so if the tape has no result', () => {
    const row = rowOf('claude-hookallow', [[allows, changes('allow')]], 10);
    expect(row).toMatchObject({ decision: 'unasked', by: 'hook', executed: 'unknown', changed_arguments: REMOVES });
    expect(judged('deny command rm *\ndefault allow', row)).toBe('deny');
  });

  it('is as it was if the hook refuses it, or fails', () => {
    const row = rowOf('claude-hookdeny', [['"permissionDecision":"deny"', changes('deny')]]);
    expect(row).toMatchObject({ executed: 'no', changed_arguments: null, arguments: { command: ASKED } });
    expect(row.flags).not.toContain('edited');
  });

  it('is asked about as the hook left it, and that is what ran', () => {
    const { frames } = auditRecording('claude-changed');
    // The request and its answer have the new words, what was announced before has the old ones.
    const isAbout = ({ raw }: Frame) => /can_use_tool|"behavior":"allow"/.test(new TextDecoder().decode(raw));
    const words = [ASKED_INPUT, JSON.stringify(CHANGED)].map((input) => [input, JSON.stringify(REMOVES)] as const);
    const changed = frames.map((frame) => (isAbout(frame) ? edited(frame, words) : frame));
    const [row] = auditFrames(streamJson, changed, ['claude']).rows.filter(({ kind }) => kind === 'approval');
    expect(row).toMatchObject({ decision: 'allow', executed: 'yes', arguments: REMOVES, executed_arguments: REMOVES });
    expect(row!.flags).not.toContain('edited');
    expect(judged('deny command rm *\ndefault allow', row!)).toBe('deny');
  });
});
