/** A question to the user, as kimi-code and Claude write it. */
import type { ClientQuestion } from '../../model/event.ts';
import { listOf, objectOf, stringOf } from './fields.ts';

export function questionOf(value: unknown): ClientQuestion {
  const { id, question, options, multiSelect, multi_select } = objectOf(value);
  return {
    id: stringOf(id),
    text: stringOf(question) ?? '',
    options: listOf(options).map((option) => {
      const { label, description } = objectOf(option);
      return { label: stringOf(label) ?? stringOf(option) ?? '', description: stringOf(description) };
    }),
    multiple: multiSelect === true || multi_select === true,
  };
}
