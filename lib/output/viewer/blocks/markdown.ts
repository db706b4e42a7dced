/**
 * Markdown as a small tree, which becomes elements without any HTML in between: headings, lists, code, emphasis, quotes,
 * tables and rules. Links and images keep their address in sight. Everything else is text. Line breaks stay, since
 * agents mean them. The work is linear, and nesting and the number of nodes are bounded: what is beyond is text.
 */

export type Inline =
  | { is: 'text' | 'code'; text: string }
  | { is: 'strong' | 'em' | 'del'; of: Inline[] }
  | { is: 'link' | 'image'; text: string; url: string };

export type MarkdownNode =
  | { is: 'heading'; level: number; of: Inline[] }
  | { is: 'paragraph'; of: Inline[] }
  | { is: 'code'; language: string; text: string }
  | { is: 'list'; first: number | null; items: MarkdownNode[][] }
  | { is: 'quote'; of: MarkdownNode[] }
  | { is: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { is: 'rule' };

const MAX_DEPTH = 8;
const MAX_INLINE_DEPTH = 5;
const MAX_NODES = 20_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +|\t|$)/;
const DIVIDER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function markdown(text: string): MarkdownNode[] {
  return new Reader().blocks(text.replaceAll('\r\n', '\n').split('\n'), 0);
}

class Reader {
  #nodes = 0;

