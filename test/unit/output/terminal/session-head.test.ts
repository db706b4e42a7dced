import { describe, expect, it } from 'vitest';
import type { Metadata } from '../../../../lib/model/frame.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { type HeadOptions, sessionHead } from '../../../../lib/output/terminal/session-head.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { timelineOf } from '../../../support/reading.ts';

const METADATA: Metadata = {
  ...{ type: 'metadata', wiretape: 1, session: '20261116T050401-p58r', started_at: '2026-11-16T05:04:01.924000Z' },
  ...{ command: ['kimi', '--wire'], cwd: '/', recorder: 'wiretape' },
};

function head(name: string, metadata: Partial<Metadata> = {}, options: Partial<HeadOptions> = {}): string[] {
  const { dialect, timeline } = timelineOf(name);
  const given: HeadOptions = {
    ...{ columns: 80, theme: themeFor(false), name: null, tags: {}, running: false, counts: true },
    ...options,
  };
  const lines = sessionHead({ ...METADATA, ...metadata } as Metadata, { ...timeline, dialect }, given);
  return [...lines].join('').split('\n').slice(0, -1);
}

describe('the head of a session', () => {
  it('says which, when, how long, who with whom, and how much', () => {
    expect(head('wire-1.49.0/errors')).toEqual([
      '20261116T050401-p58r kimi --wire',
      '2026-11-16 05:04:01 UTC · 10.06 s',
      'wire 1.10 · Kimi Code CLI 1.49.0 · for wire-lab 1.0 · 2 turns, 16 errors',
      'can question · 11 commands',
    ]);
    expect(head('wire-1.49.0/errors', {}, { counts: false })[2]).not.toContain('turns');
    expect(head('wire-1.49.0/errors', {}, { running: true })[1]).toContain('running for 10.06 s');
    expect(head('wire-1.49.0/errors', {}, { name: 'demo', tags: { from: 'lab' } })[1]).toMatch(
      / · name demo · from=lab$/,
    );
  });

  it('says where it was imported from and what that cannot tell, made harmless', () => {
    const import_ = { source: 'import', source_path: '/tapes/\x1b[31ma.jsonl', source_format: 'line-log' };
    expect(head('wire-1.49.0/errors', { ...import_, notes: ['no \x07approvals', 7] }).slice(-2)).toEqual([
      'imported (line-log) from /tapes/␛[31ma.jsonl',
      '- no ␇approvals',
    ]);
    expect(head('wire-1.49.0/errors', { notes: ['of a recorder'] }).at(-1)).toBe('can question · 11 commands');
  });

  it.each([40, 60, 80, 200])('is folded between its parts at %i columns', (columns) => {
    const lines = head('acp/qwen-reject', { command: ['kimi', '很长的名字'.repeat(30)] }, { columns });
    for (const line of lines) expect(cells(line), line).toBeLessThanOrEqual(columns);
    expect(lines).toContainEqual(expect.stringMatching(/(^|· )for tape-client 0\.0\.1( ·|$)/));
  });
});
