/** Keys that are pressed while no text field has the focus: first to the view in sight, then to the details and the shell. */
import type { View } from '../app.ts';
import { commandOf, isPrefix } from './commands.ts';
import type { Shell } from './shell.ts';

/** Letters that mean the same as other keys in every view, for views that know only the others. */
const SAME: Record<string, string> = { j: 'ArrowDown', k: 'ArrowUp', h: 'ArrowLeft', l: 'ArrowRight', G: 'End' };

/** These work while the user types. */
const ANYWHERE = ['F6', 'Shift+F6', 'Ctrl+k'];

interface Panes {
  readonly view: View | null;
  readonly detail: View | null;
}

export function listenForKeys(app: Shell, panes: () => Panes): void {
  let before = '';
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    const key = nameOf(event);
    if (key === null || (isTyping(event) && !ANYWHERE.includes(key)) || (isLetter(key) && !app.settings.letters))
      return;
    const sequence = before === '' ? key : `${before} ${key}`;
    const isSecond = before !== '';
    before = '';
    if (take(app, panes(), event, sequence, isSecond)) event.preventDefault();
    else if (!isSecond && isPrefix(key)) before = key;
  });
}

function take(app: Shell, { view, detail }: Panes, event: KeyboardEvent, sequence: string, isSecond: boolean): boolean {
  if (sequence === 'g g') return pressed(view, event, 'Home');
  if (isNative(event)) return false;
  const isOwn = (one: View | null) => one?.key?.(event, sequence) ?? false;
  if ((!isSecond && !isScrolling(event) && isOwn(view)) || isOwn(detail)) return true;
  const command = isScrolling(event) ? undefined : commandOf(sequence);
  if (command) {
    command(app);
    return true;
  }
  if (isSecond) return detail?.key?.(event, sequence) ?? false;
  const same = SAME[sequence];
  return same !== undefined && pressed(view, event, same);
}

/** As if another key had been pressed in the view. */
function pressed(view: View | null, { shiftKey }: KeyboardEvent, key: string): boolean {
  const event = new KeyboardEvent('keydown', { key, shiftKey: key !== 'End' && shiftKey, cancelable: true });
  return view?.key?.(event, key) ?? false;
}

/** `j`, `Shift+F6`, `Ctrl+k`; null: a chord that belongs to the browser. */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'Ctrl+k';
  if (ctrlKey || metaKey || altKey) return null;
  if (['Shift', 'Control', 'Alt', 'Meta'].includes(key)) return null;
  const name = key === ' ' ? 'Space' : key;
  return shiftKey && name.length > 1 ? `Shift+${name}` : name;
}

/** Keys that screen readers and speech input may type by accident. */
function isLetter(key: string): boolean {
  return key.length === 1;
}

/** A text field has the keys. */
function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

const SCROLLING = [
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  'PageDown',
  'PageUp',
  'Home',
  'End',
  ' ',
  'Enter',
];

/** In the details and the header, these keys do what they do in every page. */
function isScrolling({ target, key }: KeyboardEvent): boolean {
  return SCROLLING.includes(key) && target instanceof Element && target.closest('.shell-detail, .shell-top') !== null;
}

/** A button or a tab is pressed with Enter and Space. */
function isNative({ target, key }: KeyboardEvent): boolean {
  if (key !== 'Enter' && key !== ' ') return false;
  return (
    target instanceof Element && target.closest('button, summary, [role=tab], [role=menuitem], [role=option]') !== null
  );
}
