/** What the reader prefers, kept from one page to the next where the browser allows it; a page from a disk may not. */

export interface Settings {
  theme: 'system' | 'light' | 'dark';
  language: 'en' | 'zh' | null;
  /** Keys that are one letter do something. */
  letters: boolean;
  dim: boolean;
  /** The width of the detail pane, as a share of the window. */
  detail: number;
  isDetailShown: boolean;
}

const STORAGE_KEY = 'wiretape';
const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  language: null,
  letters: true,
  dim: false,
  detail: 0.36,
  isDetailShown: true,
};

export function loadSettings(): Settings {
  try {
    return settingsIn(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'));
  } catch {
    return { ...DEFAULT_SETTINGS };
  }
}

/** Takes only valid settings: other pages of this origin share the storage. */
export function settingsIn(kept: unknown): Settings {
  const { theme, language, letters, dim, detail, isDetailShown } = Object(kept) as Record<string, unknown>;
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : DEFAULT_SETTINGS.theme,
    language: language === 'en' || language === 'zh' ? language : DEFAULT_SETTINGS.language,
    letters: letters !== false,
    dim: dim === true,
    detail: typeof detail === 'number' && detail >= 0.15 && detail <= 0.8 ? detail : DEFAULT_SETTINGS.detail,
    isDetailShown: isDetailShown !== false,
  };
}

/** What the reader chose, else the language of the browser. */
export function firstLanguage(): 'en' | 'zh' {
  return loadSettings().language ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en');
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
  } catch {
    // The page works without: the choice holds as long as the page is open.
  }
}
