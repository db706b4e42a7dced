/** Saves the tape in the page as a file: the very bytes that were recorded, or exported if they were redacted. */
import { humanBytes } from '../../../model/text/text.ts';
import type { Shell } from './shell.ts';

const WORDS = {
  en: { saved: (name: string, size: string) => `Saved ${name} (${size})`, failed: 'The tape could not be read' },
  zh: { saved: (name: string, size: string) => `已保存 ${name}（${size}）`, failed: '无法读取录制文件' },
};

export async function saveTape(app: Shell): Promise<void> {
  const words = app.words(WORDS);
  const { source } = app;
  const parts: BlobPart[] = [];
  let size = 0;
  try {
    for await (const part of source.tape()) {
      parts.push(part as Uint8Array<ArrayBuffer>);
      size += part.length;
    }
  } catch {
    return app.notify(words.failed);
  }
  const name = `${source.head.session.replace(/[^\w.-]+/g, '_').slice(0, 80) || 'session'}.jsonl`;
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  app.notify(words.saved(name, humanBytes(size)));
}
