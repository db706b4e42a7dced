/** The output of a command, of which only the beginning is kept. */
const KEPT = 1 << 20;

export class MemoryIo {
  interactive = false;
  columns = 120;
  color = false;
  stdout = '';
  stderr = '';
  bytes = 0;

  constructor(env) {
    this.env = { TZ: 'UTC', NO_COLOR: '1', TERM: 'dumb', ...env };
  }

  async write(chunk) {
    this.bytes += chunk.length;
    if (this.stdout.length < KEPT)
      this.stdout += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  }

  json(value) {
    return this.write(`${JSON.stringify(value)}\n`);
  }

  say(line) {
    if (this.stderr.length < KEPT) this.stderr += `${line}\n`;
  }

  progress() {}
  page() {}
  async close() {}
}
