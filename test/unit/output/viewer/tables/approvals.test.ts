/** The approvals of a page: each is read as what it is, and can be taken elsewhere. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DECIDERS, makeRow, ROW_DECISIONS } from '../../../../../lib/analysis/audit/row.ts';
import { csvHead } from '../../../../../lib/analysis/audit/row-csv.ts';
import { asCsv, asMarkdown } from '../../../../../lib/output/viewer/approvals/copies.ts';
import { FLAGS } from '../../../../../lib/output/viewer/approvals/flags.ts';
import {
  type AuditRow,
  alarms,
  flagsToShow,
  longestWait,
  readingOf,
  rowsFor,
  waitOf,
} from '../../../../../lib/output/viewer/approvals/model.ts';

const row = (patch: Partial<AuditRow>): AuditRow => ({
  ...makeRow('approval', 1, 0, 2),
  ...{ asked: '', ran: '', as_asked: false, caveats: [] },
  ...patch,
});

describe('a row', () => {
  it('is read as one of a few things, whatever was decided by whomever', () => {
    for (const decision of ROW_DECISIONS)
      for (const by of DECIDERS) expect(readingOf({ decision, by })).toMatch(/^[a-z]+$/);
    expect(readingOf({ decision: 'allow-always', by: 'client' })).toBe('allowed');
    expect(readingOf({ decision: 'unasked', by: 'mode' })).toBe('mode');
    expect(readingOf({ decision: 'unasked', by: 'grant' })).toBe('grant');
    expect(readingOf({ decision: 'none', by: 'grant' })).toBe('grant');
    expect(readingOf({ decision: 'unasked', by: 'agent' })).toBe('unasked');
    expect(readingOf({ decision: 'none', by: 'nobody' })).toBe('open');
    expect(readingOf({ decision: 'none', by: 'client-error' })).toBe('unclear');
    expect(readingOf({ decision: 'cancelled', by: 'client' })).toBe('denied');
  });

  it('that is open waits until the end of the recording', () => {
    expect(waitOf(row({ wait: 3 }), 10)).toBe(3);
    expect(waitOf(row({ decision: 'none', by: 'nobody' }), 10)).toBe(8);
    expect(waitOf(row({ decision: 'unasked', by: 'mode' }), 10)).toBeNull();
  });

  it('waited longest if it is an approval, whatever a question waited', () => {
    const rows = [row({ f: 1, wait: 3 }), row({ f: 5, wait: 9, kind: 'question' }), row({ f: 9, wait: 4 })];
    expect(longestWait(rows, 10)).toEqual({ wait: 4, f: 9 });
    expect(longestWait([...rows, row({ f: 11, decision: 'none', by: 'nobody' })], 10)).toEqual({ wait: 8, f: 11 });
    expect(longestWait([rows[1]!], 10)).toBeNull();
  });

  it('alarms if it ran although it was denied, or if nobody answered', () => {
    const rows = [
      row({ decision: 'allow', by: 'client' }),
      row({ flags: ['ran-after-deny'], decision: 'allow', by: 'mode' }),
      row({ flags: ['ran-although-denied'], decision: 'deny', by: 'client' }),
      row({ decision: 'none', by: 'nobody' }),
    ];
    expect(alarms(rows)).toEqual({ ran: [1, 2], open: [3] });
  });

  it('has no flag that another column says', () => {
    expect(flagsToShow(row({ flags: ['edited', 'grant', 'mode:yolo', 'under-grant'] }))).toEqual(['edited']);
  });

  it('is shown if the query found its frame, and others than approvals only if asked for', () => {
    const rows = [row({ f: 1 }), row({ f: 5, kind: 'question' }), row({ f: 9 })];
    expect([...rowsFor(rows, { all: false, has: null })]).toEqual([0, 2]);
    expect([...rowsFor(rows, { all: true, has: null })]).toEqual([0, 1, 2]);
    expect([...rowsFor(rows, { all: true, has: (f) => f > 4 })]).toEqual([1, 2]);
  });
});

describe('the meanings of flags', () => {
  it('are those of the documentation, in both languages', () => {
    const docs = readFileSync(new URL('../../../../../docs/audit.md', import.meta.url), 'utf8');
    const told = docs.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm);
    const flags = new Map([...told].map(([, name, meaning]) => [name!, meaning!]));
    for (const [flag, meaning] of Object.entries(FLAGS.en)) {
      const said = flags.get(flag)?.replaceAll("'", '’');
      expect(said, flag).toBeDefined();
      expect(said!.startsWith(meaning.replace(/\.$/, '')), flag).toBe(true);
    }
    expect(Object.keys(FLAGS.zh)).toEqual(Object.keys(FLAGS.en));
  });
});

describe('copies', () => {
  const head = {
    ...{ session: 's', started: 0, duration: 10 },
    summary: { cwd: '/p', client: null, agent: null, command: ['a'] },
  } as never;

  it('as Markdown have a line for each row, and nothing in it ends a cell', () => {
    const text = asMarkdown(
      [row({ asked: 'a | `b`\n', ran: 'c', tool: 'Sh|ell', decision: 'none', by: 'nobody' })],
      head,
    );
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe(
      '| f1 | 2.000 | Sh\\|ell | ``a \\| `b`␊`` | `c` | open, no answer | nobody |  | 8.00 s | unknown |  |  |',
    );
  });

  it('as CSV are those of the command', () => {
    const text = asCsv([row({ asked: 'x' }), row({ f: 2 })], head);
    expect(text.startsWith(csvHead(false))).toBe(true);
    expect(text.trimEnd().split('\r\n')).toHaveLength(3);
  });
});
