/** How rules are run: what they share, what is not applied without the client's side, what a running session is spared. */
import { describe, expect, it } from 'vitest';
import { Checker } from '../../../../lib/analysis/check/checker.ts';
import { FindingList } from '../../../../lib/analysis/check/report.ts';
import { RULES } from '../../../../lib/analysis/check/rules.ts';
import {
  type CheckedSession,
  type Finding,
  isPlainNotification,
  isStreamedPiece,
  type Rule,
  type SharedObserver,
} from '../../../../lib/dialects/rules/rule.ts';
import type { ReadFrame } from '../../../../lib/model/read-frame.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import type { Session } from '../../../../lib/session/session.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { randomWire } from '../../../support/random-wire.ts';
import { findingsOf, framesOf } from '../../../support/wire-check.ts';
import { begin, done, end, prompt, step } from './wire-cases/lines.ts';

const told = (findings: readonly Finding[]) => findings.map(({ rule, f }) => `${rule} f${f}`);
const plain = { dialects: null, severity: 'error', fault: 'agent', title: '', source: '' } as const;

/** Breaks at every frame. */
const always = (id: string, more: Partial<Rule> = {}): Rule => ({
  ...plain,
  ...more,
  id,
  open: () => ({ take: ({ frame }) => [{ f: frame.f, message: id }], end: () => [{ f: 99, message: id }] }),
});

class Count implements SharedObserver {
  frames = 0;
  take(): void {
    this.frames += 1;
  }
}

class Twice implements SharedObserver {
  readonly #count: Count;
  seen = 0;
  constructor(session: CheckedSession) {
    this.#count = session.share(Count);
  }
  take(_read: ReadFrame): void {
    this.seen = this.#count.frames * 2;
  }
}

