import { expect, it } from 'vitest';
import { settingsIn } from '../../../../../lib/output/viewer/shell/settings.ts';

it('takes what is valid, whoever wrote it', () => {
  const first = settingsIn({});
  expect(settingsIn(null)).toEqual(first);
  expect(settingsIn('x')).toEqual(first);
  expect(settingsIn({ theme: 'red', language: 'tlh', detail: 7, letters: 'no' })).toEqual(first);
  expect(settingsIn({ theme: 'dark', language: 'zh', detail: 0.5, letters: false, dim: true })).toEqual({
    ...first,
    ...{ theme: 'dark', language: 'zh', detail: 0.5, letters: false, dim: true },
  });
});
