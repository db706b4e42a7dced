/** Keys of services that have no form of their own: the name of the service, what assigns, and a value made as its keys are. */
import type { Hit } from './kinds.ts';
import { isPseudonym } from './placeholders.ts';
import { SERVICE_RULES } from './rule-set.ts';

const escaped = (text: string): string => text.replace(/[.+*?^$()[\]{}|/]/g, '\\$&');

/** As constants, variables and types are written. */
const writings = (name: string): string[] => [
  name,
  name.toUpperCase(),
  name.replace(/(?:^|[_.-])[a-z]/g, (start) => start.toUpperCase()),
];

/** Every way in which one of the services is written. */
export const SERVICE_WORDS: readonly string[] = SERVICE_RULES.flatMap(({ names }) => names.flatMap(writings));

const RULE_OF_WORD = new Map(
  SERVICE_RULES.flatMap((rule) => rule.names.flatMap(writings).map((word) => [word, rule] as const)),
);
const SERVICE_WORD = new RegExp(
  [...SERVICE_WORDS]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|'),
  'g',
);
/** The rest of the name, a sign that assigns or separates, and quotes. */
const ASSIGNS = /[ \t\w.-]{0,30}[\s'"`\\]{0,6}(?:=>?|>|:{1,3}=|\|\||:|\?=|[.+]=|,)[`'"\s=\\|]{0,8}/y;
/** Another quote, bracket or letter would make it a part of something else. */
const END = '(?![A-Za-z0-9_=-])';

const FORMS = new Map(
  SERVICE_RULES.map((rule) => [rule, rule.forms.map((form) => new RegExp(`(?:${form})${END}`, 'iy'))] as const),
);

/** Calls `found` with each. */
export function eachServiceSecret(text: string, found: (hit: Hit) => void): void {
  SERVICE_WORD.lastIndex = 0;
  for (let word = SERVICE_WORD.exec(text); word; word = SERVICE_WORD.exec(text)) {
    ASSIGNS.lastIndex = SERVICE_WORD.lastIndex;
    if (!ASSIGNS.test(text)) continue;
    const start = ASSIGNS.lastIndex;
    for (const form of FORMS.get(RULE_OF_WORD.get(word[0])!)!) {
      form.lastIndex = start;
      if (!form.test(text) || isPseudonym(text.slice(start, form.lastIndex))) continue;
      found({ kind: 'secret', start, end: form.lastIndex, from: word.index, strong: false });
      break;
    }
  }
}
