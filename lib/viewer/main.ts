/** Starts the viewer when the page is complete. */
import { openPage } from './open.ts';
import { PageApp } from './shell/page-app.ts';

const OLD =
  'This browser is too old to show this page: it cannot decompress data. Chrome 80, Firefox 113, Safari 16.4 or later can.';

document.addEventListener('DOMContentLoaded', () => {
  boot().catch((error: unknown) => say(`This page cannot be shown: ${error instanceof Error ? error.message : error}`));
});

async function boot(): Promise<void> {
  if (!('DecompressionStream' in globalThis)) return say(OLD);
  const page = await openPage();
  new PageApp(page).start();
  performance.mark('app:interactive');
}

function say(message: string): void {
  const box = document.createElement('p');
  box.className = 'shell-failure';
  box.setAttribute('role', 'alert');
  box.textContent = message;
  document.body.prepend(box);
}
