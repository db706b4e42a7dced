/**
 * The words of a report, in the languages of the projects that it is sent to. What `why` and `check` print is quoted in
 * English.
 */
import { EN, type ReportWords } from './en.ts';
import { ZH } from './zh.ts';

export type { ReportWords };

export type ReportLanguage = 'en' | 'zh';

export const WORDS: Record<ReportLanguage, ReportWords> = { en: EN, zh: ZH };
