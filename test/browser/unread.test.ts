/** A page of a session of which too little was understood says so, in every view, and claims nothing of what ran. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePlace, type Place, removePlace } from '../support/store.ts';
import { exportPage } from './support/pages.ts';
import { Reader } from './support/reader.ts';
import { inBrowser } from './support/tabs.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));

inBrowser('a page of a session that is mostly unread', (tabs) => {
  let place: Place;
  let unread: string;
  let read: string;

  beforeAll(async () => {
    place = makePlace();
    unread = await exportPage(place, [`${FIXTURES}unread/newstream.jsonl`], 'unread');
    read = await exportPage(place, [`${FIXTURES}unread/noisy.jsonl`], 'read');
  });

  afterAll(() => removePlace(place));

  it.each(['timeline', 'approvals', 'findings', 'stats'])('says what share was understood: %s', async (view) => {
    const reader = new Reader(await tabs.open(unread, { hash: `v=${view}` }));
    await reader.isIn(view);
    await reader.page.getByText('1 of 6 lines from the agent were understood', { exact: false }).first().waitFor();
  });

  it('does not say that nothing was asked or ran', async () => {
    const reader = new Reader(await tabs.open(unread, { hash: 'v=approvals' }));
    await reader.page.getByText('Cannot tell what was asked or run', { exact: false }).waitFor();
    expect(await reader.page.getByText('No approvals were requested', { exact: false }).count()).toBe(0);
  });

  it('does not count what it did not understand as none', async () => {
    const page = await exportPage(place, [`${FIXTURES}unread/cn.jsonl`], 'lines');
    const reader = new Reader(await tabs.open(page, { hash: 'v=approvals' }));
    await reader.page.getByText('Cannot tell what was asked or run', { exact: false }).waitFor();
    for (const none of ['0 turns', '0 asked', 'idle']) {
      expect(await reader.page.getByText(none, { exact: false }).count(), none).toBe(0);
    }
  });

  it('says it where the agent was understood', async () => {
    const reader = new Reader(await tabs.open(read, { hash: 'v=approvals' }));
    await reader.page.getByText('No approvals were requested', { exact: false }).waitFor();
    expect(await reader.page.getByText('understood', { exact: false }).count()).toBe(0);
  });
});
