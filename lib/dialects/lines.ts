/** Any other program that writes lines. There are no requests or answers. It always matches and is the last resort. */
import { NOTHING } from '../core/message.ts';
import type { Dialect } from './dialect.ts';
import { stringOf } from './fields.ts';

export const lines: Dialect = {
  name: 'lines',
  recognise: () => 0.01,
  envelope: (value) => ({ ...NOTHING, type: stringOf(value.type), body: value }),
  open: () => ({
    read: ({ message }) =>
      message.type === null
        ? [{ kind: 'noise', name: null, flags: ['invalid'] }]
        : [{ kind: 'other', name: message.type }],
  }),
};
