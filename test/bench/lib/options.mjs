// What was asked for on the command line.
import { parseArgs } from 'node:util';

export const USAGE = `usage: npm run bench -- [options]
  --pairs N       interleaved pairs for each comparison (10)
  --quick         3 pairs
  --only NAME     one scenario; may be given again
  --frames N      frames of the flood (1000000)
  --program FILE  another build to measure (dist/bin/wiretape)
  --against FILE  a build to compare with, in the scenario start-up
  --json          rows as NDJSON
  --verbose       progress on stderr even where that is no terminal
  --list          the scenarios`;

export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      pairs: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      frames: { type: 'string', default: '1000000' },
      program: { type: 'string' },
      against: { type: 'string' },
      json: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return {
    ...values,
    only: values.only.flatMap((word) => word.split(',')),
    pairs: positive(values.pairs ?? (values.quick ? '3' : '10'), '--pairs'),
    frames: positive(values.frames, '--frames'),
  };
}

function positive(word, option) {
  const number = Number(word);
  if (!Number.isInteger(number) || number < 1) throw new Error(`${option} needs a number from 1`);
  return number;
}
