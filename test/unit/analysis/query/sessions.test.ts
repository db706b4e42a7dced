/** What a query means for a list of sessions. */
import { describe, expect, it } from 'vitest';
import type { QueryExpr } from '../../../../lib/analysis/query/ast.ts';
import { QueryError } from '../../../../lib/analysis/query/error.ts';
import type { FrameFacts } from '../../../../lib/analysis/query/facts.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { compileFrame, compileSession } from '../../../../lib/analysis/query/predicate.ts';
import { printQuery } from '../../../../lib/analysis/query/print.ts';
import { sessionQueries } from '../../../../lib/analysis/query/sessions.ts';
import { frameFacts, SESSION } from '../../../support/facts.ts';
import { randomOf, randomQuery } from '../../../support/random-query.ts';

/** `session | some | none, none`. */
function spread(query: string): string[] {
  return sessionQueries(parseQuery(query)).map(({ session, some, none }) =>
    [printQuery(session), printQuery(some), none.map(printQuery).join(', ')].join(' | '),
  );
}

describe('sessionQueries', () => {
  it.each([
    ['', [' |  | ']],
    ['client:zed', ['client:zed |  | ']],
    ['client:a OR agent:b', ['client:a OR agent:b |  | ']],
    ['-client:zed', ['NOT client:zed |  | ']],
    ['tool:a is:slow', [' | tool:a is:slow | ']],
    ['tool:a (is:slow OR is:late)', [' | tool:a (is:slow OR is:late) | ']],
    ['client:zed tool:a is:slow', ['client:zed | tool:a is:slow | ']],
    ['tool:a -is:slow', [' | tool:a | is:slow']],
    ['-tool:a -is:slow', [' |  | tool:a, is:slow']],
    ['NOT (tool:a is:slow)', [' |  | tool:a is:slow']],
    ['NOT (tool:a -is:slow)', [' |  | tool:a NOT is:slow']],
    ['NOT (tool:a OR is:slow)', [' |  | tool:a OR is:slow']],
    ['NOT NOT tool:a', [' | tool:a | ']],
    ['tool:a OR -is:slow', [' | tool:a | ', ' |  | is:slow']],
    ['client:zed OR tool:a', ['client:zed |  | ', ' | tool:a | ']],
    ['(client:zed OR tool:a) is:slow', ['client:zed | is:slow | ', ' | tool:a is:slow | ']],
    ['(tool:a OR -is:late) is:slow', [' | tool:a is:slow | ', ' | is:slow | is:late']],
    ['NOT (client:zed tool:a is:slow)', ['NOT client:zed |  | ', ' |  | tool:a is:slow']],
    ['NOT (client:zed agent:b tool:a)', ['NOT (client:zed agent:b) |  | ', ' |  | tool:a']],
    ['NOT (client:zed OR tool:a)', ['NOT client:zed |  | tool:a']],
    ['NOT (client:zed -tool:a)', ['NOT client:zed |  | ', ' | tool:a | ']],
    ['NOT (client:zed (agent:b OR tool:a))', ['NOT client:zed |  | ', 'NOT agent:b |  | tool:a']],
  ])('%s', (query, expected) => {
    expect(spread(query)).toEqual(expected);
  });

  it('has a limit', () => {
    const group = '(client:a OR tool:b)';
    expect(spread(Array(6).fill(group).join(' '))).toHaveLength(64);
    expect(() => spread(Array(7).fill(group).join(' '))).toThrow(QueryError);
    expect(() => spread(Array(100).fill('(client:a OR tool:b OR (agent:c OR turn:1) f:2)').join(' '))).toThrow(
      QueryError,
    );
  });
});

/** What the three parts of a session query say, asked of every frame. */
function fits(expr: QueryExpr | null, frames: readonly FrameFacts[]): boolean {
  const has = (part: QueryExpr) => frames.some(compileFrame(part));
  return sessionQueries(expr).some(
    ({ session, some, none }) => compileSession(session)!(SESSION) && !none.some(has) && (some === null || has(some)),
  );
}

const FRAMES = [
  frameFacts({ f: 1, tool: 'Shell', turn: 1, text: 'reset', message: { params: { payload: { sender: 'Shell' } } } }),
  frameFacts({ f: 2, from: 'client', kinds: ['prompt'], tool: null, turn: 2, code: -32000, approval: null }),
  frameFacts({
    f: 3,
    from: 'stderr',
    envelope: 'none',
    kinds: ['log'],
    turn: null,
    text: 'Connection reset',
    id: null,
  }),
];

describe('a session with these frames', () => {
  it.each([
    ['tool:shell turn:1', true],
    ['tool:shell turn:2', false],
    ['from:client turn:1', false],
    ['from:client turn:2', true],
    ['-from:stderr', false],
    ['-from:proc', true],
    ['turn:1 -code:-32000', false],
    ['NOT (from:client turn:1)', true],
    ['client:emacs OR from:stderr', true],
    ['client:emacs from:stderr', false],
    ['client:zed* from:stderr', true],
    ['client:zed*', true],
  ] as [string, boolean][])('%s: %s', (query, expected) => {
    expect(fits(parseQuery(query), FRAMES)).toBe(expected);
  });

  it('agrees with the predicate where nothing is negated: some frame fits', () => {
    const random = randomOf(4);
    let matched = 0;
    for (let i = 0; i < 2000; i++) {
      const expr = parseQuery(randomQuery(random).replaceAll(/NOT |(?<=^|[ (])-(?=\S)/g, ''));
      const expected = FRAMES.some(compileFrame(expr));
      if (expected) matched++;
      expect(fits(expr, FRAMES), printQuery(expr)).toBe(expected);
    }
    expect(matched).toBeGreaterThan(200);
  });

  it('is without such a frame where terms of frames are negated', () => {
    const random = randomOf(5);
    for (let i = 0; i < 2000; i++) {
      const expr = parseQuery(randomQuery(random, undefined, 'frame'))!;
      if (expr.is === 'not') continue;
      expect(fits({ is: 'not', of: expr }, FRAMES), printQuery(expr)).toBe(!FRAMES.some(compileFrame(expr)));
    }
  });
});
