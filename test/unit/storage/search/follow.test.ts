import { expect } from 'vitest';
import { nextStarted } from '../../../../lib/storage/search/follow.ts';
import { makeSession } from '../../../support/session.ts';
import { it } from '../../../support/store.ts';

it('the next session is also one that started since the others were listed', async ({ place }) => {
  const stop = new AbortController();
  makeSession(place.home, () => {}, { id: '20261116T022911-aaaa' });
  makeSession(place.home, () => {}, { id: '20261116T022911-bbbb' });
  const next = await nextStarted(place.home, new Set(['20261116T022911-aaaa']), stop.signal);
  expect(next?.id).toBe('20261116T022911-bbbb');
});
