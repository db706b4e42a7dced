/** Any other program that writes lines. There are no requests or answers. It always matches and is the last resort. */
import { NO_MESSAGE } from '../../model/message.ts';
import { stringOf } from '../common/fields.ts';
import type { Dialect } from '../dialect.ts';
import { genericTraits } from '../traits.ts';

export const lines: Dialect = {
  name: 'lines',
  traits: genericTraits,
  recognise: () => 0.01,
  envelope: (value) => ({ ...NO_MESSAGE, type: stringOf(value.type), body: value }),
  open: () => ({
    read: ({ message }) =>
      message.type === null
        ? [{ kind: 'noise', name: null, flags: ['invalid'] }]
        : [{ kind: 'other', name: message.type }],
  }),
};
