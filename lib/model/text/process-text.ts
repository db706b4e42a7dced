import type { Frame } from '../frame.ts';

/** What happened to the process or its pipes, in a few words. */
export function processText({ from, event, detail }: Frame): string {
  if (event === 'eof') return `of ${sideText(from)}${detail.by === undefined ? '' : `, closed by the ${detail.by}`}`;
  if (event === 'exit') return detail.signal ? `by ${detail.signal}` : `with ${detail.code}`;
  if (event === 'spawn') return detail.pid === undefined ? '' : `process ${detail.pid}`;
  if (event === 'file') return words(detail, ['path']);
  return words(detail, OTHER_WORDS);
}

const ENDED = /^of (?:the )?(client|agent|stderr)(?:, closed by the (client|agent))?$/;

/** An event of the process for people: its name and its text, or a sentence for the end of a stream. */
export function processWords(name: string | null, text: string): string {
  const [, from, by] = (name === 'eof' ? ENDED.exec(text) : null) ?? [];
  if (from === undefined) return `${name ?? ''} ${text}`.trim();
  if (from === 'client') return by === 'agent' ? 'agent closed its stdin' : 'client closed stdin';
  const stream = from === 'agent' ? 'stdout' : 'stderr';
  return by === 'client' ? `client closed the agent's ${stream}` : `agent closed ${stream}`;
}

function sideText(from: Frame['from']): string {
  return from === 'stderr' ? from : `the ${from}`;
}

const OTHER_WORDS = ['signal', 'stream', 'missing', 'whose', 'errno', 'reason'];

function words(detail: Frame['detail'], keys: readonly string[]): string {
  const known = keys.filter((key) => detail[key] !== undefined && detail[key] !== null);
  return known.map((key) => `${detail[key]}`).join(' ');
}
