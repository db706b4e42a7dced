/** Starts the viewer when the page is complete. A large page takes seconds to be read: it says so. */
import { openPage } from './open.ts';
import { PageApp } from './shell/page-app.ts';
import { firstLanguage } from './shell/settings.ts';

const WORDS = {
  en: {
    reading: 'Reading the page…',
    old: 'This browser is too old for this page: it cannot decompress data. Chrome 80, Firefox 113 and Safari 16.4 can.',
    failed: (why: string) => `This page cannot be shown: ${why}`,
  },
  zh: {
    reading: '正在读取页面…',
    old: '此浏览器版本过旧，无法解压数据，不能显示此页面。Chrome 80、Firefox 113、Safari 16.4 及更高版本可以。',
    failed: (why: string) => `无法显示此页面：${why}`,
  },
}[firstLanguage()];

const note = document.createElement('p');
note.className = 'shell-note';
note.setAttribute('role', 'status');
note.textContent = 'DecompressionStream' in globalThis ? WORDS.reading : WORDS.old;
document.body.append(note);

async function boot(): Promise<void> {
  const page = await openPage();
  new PageApp(page).start();
  note.remove();
  performance.mark('app:interactive');
}

if ('DecompressionStream' in globalThis)
  document.addEventListener('DOMContentLoaded', () => {
    boot().catch((error: unknown) => {
      note.textContent = WORDS.failed(error instanceof Error ? error.message : String(error));
    });
  });
