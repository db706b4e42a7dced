/** Text and attributes for XML. Recorded text cannot end a tag, and has no characters that XML forbids. */
import { visible } from './text.ts';

/** ` name="value"` for each. */
export function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(visible(String(value)))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** The two that are no characters in XML are no characters anywhere. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c]!).replace(/[\ufffe\uffff]/g, '\ufffd');
}
