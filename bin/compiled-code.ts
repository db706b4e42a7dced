/**
 * V8's code for the chunks, so that a command need not compile them: on Node 20 that takes longer than most answers. It is
 * made when the program is built or installed. V8 ignores code from another version or for a source of another length; we
 * ignore code for a chunk that was written at another time, and code that is damaged, on which V8 would abort. Without
 * valid code, a chunk is loaded as usual. Node 22.1 and later have a compile cache of their own, which is used instead.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Script } from 'node:vm';

/** In front of the code: the time of the chunk, as a double, and the CRC of the code. */
const CRC_OFFSET = 8;
const HEADER_BYTES = 12;

/** Asking for the function itself would load half of Node's module system. */
const hasNodeCache = Number.parseInt(process.versions.node, 10) >= 22;

const chunksIn = (bin: string) => join(bin, 'chunks');
const cacheIn = (bin: string) => join(bin, 'cache');
const codeOf = (bin: string, chunk: string) => join(cacheIn(bin), `${chunk}.code`);

/** As Node itself wraps a CommonJS module. */
function wrapped(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${source}\n})`;
}

interface CompileCache {
  enableCompileCache?(folder: string): unknown;
}

/** Loads the chunks beside this program with their code from now on. */
export function useCompiledCode(bin: string): void {
  if (hasNodeCache) {
    (process.getBuiltinModule('node:module') as CompileCache).enableCompileCache?.(cacheIn(bin));
    return;
  }
  // V8 refuses code that was made with other settings. What the launcher sets (launch.c) was used when V8 started.
  if (process.execArgv.length > 0) process.getBuiltinModule('node:v8').setFlagsFromString('--initial-old-space-size=0');
  const chunks = chunksIn(bin);
  const loadUsually = require.extensions['.js']!;
  require.extensions['.js'] = (module, path) => {
    const script = dirname(path) === chunks ? scriptOf(bin, path) : null;
    if (!script) return loadUsually(module, path);
    const load = (id: string) => module.require(id);
    script.runInThisContext().call(module.exports, module.exports, load, module, path, chunks);
  };
}

function compile(path: string, cachedData?: Buffer): Script {
  const { Script } = process.getBuiltinModule('node:vm');
  return new Script(wrapped(readFileSync(path, 'utf8')), { filename: path, ...(cachedData && { cachedData }) });
}

function scriptOf(bin: string, path: string): Script | null {
  try {
    const code = readFileSync(codeOf(bin, basename(path)));
    if (code.readDoubleLE(0) !== statSync(path).mtimeMs) return null;
    const data = code.subarray(HEADER_BYTES);
    return code.readUInt32LE(CRC_OFFSET) === crcOf(data) ? compile(path, data) : null;
  } catch {
    return null;
  }
}

function crcOf(data: Buffer): number {
  return process.getBuiltinModule('node:zlib').crc32(data);
}

/** Compiles every function of every chunk. */
export function saveCompiledCode(bin: string): void {
  if (hasNodeCache) return;
  mkdirSync(cacheIn(bin), { recursive: true });
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const chunk of readdirSync(chunksIn(bin)).filter((name) => name.endsWith('.js'))) {
    const path = join(chunksIn(bin), chunk);
    // V8 leaves out functions that were not called yet, unless it may not be lazy. Code says with which settings it was
    // made when it is saved, so these must be the usual ones by then.
    setFlagsFromString('--no-lazy');
    const script = compile(path);
    setFlagsFromString('--lazy');
    const data = script.createCachedData();
    const stamp = Buffer.alloc(HEADER_BYTES);
    stamp.writeDoubleLE(statSync(path).mtimeMs);
    stamp.writeUInt32LE(crcOf(data), CRC_OFFSET);
    const draft = `${codeOf(bin, chunk)}.${process.pid}.tmp`;
    writeFileSync(draft, Buffer.concat([stamp, data]), { flush: true });
    renameSync(draft, codeOf(bin, chunk));
  }
}
