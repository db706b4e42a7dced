/** A regular expression that would never end: an error soon, wherever it is asked and whatever it is asked of. */
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givingUpSoon } from '../support/give-up-soon.ts';
import { wiretapeHere } from '../support/in-process.ts';
import type { TestJournal } from '../support/journal.ts';
import { type Ended, wiretape } from '../support/run.ts';
import { makeSession, rpc } from '../support/session.ts';
import { makePlace, type Place, removePlace } from '../support/store.ts';

const TRAP = `${'a'.repeat(60)}!`;
const BOMB = '/^(a+)+$/';

let place: Place;

beforeAll(() => {
  place = makePlace();
  const { tape } = makeSession(
    place.home,
    (journal) => {
      journal.data('client', 10, rpc({ id: 1, method: TRAP, params: { text: TRAP } }));
      journal.data('agent', 20, rpc({ id: 1, result: TRAP })).exit(30);
    },
    { about: { cwd: TRAP, command: [TRAP] }, names: { name: TRAP, tags: { trap: TRAP } } },
  );
  cpSync(tape, join(place.dir, 'copy.jsonl'));
});

afterAll(() => removePlace(place));

/** Somebody asks whether the trap may be run. */
function approval(journal: TestJournal): void {
  const event = (type: string, payload: object) => rpc({ method: 'event', params: { type, payload } });
  const payload = {
    id: 'r',
    tool_call_id: 't',
    sender: 'Shell',
    action: 'run command',
    description: TRAP,
    display: [],
  };
  const call = { type: 'function', id: 't', function: { name: 'Shell', arguments: JSON.stringify({ command: TRAP }) } };
  journal.data('client', 10, rpc({ id: 'p', method: 'prompt', params: { user_input: 'go' } }));
  journal.data('agent', 20, event('TurnBegin', { user_input: 'go' }));
  journal.data('agent', 30, event('ToolCall', call));
  journal.data('agent', 40, rpc({ id: 'r', method: 'request', params: { type: 'ApprovalRequest', payload } })).exit(50);
}

const run = (...args: string[]): Promise<Ended> => wiretapeHere(place, args, { cwd: place.dir });

const SAID =
  'wiretape: a regular expression in the query took too long on one line\n' +
  'hint: avoid nested repetition such as (a+)+\n';

