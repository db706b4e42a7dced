/** Commands that need more than a line. */
import { COMMAND_WORDS } from './command-words.ts';
import type { Shell } from './shell.ts';

const THEMES = ['system', 'light', 'dark'] as const;

export function nextTheme(app: Shell): void {
  const theme = THEMES[(THEMES.indexOf(app.state.value.theme) + 1) % THEMES.length]!;
  app.prefer({ theme });
  app.notify(app.words(COMMAND_WORDS).notices.theme[theme]);
}

export function toggleBookmark(app: Shell): void {
  const { notices } = app.words(COMMAND_WORDS);
  const { f, bookmarks } = app.state.value;
  if (f === null) return app.notify(notices.nothing);
  const isSet = bookmarks.includes(f);
  app.state.set({ bookmarks: isSet ? bookmarks.filter((one) => one !== f) : [...bookmarks, f].sort((a, b) => a - b) });
  app.notify(isSet ? notices.unbookmarked(f) : notices.bookmarked(f));
}

export function toggleMark(app: Shell): void {
  const { notices } = app.words(COMMAND_WORDS);
  const { f, marked } = app.state.value;
  if (f === null) return app.notify(notices.nothing);
  app.state.set({ marked: marked === f ? null : f });
  app.notify(marked === f ? notices.unmarked : notices.marked(f));
}

/** The line itself, not what a parser made of it. */
export async function copyJson(app: Shell): Promise<void> {
  const { notices } = app.words(COMMAND_WORDS);
  const { f } = app.state.value;
  if (f === null) return app.notify(notices.nothing);
  const { frame } = await app.source.line(f);
  app.copy(new TextDecoder().decode(frame.raw), notices.line);
}
