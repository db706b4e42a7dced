/** What stands where a secret would, and is none. */
const PLACEHOLDER_WORD =
  /^(?:string|number|boolean|object|array|required|optional|undefined|password|passwd|token|secret|change_?me|redacted|hidden|masked|unknown|default|empty|any|str|int|bool|text|value|input|none|type|api[_-]?key|access[_-]?token|auto|manual)$/i;
const PSEUDONYM = /^\[[A-Z][A-Z0-9_]*_\d+\.*\]$/;

export const isPlaceholderWord = (value: string): boolean => PLACEHOLDER_WORD.test(value);

/** Whether it replaced something before. */
export const isPseudonym = (value: string): boolean => PSEUDONYM.test(value);
