/** What the page of a review says, in two languages. */
import type { ReportLanguage } from '../report/words.ts';
import { REVIEW_EN } from './review-en.ts';
import { REVIEW_ZH } from './review-zh.ts';

export interface ReviewWords {
  title: string;
  private: string;
  about: (session: string, frames: number) => string;
  kept: string;
  keptNone: string;
  keptHow: string;
  replaced: string;
  replacedNone: string;
  replacedHow: string;
  characters: (n: number) => string;
  places: (n: number) => string;
  beside: string;
  noContext: string;
  noPattern: string;
  more: (n: number) => string;
  /** Names of kinds. Others are shown by their identifiers. */
  kinds: Record<string, string>;
}

export const REVIEW_WORDS: Record<ReportLanguage, ReviewWords> = { en: REVIEW_EN, zh: REVIEW_ZH };
