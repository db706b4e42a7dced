/**
 * What keys do: the one table that keys, the help and the palette are made of. A command without `run` is done by the view
 * in sight or the detail pane, which see every key first.
 */
import { VIEWS } from '../app.ts';
import { copyJson, nextTheme, toggleBookmark, toggleMark } from './actions.ts';
import { COMMAND_WORDS, type CommandName } from './command-words.ts';
import { jumpToError, jumpToHit, jumpToPair, jumpToParent, jumpToRow } from './jumps.ts';
import type { Shell } from './shell.ts';

export const GROUPS = ['move', 'jump', 'filter', 'show', 'copy', 'page'] as const;

export interface Command {
  name: CommandName;
  group: (typeof GROUPS)[number];
  /** As `KeyboardEvent.key`, with `Ctrl+` or `Shift+` before it; two keys in a row with a space between them. */
  keys: readonly string[];
  run?: (app: Shell) => void;
  /** Also in the palette. */
  isListed?: true;
}

const showNotice = (app: Shell, name: 'noMore' | 'noPair' | 'noParent' | 'noMatch') =>
  app.notify(app.words(COMMAND_WORDS).notices[name]);
const sure = (app: Shell, isDone: boolean, otherwise: 'noMore' | 'noPair' | 'noParent' | 'noMatch') => {
  if (!isDone) showNotice(app, otherwise);
};

const rowJump =
  (sort: 'turn' | 'approval' | 'finding', step: 1 | -1) =>
  (app: Shell): void =>
    sure(app, jumpToRow(app, sort, step), 'noMore');

const errorJump =
  (step: 1 | -1) =>
  (app: Shell): void =>
    void jumpToError(app, step).then((isDone) => sure(app, isDone, 'noMore'));

const hitJump =
  (step: 1 | -1) =>
  (app: Shell): void => {
    const { hits } = app.state.value;
    sure(app, hits !== null && jumpToHit(app, hits, step), 'noMatch');
  };

function openDetail(app: Shell): void {
  if (app.controls.isDetailShown) app.controls.focus('detail');
  else app.controls.showDetail(true);
}

/** The views that this page has, in the order of their tabs and keys. */
export function viewsOf(app: Shell): (typeof VIEWS)[number][] {
  return VIEWS.filter((name) => name !== 'diff' || app.sources.length > 1);
}

const showView =
  (index: number) =>
  (app: Shell): void => {
    const view = viewsOf(app)[index];
    if (!view) return;
    app.state.set({ view });
    app.controls.focus('view');
  };

