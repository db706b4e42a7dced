import { expect, it } from 'vitest';
import { readTarget } from '../../../../../lib/output/viewer/shell/goto.ts';

it.each([
  [':123', { is: 'frame', f: 123 }],
  ['f17', { is: 'frame', f: 17 }],
  ['t3', { is: 'turn', turn: 3 }],
  ['turn 12', { is: 'turn', turn: 12 }],
  [':1m20s', { is: 'time', seconds: 80 }],
  ['1m 20s', { is: 'time', seconds: 80 }],
  ['+0:12.5', { is: 'time', seconds: 12.5 }],
  ['1:02:03', { is: 'time', seconds: 3723 }],
  ['500ms', { is: 'time', seconds: 0.5 }],
])('%s is a place', (typed, target) => {
  expect(readTarget(typed)).toEqual(target);
});

it.each(['', ':', 'theme', '12x', '1m20', 't', 'f', '5 apples', '1::2'])('%s is none', (typed) => {
  expect(readTarget(typed)).toBeNull();
});
