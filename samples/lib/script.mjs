// The small language of scenario files, apart from the directives themselves:
// how a directive is named, what its strings may hold, and the turns that no scenario needs to write.

/** The first key that names a directive of the table; other keys are its modifiers. */
export function nameIn(table, directive) {
  return Object.keys(directive ?? {}).find((key) => Object.hasOwn(table, key));
}

/**
 * Fills `{{name}}` into every string of a directive.
 * @template T
 * @param {T} value
 * @param {Record<string, unknown>} names
 * @returns {T}
 */
export function fill(value, names) {
  if (typeof value === 'string') {
    return /** @type {any} */ (value.replace(/\{\{(\w+)\}\}/g, (whole, name) => String(names[name] ?? whole)));
  }
  if (Array.isArray(value)) return /** @type {any} */ (value.map((member) => fill(member, names)));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, member]) => [key, fill(member, names)]);
  return /** @type {any} */ (Object.fromEntries(entries));
}

/** What the agent does when the script has no turn left: it repeats what it was told. */
export const ECHO_TURN = [[{ think: 'Nothing is scripted for this prompt.' }, { text: 'You said: {{prompt}}' }]];

/** The step that a steer, or a hook that refused to stop, forces after the last scripted one. */
export const afterwards = (words) => [{ text: `Understood: ${words}` }];
