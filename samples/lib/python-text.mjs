// Text as Python prints it: the real agent puts json.dumps() and repr() output into strings on the wire.
// Only the plain values that occur there are handled.

/** JSON with a space after every comma and colon, non-ASCII left alone. */
export function pythonJson(value) {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${pythonJson(member)}`).join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** A value as Python's repr() shows it. */
export function pythonRepr(value) {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, member]) => `${quote(key)}: ${pythonRepr(member)}`)
      .join(', ')}}`;
  }
  return String(value);
}

/** The fields of a model as str() shows them: `name=repr name=repr`. */
export function pythonFields(model) {
  return Object.entries(model)
    .map(([name, member]) => `${name}=${pythonRepr(member)}`)
    .join(' ');
}

function quote(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(mark, `\\${mark}`);
  return mark + escaped + mark;
}
