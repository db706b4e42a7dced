/** The keys of `play`: what each does, in the order of the help. */

export type PlayAction =
  | 'toggle'
  | 'forward'
  | 'back'
  | 'next-turn'
  | 'last-turn'
  | 'next-ask'
  | 'last-ask'
  | 'faster'
  | 'slower'
  | 'search'
  | 'next-match'
  | 'last-match'
  | 'start'
  | 'end'
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'full'
  | 'help'
  | 'quit';

interface KeyLine {
  /** As the help shows them. */
  keys: string;
  does: string;
  /** The names of the keys. */
  actions: Partial<Record<PlayAction, readonly string[]>>;
}

export const KEY_LINES: readonly KeyLine[] = [
  { keys: 'space', does: 'pause, or continue', actions: { toggle: [' ', 'p'] } },
  {
    keys: '→ ←',
    does: 'one frame forward, or back',
    actions: { forward: ['right', 'l', '.'], back: ['left', 'h', ','] },
  },
  { keys: 't T', does: 'to the next turn, or the one before', actions: { 'next-turn': ['t'], 'last-turn': ['T'] } },
  {
    keys: 'a A',
    does: 'to the next approval or question, or the one before',
    actions: { 'next-ask': ['a'], 'last-ask': ['A'] },
  },
  { keys: '+ -', does: 'faster, or slower', actions: { faster: ['+', '=', ']'], slower: ['-', '_', '['] } },
  { keys: '/', does: 'search: a query as for wiretape filter', actions: { search: ['/'] } },
  { keys: 'n N', does: 'to the next match, or the one before', actions: { 'next-match': ['n'], 'last-match': ['N'] } },
  {
    keys: 'g G',
    does: 'to the start, or to the end',
    actions: { start: ['g', 'home'], end: ['G', 'end'] },
  },
  {
    keys: '↑ ↓ PgUp PgDn',
    does: 'scroll',
    actions: { up: ['up', 'k'], down: ['down', 'j'], 'page-up': ['pageup', 'b'], 'page-down': ['pagedown'] },
  },
  { keys: 'f', does: 'show long results in full, or shortened', actions: { full: ['f'] } },
  { keys: '?', does: 'this help', actions: { help: ['?'] } },
  { keys: 'q', does: 'quit', actions: { quit: ['q', 'Q'] } },
];

const ACTIONS = new Map(
  KEY_LINES.flatMap(({ actions }) =>
    Object.entries(actions).flatMap(([action, names]) =>
      names.map((name): [string, PlayAction] => [name, action as PlayAction]),
    ),
  ),
);

export function actionOf(key: string): PlayAction | null {
  return ACTIONS.get(key) ?? null;
}

/** The keys and what they do, in two columns. */
export function keyLines(): string[] {
  return KEY_LINES.map(({ keys, does }) => `${keys.padEnd(15)}${does}`);
}
