/** Keys that are pressed while no text field has the focus: first to the view in sight, then to the details and the shell. */
import type { View } from '../app.ts';
import { commandOf, isPrefix } from './commands.ts';
import type { Shell } from './shell.ts';

/** Letters that mean the same as other keys in every view, for views that know only the others. */
const SAME: Record<string, string> = { j: 'ArrowDown', k: 'ArrowUp', h: 'ArrowLeft', l: 'ArrowRight', G: 'End' };

interface Panes {
  readonly view: View | null;
  readonly detail: View | null;
}

export function listenForKeys(app: Shell, panes: () => Panes): void {
  let before = '';
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || isBusy(event)) return;
    const key = nameOf(event);
    if (key === null || (isLetter(key) && !app.settings.letters)) return;
    const sequence = before === '' ? key : `${before} ${key}`;
    const isSecond = before !== '';
    before = '';
    if (take(app, panes(), event, sequence, isSecond)) event.preventDefault();
    else if (!isSecond && isPrefix(key)) before = key;
  });
}

function take(app: Shell, { view, detail }: Panes, event: KeyboardEvent, sequence: string, isSecond: boolean): boolean {
  if (sequence === 'g g') return pressed(view, event, 'Home');
  if (!isSecond && !isNative(event) && (view?.key?.(event) || detail?.key?.(event))) return true;
  const command = commandOf(sequence);
  if (command && !(isNative(event) && (sequence === 'Enter' || sequence === 'Space'))) {
    command(app);
    return true;
  }
  const same = SAME[sequence];
  return same !== undefined && pressed(view, event, same);
}

/** As if another key had been pressed in the view. */
function pressed(view: View | null, { shiftKey }: KeyboardEvent, key: string): boolean {
  return (
    view?.key?.(new KeyboardEvent('keydown', { key, shiftKey: key !== 'End' && shiftKey, cancelable: true })) ?? false
  );
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

/** A text field or a dialog has the keys. */
function isBusy({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]')) return true;
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** A button or a tab is pressed with Enter and Space. */
function isNative({ target, key }: KeyboardEvent): boolean {
  if (key !== 'Enter' && key !== ' ') return false;
  return (
    target instanceof Element && target.closest('button, summary, [role=tab], [role=menuitem], [role=option]') !== null
  );
}