describe('rules', () => {
  it('are those of the dialect', () => {
    const rules = [always('a', { dialects: ['acp'] }), always('b', { dialects: ['wire'] }), always('c')];
    expect(told(findingsOf([begin()], { rules, isRunning: true }))).toEqual(['b f1', 'c f1']);
  });

  it('are told of the end, unless the session still runs', () => {
    const rules = [always('a')];
    expect(told(findingsOf([begin()], { rules }))).toEqual(['a f1', 'a f99']);
    expect(told(findingsOf([begin()], { rules, isRunning: true }))).toEqual(['a f1']);
  });

  it('share what they watch, fed before they are, and in the order in which it is needed', () => {
    const rule: Rule = {
      ...plain,
      id: 'a',
      open(session) {
        const twice = session.share(Twice);
        const count = session.share(Count);
        return { take: ({ frame }) => [{ f: frame.f, message: `${count.frames} ${twice.seen}` }] };
      },
    };
    const rules = [rule, { ...rule, id: 'b' }];
    const messages = findingsOf([begin(), end], { rules }).map(({ message }) => message);
    expect(messages).toEqual(['1 2', '1 2', '2 4', '2 4']);
  });

  it('have ids of their own, and say where they are laid down', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    for (const { title, source } of RULES) {
      expect(title).toMatch(/^[a-z`][^\n]*[^.]$/i);
      expect(source).not.toBe('');
    }
  });
});

describe('an import without the side of the client', () => {
  const rules = [always('both', { needsClient: true }), always('one')];
  const check = (lines: string[], source: string) => {
    const checker = new Checker({ command: [], dialect: 'wire', source }, rules);
    const found: string[] = [];
    for (const read of new Pass({ command: [], dialect: 'wire', frames: () => framesOf(lines) }))
      found.push(...told(checker.take(read)));
    return { found, notApplied: checker.notApplied.map(({ id }) => id) };
  };

  it('is not held to rules that need it', () => {
    expect(check([begin(), end], 'import')).toEqual({ found: ['one f1', 'one f2'], notApplied: ['both'] });
  });

  it('is another matter where the client is heard later', () => {
    const { found, notApplied } = check([begin(), prompt()], 'import');
    expect(found).toEqual(['one f1', 'both f1', 'both f2', 'one f2']);
    expect(notApplied).toEqual([]);
  });

  it('is another matter than a recording of a client that says nothing', () => {
    expect(check([begin()], 'record').found).toEqual(['both f1', 'one f1']);
  });
});

describe('findings', () => {
  it('are kept in the order of their frames, some of each rule and severity, and all are counted', () => {
    const findings = new FindingList(2, { least: 'error', incomplete: false });
    const add = (rule: string, f: number, severity: Finding['severity'] = 'error') =>
      findings.add({ rule, f, severity, fault: 'agent', frames: [], message: '', ref: '' });
    for (let f = 9; f > 0; f--) add('a', f, 'info');
    add('a', 20);
    add('b', 1);
    expect(told(findings.inOrder)).toEqual(['b f1', 'a f8', 'a f9', 'a f20']);
    expect([...findings.counts]).toEqual([
      ['a', 10],
      ['b', 1],
    ]);
    expect(findings.severities).toEqual({ error: 2, warning: 0, info: 9 });
  });
});

describe('hostile sessions', () => {
  it.each([
    [
      'values of no shape',
      [
        '<{"jsonrpc":"2.0","method":"event","params":null}',
        '<{"jsonrpc":"2.0","method":"request","id":"a","params":{"type":7,"payload":[]}}',
        '>{"jsonrpc":"2.0","id":"a","result":null}',
      ],
    ],
    [
      'names of what objects have by nature',
      [
        '<{"jsonrpc":"2.0","method":"event","params":{"type":"__proto__","payload":{}}}',
        '>{"jsonrpc":"2.0","id":"x","method":"constructor","params":{}}',
        '<{"jsonrpc":"2.0","id":"x","result":{}}',
        '<{"jsonrpc":"2.0","method":"request","id":"toString","params":{"type":"toString","payload":{"id":"toString"}}}',
        '>{"jsonrpc":"2.0","id":"toString","result":{}}',
      ],
    ],
    [
      'an event in an event, without end',
      [
        `<${'{"jsonrpc":"2.0","method":"event","params":'.concat('{"type":"SubagentEvent","payload":{"event":'.repeat(3000))}null${'}}'.repeat(3000)}}`,
      ],
    ],
    ['everything twice', [prompt(), prompt(), begin(), begin(), step(1), step(1), end, end, done(), done()]],
  ])('%s: nothing is thrown', (_, lines) => {
    expect(() => findingsOf(lines)).not.toThrow();
  });
});

const withoutSkipping = ({ skipsPlainNotifications: _, skipsStreamedPieces: __, ...rule }: Rule): Rule => rule;

describe('what an agent just says, and pieces of streamed texts', () => {
  const everyFrame = (rules: readonly Rule[], session: Session) => {
    const pass = new Pass(session);
    const checker = new Checker({ command: pass.command, dialect: pass.dialect, source: 'record' }, rules);
    const findings: Finding[] = [];
    let news = 0;
    let pieces = 0;
    for (const read of pass) {
      findings.push(...checker.take(read));
      if (isPlainNotification(read)) isStreamedPiece(read) ? pieces++ : news++;
    }
    return { findings: [...findings, ...checker.end()], news, pieces };
  };

  it('say nothing to the rules that skip them: all tapes have the same findings if they do not', () => {
    // Those of MCP are known by identity, where it is embedded in another protocol.
    const patient = RULES.map((rule) => (rule.dialects?.includes('mcp') ? rule : withoutSkipping(rule)));
    let ofNews = 0;
    let skipped = 0;
    const random = Array.from({ length: 20 }, (_, n) => randomWire(n));
    for (const session of [...fixtureSessions(), ...random]) {
      const { findings, news, pieces } = everyFrame(RULES, session);
      expect(findings, session.metadata.session).toEqual(everyFrame(patient, session).findings);
      ofNews += news;
      skipped += pieces;
    }
    expect(ofNews).toBeGreaterThan(100);
    expect(skipped).toBeGreaterThan(100);
  });
});
