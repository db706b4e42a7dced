/** The formats that can be imported, most specific first, and the detection of a file's format from its content. */
import { closeSync, openSync, readSync } from 'node:fs';
import { isObject, parseJson, textOf } from '../../../model/message.ts';
import { MAX_LINE_BYTES } from '../long-line.ts';
import { jsonl } from './jsonl.ts';
import { kimiCli } from './kimi-cli.ts';
import { kimiCode } from './kimi-code.ts';
import { lineLog } from './line-log.ts';
import type { ForeignRecord, ImportFormat } from './source.ts';
import { wiretape } from './wiretape.ts';

const FORMATS: readonly ImportFormat[] = [wiretape, lineLog, kimiCli, kimiCode, jsonl];

export type RecognisedFormat = { is: 'known'; format: ImportFormat } | { is: 'unknown'; why: string };

const HEAD_BYTES = 1 << 20;
const MAX_HEAD_LINES = 20;
const LF = 0x0a;

export function recognise(path: string): RecognisedFormat {
  const head = readHead(path);
  if (head.length === 0) return { is: 'unknown', why: 'the file is empty' };
  const first = firstObjects(head);
  const format = FORMATS.find((one) => one.recognise(first));
  if (format) return { is: 'known', format };
  if (head.includes(0)) return { is: 'unknown', why: 'a binary file' };
  const isLong = head.length >= MAX_LINE_BYTES && !head.includes(LF);
  return {
    is: 'unknown',
    why: isLong ? 'its first line is too long' : 'no JSON objects in its first lines',
  };
}

/** The first megabyte, or as much more as the first line needs. */
function readHead(path: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    let head = Buffer.alloc(0);
    for (let size = HEAD_BYTES; ; size *= 2) {
      const more = Buffer.alloc(size - head.length);
      const n = readSync(fd, more, 0, more.length, head.length);
      head = Buffer.concat([head, more.subarray(0, n)]);
      const isJson = /^\s*\{/.test(head.toString('latin1', 0, 64));
      if (n < more.length || head.includes(LF) || !isJson || size >= MAX_LINE_BYTES) return head;
    }
  } finally {
    closeSync(fd);
  }
}

function firstObjects(head: Buffer): ForeignRecord[] {
  const found: ForeignRecord[] = [];
  let start = 0;
  for (let i = 0; i < MAX_HEAD_LINES && start < head.length; i++) {
    const lf = head.indexOf(LF, start);
    const value = parseJson(textOf(head.subarray(start, lf < 0 ? head.length : lf)));
    if (isObject(value)) found.push(value);
    if (lf < 0) break;
    start = lf + 1;
  }
  return found;
}
