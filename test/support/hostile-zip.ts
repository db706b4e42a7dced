/** Zip archives as nobody should write them: every field of an entry can be a lie. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface HostileEntry {
  name: string | Buffer;
  content: Buffer;
  /** What the directory says, where it is not the truth. */
  flags?: number;
  method?: number;
  crc?: number;
  size?: number;
  packed?: number;
  at?: number;
  /** Unix mode. */
  mode?: number;
  /** The name in the head of the file itself. */
  ownName?: string;
  /** Packed by somebody else. */
  bytes?: Buffer;
}

export interface HostileEnd {
  count?: number;
  length?: number;
  start?: number;
  disk?: number;
  comment?: Buffer;
  behind?: Buffer;
}

export function hostileZip(entries: readonly HostileEntry[], end: HostileEnd = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { content, method = 8, flags = 0, mode = 0 } = entry;
    const name = Buffer.from(entry.name as string);
    const own = Buffer.from(entry.ownName ?? name);
    const bytes = entry.bytes ?? (method === 8 ? deflateRawSync(content) : content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(own.length, 26);
    files.push(local, own, bytes);
    const head = Buffer.alloc(46);
    head.writeUInt32LE(0x02014b50, 0);
    head[5] = 3;
    head.writeUInt16LE(flags, 8);
    head.writeUInt16LE(method, 10);
    head.writeUInt32LE(entry.crc ?? crc32(content), 16);
    head.writeUInt32LE(entry.packed ?? bytes.length, 20);
    head.writeUInt32LE(entry.size ?? content.length, 24);
    head.writeUInt16LE(name.length, 28);
    head.writeUInt16LE(mode, 40);
    head.writeUInt32LE(entry.at ?? at, 42);
    directory.push(head, name);
    at += 30 + own.length + bytes.length;
  }
  const listed = Buffer.concat(directory);
  const { comment = Buffer.alloc(0), behind = Buffer.alloc(0) } = end;
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x06054b50, 0);
  last.writeUInt16LE(end.disk ?? 0, 4);
  last.writeUInt16LE(end.count ?? entries.length, 8);
  last.writeUInt16LE(end.count ?? entries.length, 10);
  last.writeUInt32LE(end.length ?? listed.length, 12);
  last.writeUInt32LE(end.start ?? at, 16);
  last.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...files, listed, last, comment, behind]);
}
