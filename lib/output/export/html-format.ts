/** The HTML timeline as a format of `export`. What it needs is loaded when it is used. */
import type { ExportFormat } from './index.ts';

export const html: ExportFormat = {
  name: 'html',
  summary: 'a page that shows the session in a browser; wiretape reads it back',
  async *write(session, events) {
    const { htmlPage } = await import('./html.ts');
    yield* htmlPage([session], events);
  },
  async *compare(a, b, events) {
    const { htmlPage } = await import('./html.ts');
    yield* htmlPage([a, b], events);
  },
};
