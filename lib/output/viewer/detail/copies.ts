/** What can be copied of a frame. */
import type { Frame } from '../../../model/frame.ts';
import { visible } from '../../../model/text/text.ts';
import { hexText } from './hex.ts';
import { jsonLines, prettyText } from './json-lines.ts';

/** Not UTF-8 becomes U+FFFD, as everywhere that wants text. */
export const sentText = ({ raw }: Pick<Frame, 'raw'>): string => new TextDecoder().decode(raw);

/** Indented by tokens if it is JSON. */
export function indentedText(text: string): string {
  const lines = jsonLines(text);
  return lines ? prettyText(lines) : text;
}

/** What is compared: lines of JSON, of text, or of a dump. */
export function comparableText({ raw, form }: Pick<Frame, 'raw' | 'form'>, tape: Uint8Array): string {
  if (form === 'event') return indentedText(new TextDecoder().decode(tape));
  return form === 'bytes' ? hexText(raw) : indentedText(sentText({ raw }));
}

const PLAIN = /^[\w.:/@%+=,-]+$/;

/** In quotes if a shell would read it otherwise. */
export function showCommand(session: string, f: number): string {
  const name = `${session}#f${f}`;
  return `wiretape show ${PLAIN.test(session) ? name : `'${name.replaceAll("'", "'\\''")}'`}`;
}

/** A quote for a bug report. The fence is longer than any inside. */
export function markdownQuote(title: string, text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 3);
  const fence = '`'.repeat(longest + 1);
  return `**${visible(title)}**\n\n${fence}json\n${text}\n${fence}\n`;
}
