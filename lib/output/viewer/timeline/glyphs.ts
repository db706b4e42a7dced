/** A sign for each kind of row, of characters that no system draws as pictures. */
import type { TreeRowKind } from '../../page/page.ts';

export const GLYPHS: Partial<Record<TreeRowKind, string>> = {
  turn: '◉',
  step: '○',
  prompt: '»',
  steer: '»',
  text: '¶',
  thinking: '∴',
  plan: '☰',
  'tool-call': '■',
  'client-call': '□',
  approval: '?',
  question: '?',
  hook: '⊢',
  subagent: '◈',
  'turn-begin': '◇',
  cancel: '×',
  error: '×',
  compaction: '⇲',
  usage: '∑',
  log: '≡',
  noise: '≈',
  process: '•',
  handshake: '⇄',
  mode: '⇄',
};
