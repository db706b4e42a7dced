/** What is replaced, and what the pseudonyms of each kind are called. Every kind of `KEY_FORMATS` is a TOKEN. */

export const LABELS: Record<string, string> = {
  'private-key': 'KEY',
  secret: 'SECRET',
  password: 'PASSWORD',
  authorization: 'TOKEN',
  cookie: 'COOKIE',
  email: 'EMAIL',
  path: 'PATH',
  user: 'USER',
  host: 'HOST',
  address: 'ADDRESS',
  phone: 'PHONE',
  card: 'CARD',
  random: 'RANDOM',
  'id-number': 'ID',
  passport: 'ID',
  iban: 'ACCOUNT',
  literal: 'SECRET',
};

export function labelOf(kind: string): string {
  return (
    LABELS[kind] ??
    (kind.startsWith('rule:')
      ? kind
          .slice(5)
          .toUpperCase()
          .replace(/[^A-Z0-9]+/g, '_')
      : 'TOKEN')
  );
}

/** Something to replace: where it stands in a text. */
export interface Hit {
  kind: string;
  start: number;
  end: number;
  /** Where begins what tells that it is one: the name before a value. */
  from: number;
  /** Its form alone tells what it is, wherever it stands. */
  strong: boolean;
}
