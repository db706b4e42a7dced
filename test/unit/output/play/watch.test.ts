/** What the screen shows at the end. Nobody can press a key here, so watching ends by itself. */
import { describe, expect } from 'vitest';
import { readPlayback } from '../../../../lib/output/play/playback.ts';
import { PlaybackScreen } from '../../../../lib/output/play/watch.ts';
import type { Screen } from '../../../../lib/output/terminal/screen.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { locate, openPlace } from '../../../../lib/storage/store/open.ts';
import { Wakeup } from '../../../../lib/storage/system/wakeup.ts';
import { makeTalk } from '../../../support/played.ts';
import { it } from '../../../support/store.ts';

describe('watching a session', () => {
  it('ends with a picture of its end, even if that comes too soon after the one before', async ({ place }) => {
    const pictures: string[] = [];
    const screen = { rows: 40, columns: 100, draw: (text: string) => pictures.push(text), close() {}, suspend() {} };
    const session = locate(place.home, makeTalk(place.home));
    // Too slow to be over within one picture, and too quick for a picture of each frame.
    let clock = 0;
    const now = () => {
      clock += 0.0002;
      return clock;
    };
    const options = {
      ...{ pace: { speed: 1000, maxGap: null }, from: 1, until: Number.POSITIVE_INFINITY, full: false, now },
      ...{ stop: new AbortController().signal, interrupted() {}, closed() {} },
    };
    const played = readPlayback(session, openPlace(session), null, null);
    await new PlaybackScreen(played, options, screen as unknown as Screen, themeFor(false)).run(
      new Wakeup(),
      [],
      false,
    );
    expect(pictures.at(-1)).toMatch(/^(?:.*\n)*.*\bend\b/);
    expect(pictures.at(-1)).toContain('f19');
  });
});