// biome-ignore format: a line each
export const COMMANDS: readonly Command[] = [
  { name: 'down', group: 'move', keys: ['j', 'ArrowDown'] },
  { name: 'up', group: 'move', keys: ['k', 'ArrowUp'] },
  { name: 'left', group: 'move', keys: ['h', 'ArrowLeft'] },
  { name: 'right', group: 'move', keys: ['l', 'ArrowRight'] },
  { name: 'pageDown', group: 'move', keys: ['Space', 'PageDown'] },
  { name: 'pageUp', group: 'move', keys: ['Shift+Space', 'PageUp'] },
  { name: 'first', group: 'move', keys: ['g g', 'Home'] },
  { name: 'last', group: 'move', keys: ['G', 'End'] },
  { name: 'open', group: 'move', keys: ['Enter'], run: openDetail },
  { name: 'levels', group: 'move', keys: ['[', ']'] },
  { name: 'level', group: 'move', keys: ['o', 'p'] },
  { name: 'nextError', group: 'jump', keys: ['e'], run: errorJump(1), isListed: true },
  { name: 'lastError', group: 'jump', keys: ['E'], run: errorJump(-1) },
  { name: 'nextApproval', group: 'jump', keys: ['a'], run: rowJump('approval', 1), isListed: true },
  { name: 'lastApproval', group: 'jump', keys: ['A'], run: rowJump('approval', -1) },
  { name: 'nextTurn', group: 'jump', keys: ['t'], run: rowJump('turn', 1), isListed: true },
  { name: 'lastTurn', group: 'jump', keys: ['T'], run: rowJump('turn', -1) },
  { name: 'nextFinding', group: 'jump', keys: ['f'], run: rowJump('finding', 1), isListed: true },
  { name: 'lastFinding', group: 'jump', keys: ['F'], run: rowJump('finding', -1) },
  { name: 'pair', group: 'jump', keys: ['x'], run: (app) => void jumpToPair(app).then((isDone) => sure(app, isDone, 'noPair')), isListed: true },
  { name: 'parent', group: 'jump', keys: ['u'], run: (app) => sure(app, jumpToParent(app), 'noParent') },
  { name: 'goTo', group: 'jump', keys: [':'], run: (app) => app.controls.palette(':'), isListed: true },
  { name: 'query', group: 'filter', keys: ['/'], run: (app) => app.controls.focus('query'), isListed: true },
  { name: 'clear', group: 'filter', keys: ['Escape'] },
  { name: 'nextMatch', group: 'filter', keys: ['n'], run: hitJump(1) },
  { name: 'lastMatch', group: 'filter', keys: ['N'], run: hitJump(-1) },
  { name: 'dim', group: 'filter', keys: ['i'], run: (app) => app.prefer({ dim: !app.state.value.dim }), isListed: true },
  { name: 'zoom', group: 'show', keys: ['+', '-', '0'] },
  { name: 'zoomTo', group: 'show', keys: ['z'] },
  { name: 'pan', group: 'show', keys: ['w', 'a', 's', 'd'] },
  { name: 'views', group: 'show', keys: ['1–7'] },
  { name: 'raw', group: 'show', keys: ['r'] },
  { name: 'mark', group: 'show', keys: ['m'], run: toggleMark },
  { name: 'compare', group: 'show', keys: ['d'] },
  { name: 'detail', group: 'show', keys: ['v'], run: (app) => app.controls.showDetail(!app.controls.isDetailShown), isListed: true },
  { name: 'copyLink', group: 'copy', keys: ['y l'], run: (app) => app.copy(app.link(), app.words(COMMAND_WORDS).notices.link), isListed: true },
  { name: 'copyJson', group: 'copy', keys: ['y j'], run: copyJson, isListed: true },
  { name: 'copyPath', group: 'copy', keys: ['y p'] },
  { name: 'copyMarkdown', group: 'copy', keys: ['y m'] },
  { name: 'bookmark', group: 'copy', keys: ['b'], run: toggleBookmark, isListed: true },
  { name: 'download', group: 'copy', keys: [], run: (app) => app.controls.download(), isListed: true },
  { name: 'palette', group: 'page', keys: ['Ctrl+k'], run: (app) => app.controls.palette('') },
  { name: 'cycle', group: 'page', keys: ['F6'], run: (app) => app.controls.cycle(1) },
  { name: 'cycleBack', group: 'page', keys: ['Shift+F6'], run: (app) => app.controls.cycle(-1) },
  { name: 'theme', group: 'page', keys: [], run: nextTheme, isListed: true },
  { name: 'language', group: 'page', keys: [], run: (app) => app.prefer({ language: app.state.value.language === 'en' ? 'zh' : 'en' }), isListed: true },
  { name: 'help', group: 'page', keys: ['?'], run: (app) => app.controls.help(), isListed: true },
];

/** The command of a key, or of two keys in a row; undefined: nothing of the shell's. */
export function commandOf(keys: string): ((app: Shell) => void) | undefined {
  if (/^[1-7]$/.test(keys)) return showView(Number(keys) - 1);
  return COMMANDS.find((command) => command.keys.includes(keys))?.run;
}

/** Whether a second key is to follow. */
export function isPrefix(key: string): boolean {
  return COMMANDS.some(({ keys }) => keys.some((one) => one.startsWith(`${key} `)));
}