describe('a regular expression that never ends', () => {
  const cases: [string, string[]][] = [
    ['in filter', ['filter', `@params.text:${BOMB}`]],
    ['in filter, of the text', ['filter', BOMB]],
    ['in filter, of the text, negated, beside others', ['filter', `f:1..9 NOT (is:late OR ${BOMB})`]],
    ['in filter --count, of the text', ['filter', '--count', BOMB]],
    ['in filter, of the text of a tape', ['filter', BOMB, './copy.jsonl']],
    ['in ls, of the text', ['ls', BOMB]],
    ['in show, of the text', ['show', 'last', '--tools', '-q', BOMB]],
    ['in tail, of the text', ['tail', 'last', '-q', BOMB]],
    ['in approvals, of the text', ['approvals', '-q', '/(a|aa)+c/']],
    ['in filter, of a column', ['filter', `method:${BOMB}`]],
    ['in filter, negated, beside others', ['filter', `f:1..9 NOT (is:late OR @params.text:${BOMB})`]],
    ['in filter, of the session', ['filter', `cwd:${BOMB}`]],
    ['in filter, of a tag', ['filter', 'tag:/(a+)+$/ from:agent']],
    ['in filter --count', ['filter', '--count', `@params.text:${BOMB}`]],
    ['in filter --context', ['filter', '--context', '1', `@params.text:${BOMB}`]],
    ['in filter --explain', ['filter', '--explain', `name:${BOMB}`]],
    ['in filter, on a tape', ['filter', `@params.text:${BOMB}`, './copy.jsonl']],
    ['in ls', ['ls', `@params.text:${BOMB}`]],
    ['in ls, of the session', ['ls', `name:${BOMB}`]],
    ['in show', ['show', 'last', '--tools', '-q', `@params.text:${BOMB}`]],
    ['in show, of the session', ['show', 'last', '--frames', '-q', `cwd:${BOMB}`]],
    ['in show --frames', ['show', 'last', '--frames', '-q', `method:${BOMB}`]],
    ['in tail', ['tail', 'last', '-q', `@params.text:${BOMB}`]],
    ['in tail, of the session', ['tail', 'last', '-q', `cwd:${BOMB}`]],
    ['in check', ['check', '-q', `@params.text:${BOMB}`]],
    ['in stats', ['stats', '-q', `@params.text:${BOMB}`]],
    ['in export', ['export', 'last', '-f', 'md', '-o', 'out', '-q', `@params.text:${BOMB}`]],
    ['in diff --ignore', ['diff', 'last', './copy.jsonl', '--ignore', `@params.text:${BOMB}`]],
  ];
  for (const [where, args] of cases) {
    it(where, async () => {
      const { stdout, stderr, code } = await givingUpSoon(() => run(...args));
      expect(stderr.toString()).toBe(SAID);
      expect(code).toBe(2);
      // At most the head of the session.
      expect(stdout.toString().split('\n').length).toBeLessThanOrEqual(2);
    });
  }

  it('in a fault of a replay', async () => {
    const args = ['replay', 'last', '--fault', `@params.text:${BOMB} drop`, '--instant'];
    const { stderr, code } = await givingUpSoon(() => run(...args));
    expect([stderr.toString(), code]).toEqual([SAID, 2]);
  });

  it('in a policy', async () => {
    const { tape } = makeSession(place.home, (journal) => approval(journal), { id: '20261116T022912-aaaa' });
    writeFileSync(join(place.dir, 'policy.json'), JSON.stringify({ rules: [{ decision: 'deny', command: BOMB }] }));
    const { stderr, code } = await givingUpSoon(() => run('approvals', tape, '--policy', 'policy.json'));
    expect(stderr.toString()).toMatch(
      /^wiretape: a regular expression in the policy took too long on one command\nhint: /,
    );
    expect(code).toBe(2);
  });

  it('is given up by the program as it is', async () => {
    const { stderr, code } = await wiretape(place, ['filter', BOMB], { streams: 'socket' });
    expect([stderr.toString(), code]).toEqual([SAID, 2]);
  });

  it('is refused at once where words are listed', async () => {
    const { stderr, code } = await run('filter', `kind:${BOMB}`);
    expect(stderr.toString()).toMatch(/^wiretape: the pattern is too complex for kind:\n/);
    expect(code).toBe(2);
  });

  it('is no matter where it ends', async () => {
    const { stdout, code } = await run('filter', '@params.text:/^a+!$/', '--count');
    expect([stdout.toString(), code]).toEqual(['1\n', 0]);
  });
});

describe('a regular expression of a redaction that never ends', () => {
  const MAIL = `${'a'.repeat(40)}@corp.org`;
  const options = [
    // The text of a rule is the whole line.
    ['--rule', '/(a+)+~/'],
    ['--rule', 'name=/(a+)+~/'],
    ['--also', '/(a+)+~/'],
    // It is asked of what is found: of an address.
    ['--keep', '/^(a+)+@example/'],
  ] as const;

  beforeAll(() => {
    makeSession(
      place.home,
      (journal) => {
        journal.data('agent', 20, rpc({ method: 'say', params: { text: `${TRAP} ${MAIL}`, trap: TRAP } })).exit(30);
      },
      { id: '20261116T022913-bbbb' },
    );
  });

  const commands = [
    ['redact', ['redact', 'bbbb', '-o', 'out']],
    ['redact, as a session', ['redact', 'bbbb']],
    ['redact --scan', ['redact', 'bbbb', '--scan']],
    ['redact --review', ['redact', 'bbbb', '--review', '-o', 'out']],
    ['report', ['report', 'bbbb', '-o', 'out']],
    ['export', ['export', 'bbbb', '-f', 'json', '-o', 'out']],
  ] as const;
  for (const [name, args] of commands)
    it.each(options)(`in ${name}, as %s %s`, async (option, pattern) => {
      const before = readdirSync(join(place.home, 'sessions'));
      const words = [...args.map((word) => (word === 'bbbb' ? '20261116T022913-bbbb' : word)), option, pattern];
      const { stdout, stderr, code } = await givingUpSoon(() => run(...words));
      expect(stderr.toString()).toBe(
        `wiretape: the regular expression of ${option} took too long on one line\n` +
          'hint: avoid nested repetition such as (a+)+\n',
      );
      expect([stdout.toString(), code, existsSync(join(place.dir, 'out'))]).toEqual(['', 2, false]);
      expect(readdirSync(join(place.home, 'sessions'))).toEqual(before);
    });
});
