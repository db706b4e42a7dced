/** What the page of a review says in English. */
import { plural } from '../terminal/words.ts';
import type { ReviewWords } from './review-words.ts';

export const REVIEW_EN: ReviewWords = {
  title: 'Before you send it',
  private: 'For your own eyes. This page contains private data: do not send it.',
  about: (session, frames) => `Session ${session}, ${plural(frames, 'frame')}`,
  kept: 'Kept, although it looks private',
  keptNone: 'Nothing that was kept looks private.',
  keptHow:
    'These values are sent as they are. The most suspicious come first. Add the option to redact, report or export to replace a value, or --keep with the same pattern if it may be sent.',
  replaced: 'Replaced',
  replacedNone: 'Nothing was replaced.',
  replacedHow: 'Whoever receives the session sees the pseudonym. Add the option if the value should stay.',
  characters: (n) => plural(n, 'character'),
  places: (n) => plural(n, 'place'),
  beside: 'beside the frames',
  noContext: 'in encoded text or in numbers',
  noPattern: 'too short for a pattern of its first and last characters: write the value itself',
  more: (n) => `and ${n} more`,
  kinds: {
    'named-secret': 'behind the name of a secret',
    random: 'looks random',
    'email-like': 'like an e-mail address',
    'user-name': 'a user name',
    person: 'a person',
    'mac-address': 'MAC address',
    'public-address': 'public address',
    'host-name': 'host name',
    'phone-like': 'like a phone number',
    'card-like': 'like a card number',
    base64: 'base64 of something that is not text',
    hex: 'long hexadecimal number',
    id: 'id',
  },
};
