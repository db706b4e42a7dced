/** Commands that need more than a line. */
import { COMMAND_WORDS } from './command-words.ts';
import type { Shell } from './shell.ts';

const THEMES = ['system', 'light', 'dark'] as const;

export function nextTheme(app: Shell): void {
  const theme = THEMES[(THEMES.indexOf(app.state.value.theme) + 1) % THEMES.length]!;
  app.prefer({ theme });
  app.tell(app.words(COMMAND_WORDS).said.theme[theme]);
}

export function toggleBookmark(app: Shell): void {
  const { said } = app.words(COMMAND_WORDS);
  const { f, bookmarks } = app.state.value;
  if (f === null) return app.tell(said.nothing);
  const isSet = bookmarks.includes(f);
  app.state.set({ bookmarks: isSet ? bookmarks.filter((one) => one !== f) : [...bookmarks, f].sort((a, b) => a - b) });
  app.tell(isSet ? said.unbookmarked(f) : said.bookmarked(f));
}

export function toggleMark(app: Shell): void {
  const { said } = app.words(COMMAND_WORDS);
  const { f, marked } = app.state.value;
  if (f === null) return app.tell(said.nothing);
  app.state.set({ marked: marked === f ? null : f });
  app.tell(marked === f ? said.unmarked : said.marked(f));
}

/** The line itself, not what a parser made of it. */
export async function copyJson(app: Shell): Promise<void> {
  const { said } = app.words(COMMAND_WORDS);
  const { f } = app.state.value;
  if (f === null) return app.tell(said.nothing);
  const { frame } = await app.source.line(f);
  app.copy(new TextDecoder().decode(frame.raw), said.line);
}
