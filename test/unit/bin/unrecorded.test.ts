import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../bin/unrecorded.ts';
import { RECORD_OPTIONS } from '../../../lib/commands/record.ts';

describe('the words of `record`, read without lib', () => {
  it('knows every option that record has', () => {
    const words = RECORD_OPTIONS.flatMap(({ name, value }) => (value ? [`--${name}`, 'value'] : [`--${name}`]));
    expect(parseArguments([...words, '--', 'kimi', '--name'])).toEqual({ agent: ['kimi', '--name'], strict: true });
    expect(parseArguments([...words, 'kimi', '--', '-x'])).toEqual({ agent: ['kimi', '--', '-x'], strict: true });
  });

  it.each<[string, ReturnType<typeof parseArguments>]>([
    ['kimi --wire --strict', { agent: ['kimi', '--wire', '--strict'], strict: false }],
    ['-- --strict', { agent: ['--strict'], strict: false }],
    ['--name=a --tape b -- kimi', { agent: ['kimi'], strict: false }],
    ['--name -- -- kimi', { agent: ['kimi'], strict: false }],
    ['--strict --store=/x kimi', { agent: ['kimi'], strict: true }],
    ['--', null],
    ['--name x', null],
    ['--help', null],
    ['-h -- kimi', null],
  ])('%s', (line, asked) => {
    expect(parseArguments(line.split(' '))).toEqual(asked);
  });
});