  blocks(lines: readonly string[], depth: number): MarkdownNode[] {
    const out: MarkdownNode[] = [];
    let plain: string[] = [];
    const flush = () => {
      if (plain.length > 0) out.push(this.#node({ is: 'paragraph', of: this.inlines(plain.join('\n')) }));
      plain = [];
    };
    for (let i = 0; i < lines.length; ) {
      const line = lines[i]!;
      const isFull = this.#nodes > MAX_NODES || depth > MAX_DEPTH;
      const [node, next] = isFull ? [null, i] : this.#special(lines, i, depth, plain.length > 0);
      if (node) {
        flush();
        out.push(this.#node(node));
        i = next;
        continue;
      }
      if (line.trim() === '' && !isFull) flush();
      else plain.push(line);
      i++;
    }
    flush();
    return out;
  }

  #node(node: MarkdownNode): MarkdownNode {
    this.#nodes++;
    return node;
  }

  /** What begins at a line, if it is not a paragraph, and the line after it. */
  #special(lines: readonly string[], at: number, depth: number, isInText: boolean): [MarkdownNode | null, number] {
    const line = lines[at]!;
    const fence = FENCE.exec(line);
    if (fence) return code(lines, at, fence);
    const heading = HEADING.exec(line);
    if (heading) return [{ is: 'heading', level: heading[1]!.length, of: this.inlines(heading[2] ?? '') }, at + 1];
    if (RULE.test(line)) return [{ is: 'rule' }, at + 1];
    if (QUOTE.test(line)) return this.#quote(lines, at, depth);
    const item = ITEM.exec(line);
    // A number in the middle of a paragraph is part of it, unless a list can begin there.
    if (item && item[1]!.length < 4 && !(isInText && /^\d/.test(item[2]!) && !/^1[.)]/.test(item[2]!)))
      return this.#list(lines, at, depth);
    if (line.includes('|') && DIVIDER.test(lines[at + 1] ?? '') && lines[at + 1]!.includes('|'))
      return this.#table(lines, at);
    return [null, at];
  }

  #quote(lines: readonly string[], at: number, depth: number): [MarkdownNode, number] {
    let end = at;
    while (end < lines.length && QUOTE.test(lines[end]!)) end++;
    const inside = lines.slice(at, end).map((line) => line.replace(QUOTE, ''));
    return [{ is: 'quote', of: this.blocks(inside, depth + 1) }, end];
  }

  #list(lines: readonly string[], at: number, depth: number): [MarkdownNode, number] {
    const first = ITEM.exec(lines[at]!)!;
    const isOrdered = /^\d/.test(first[2]!);
    const items: MarkdownNode[][] = [];
    let i = at;
    while (i < lines.length) {
      const item = ITEM.exec(lines[i]!);
      if (!item || item[1]!.length > first[1]!.length + 3 || /^\d/.test(item[2]!) !== isOrdered || RULE.test(lines[i]!))
        break;
      const [inside, next] = itemLines(lines, i, item);
      items.push(this.blocks(inside, depth + 1));
      i = next;
    }
    return [{ is: 'list', first: isOrdered ? Number.parseInt(first[2]!, 10) : null, items }, i];
  }

  #table(lines: readonly string[], at: number): [MarkdownNode, number] {
    const head = cellsOf(lines[at]!);
    const rows: Inline[][][] = [];
    let i = at + 2;
    for (; i < lines.length && lines[i]!.includes('|') && this.#nodes < MAX_NODES; i++) {
      const cells = cellsOf(lines[i]!);
      rows.push(cells.map((cell) => this.inlines(cell)));
      this.#nodes += cells.length;
    }
    return [{ is: 'table', head: head.map((cell) => this.inlines(cell)), rows }, i];
  }

  inlines(text: string, depth = 0): Inline[] {
    if (depth > MAX_INLINE_DEPTH || this.#nodes > MAX_NODES) return text === '' ? [] : [{ is: 'text', text }];
    const out: Inline[] = [];
    let plain = '';
    /** Marks of which no second one is left. */
    const lone = new Set<string>();
    let i = 0;
    while (i < text.length) {
      const c = text[i]!;
      if (c === '\\' && /[!-/:-@[-`{-~]/.test(text[i + 1] ?? '')) {
        plain += text[i + 1];
        i += 2;
        continue;
      }
      const found = '`*_~[!'.includes(c) ? this.#inline(text, i, depth, lone) : null;
      if (!found) {
        // Two marks are not taken for one and another.
        const length = '*_~'.includes(c) && text[i + 1] === c ? 2 : 1;
        plain += text.slice(i, i + length);
        i += length;
        continue;
      }
      if (plain !== '') out.push({ is: 'text', text: plain });
      plain = '';
      out.push(found[0]);
      this.#nodes++;
      i = found[1];
    }
    if (plain !== '') out.push({ is: 'text', text: plain });
    return out;
  }

  #inline(text: string, at: number, depth: number, lone: Set<string>): [Inline, number] | null {
    const c = text[at]!;
    if (c === '`') return codeSpan(text, at, lone);
    if (c === '[' || c === '!') return link(text, at, lone);
    const mark = text[at + 1] === c ? c + c : c;
    if (mark === '~') return null;
    const end = closing(text, at, mark, lone);
    if (end < 0) return null;
    const of = this.inlines(text.slice(at + mark.length, end), depth + 1);
    return [{ is: c === '~' ? 'del' : mark.length === 2 ? 'strong' : 'em', of }, end + mark.length];
  }
}

function code(lines: readonly string[], at: number, fence: RegExpExecArray): [MarkdownNode, number] {
  const [, mark = '', language = ''] = fence;
  let end = at + 1;
  const isEnd = (line: string) => {
    const trimmed = line.trim();
    return trimmed.length >= mark.length && trimmed.startsWith(mark) && /^(?:`+|~+)$/.test(trimmed);
  };
  while (end < lines.length && !isEnd(lines[end]!)) end++;
  return [{ is: 'code', language, text: lines.slice(at + 1, end).join('\n') }, end + 1];
}

/** The lines of an item without its mark and indent. */
function itemLines(lines: readonly string[], at: number, item: RegExpExecArray): [string[], number] {
  const indent = item[0].length;
  const inside = [lines[at]!.slice(indent)];
  let i = at + 1;
  let isFenced = FENCE.test(inside[0]!);
  for (; i < lines.length; i++) {
    const line = lines[i]!;
    const own = line.length - line.trimStart().length;
    const isInside = own >= Math.min(indent, item[1]!.length + 2);
    if (line.trim() === '') {
      // A blank line ends the item if what follows is not indented.
      const next = lines.slice(i + 1, i + 4).find((one) => one.trim() !== '');
      if (next === undefined || next.length - next.trimStart().length < Math.min(indent, item[1]!.length + 2)) break;
    } else if (!isInside && (isFenced || ITEM.test(line) || FENCE.test(line) || HEADING.test(line) || QUOTE.test(line)))
      break;
    const bare = isInside ? line.slice(Math.min(own, indent)) : line;
    if (FENCE.test(bare)) isFenced = !isFenced;
    inside.push(bare);
  }
  while (i < lines.length && lines[i]!.trim() === '' && ITEM.test(lines[i + 1] ?? '')) i++;
  return [inside, i];
}

function cellsOf(line: string): string[] {
  const bare = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return bare.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function codeSpan(text: string, at: number, lone: Set<string>): [Inline, number] | null {
  let length = 1;
  while (text[at + length] === '`') length++;
  const mark = '`'.repeat(Math.min(length, 16));
  if (length > 16 || lone.has(mark)) return null;
  let end = text.indexOf(mark, at + length);
  while (end >= 0 && (text[end + length] === '`' || text[end - 1] === '`')) {
    let next = end;
    while (text[next] === '`') next++;
    end = text.indexOf(mark, next);
  }
  if (end < 0) {
    lone.add(mark);
    return null;
  }
  const inside = text.slice(at + length, end);
  const isPadded = /^ .*[^ ].* $/s.test(inside);
  return [{ is: 'code', text: isPadded ? inside.slice(1, -1) : inside }, end + length];
}

const MAX_LABEL_CHARS = 1000;
const MAX_URL_CHARS = 4000;

/** `[label](address)` or `![label](address)`. */
function link(text: string, at: number, lone: Set<string>): [Inline, number] | null {
  const isImage = text[at] === '!';
  const start = isImage ? at + 1 : at;
  if (text[start] !== '[' || lone.has('](')) return null;
  const middle = text.indexOf('](', start);
  if (middle < 0) {
    lone.add('](');
    return null;
  }
  const label = middle - start > MAX_LABEL_CHARS ? null : text.slice(start + 1, middle);
  if (label === null || (label.includes('[') && !label.includes(']'))) return null;
  const end = text.slice(middle, middle + MAX_URL_CHARS).indexOf(')');
  if (end < 0) return null;
  const url = text.slice(middle + 2, middle + end);
  return url.includes('\n') ? null : [{ is: isImage ? 'image' : 'link', text: label, url }, middle + end + 1];
}

const isWord = (c: string | undefined): boolean => c !== undefined && /[\p{L}\p{N}]/u.test(c);

/** Where the emphasis ends that begins here, or -1. */
function closing(text: string, at: number, mark: string, lone: Set<string>): number {
  const after = text[at + mark.length];
  if (lone.has(mark) || after === undefined || /\s/.test(after)) return -1;
  if (mark[0] === '_' && isWord(text[at - 1])) return -1;
  let end = text.indexOf(mark, at + mark.length);
  for (let tries = 0; end >= 0 && tries < 64; tries++) {
    const isRun = mark.length === 1 && text[end + 1] === mark;
    const isOpen = /\s/.test(text[end - 1]!) || (mark[0] === '_' && isWord(text[end + mark.length]));
    if (!isRun && !isOpen && end > at + mark.length) return end;
    end = text.indexOf(mark, end + (isRun ? 2 : 1));
  }
  if (end < 0) lone.add(mark);
  return -1;
}
