/** The line in which a query is typed. */
import type { KeyPress } from '../terminal/keyboard.ts';

const MAX_QUERY_CHARS = 500;

export class SearchPrompt {
  /** What is typed; null while the prompt is closed. */
  typed: string | null = null;

  open(): void {
    this.typed = '';
  }

  close(): void {
    this.typed = null;
  }

  /** Returns what was typed when the Enter key is pressed. The line stays, because a query may have to be corrected. */
  press({ name, text }: KeyPress): string | null {
    const typed = this.typed ?? '';
    if (name === 'return' || name === 'enter') return typed.trim();
    if (name === 'escape' || (name === 'backspace' && typed === '')) this.close();
    else if (name === 'backspace') this.typed = [...typed].slice(0, -1).join('');
    else if (name === 'ctrl-u') this.typed = '';
    else if (name === 'ctrl-w') this.typed = typed.replace(/\S*\s*$/u, '');
    else if (typed.length < MAX_QUERY_CHARS) this.typed = typed + text;
    return null;
  }
}
