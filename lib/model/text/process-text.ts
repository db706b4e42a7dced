import type { Frame } from '../frame.ts';

/** What happened to the process or its pipes, in a few words. */
export function processText({ from, event, detail }: Frame): string {
  if (event === 'eof') return `of ${sideText(from)}${detail.by === undefined ? '' : `, closed by the ${detail.by}`}`;
  if (event === 'exit') return detail.signal ? `by ${detail.signal}` : `with ${detail.code}`;
  if (event === 'spawn') return detail.pid === undefined ? '' : `process ${detail.pid}`;
  if (event === 'file') return words(detail, ['path']);
  return words(detail, OTHER_WORDS);
}

function sideText(from: Frame['from']): string {
  return from === 'stderr' ? from : `the ${from}`;
}

const OTHER_WORDS = ['signal', 'stream', 'missing', 'whose', 'errno', 'reason'];

function words(detail: Frame['detail'], keys: readonly string[]): string {
  const known = keys.filter((key) => detail[key] !== undefined && detail[key] !== null);
  return known.map((key) => `${detail[key]}`).join(' ');
}
