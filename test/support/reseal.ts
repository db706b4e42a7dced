/** Edits a tape and computes its seals again, as anyone can who has the file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseJson } from '../../lib/model/message.ts';
import { SealChain, sealLine } from '../../lib/storage/tape/seal.ts';

type Entry = Record<'f' | 't', number> & Record<'type' | 'at', string> & { final?: boolean; recovered?: boolean };

export function reseal(tape: string, edit: (line: string) => string): void {
  const chain = new SealChain();
  let edited = '';
  let last: Partial<Entry> = {};
  for (const line of readFileSync(tape, 'utf8').trimEnd().split('\n')) {
    const entry = parseJson(line) as Entry;
    const isSeal = entry.type === 'seal';
    // The last frame repeats the time of the final seal.
    const at = entry.final ? (last.at ?? entry.at) : entry.at;
    const final = entry.final ? { recovered: entry.recovered === true } : undefined;
    const written = `${isSeal ? sealLine(entry.f, entry.t.toFixed(6), at, chain.seal(), final) : edit(line)}\n`;
    if (!isSeal) last = parseJson(written) as Entry;
    chain.update(Buffer.from(written));
    edited += written;
  }
  writeFileSync(tape, edited);
}
