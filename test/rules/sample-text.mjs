/** Texts that a regular expression matches, made at random: what a rule of a rule set would find. */

const range = (from, to) =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, i) =>
    String.fromCharCode(from.charCodeAt(0) + i),
  );
const DIGITS = range('0', '9');
const LETTERS = [...range('a', 'z'), ...range('A', 'Z')];
const WORD = [...LETTERS, ...DIGITS];
const CLASSES = { d: DIGITS, w: [...WORD, '_'], s: [' '], D: LETTERS, W: [' '], S: WORD };
/** No expression without an upper limit is repeated more often than that beyond its lower one. */
const MORE = 12;

/** Numbers from 0 to 1 that are the same in every run. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The whole text, and what its first group with a number holds; null if the source has something that is not known here. */
export function sampleOf(source, random) {
  const maker = new SampleMaker(source, random);
  try {
    const text = maker.alternatives();
    return maker.at < source.length ? null : { text, secret: maker.first ?? text };
  } catch (error) {
    if (error instanceof UnknownSyntax) return null;
    throw error;
  }
}

class UnknownSyntax extends Error {}

class SampleMaker {
  at = 0;
  first = null;

  constructor(source, random) {
    this.source = source;
    this.random = random;
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** All alternatives are read, one is chosen. */
  alternatives() {
    const all = [this.sequence()];
    while (this.source[this.at] === '|') {
      this.at++;
      all.push(this.sequence());
    }
    return this.pick(all);
  }

  sequence() {
    let text = '';
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at])) text += this.repeated();
    return text;
  }

  repeated() {
    const start = this.at;
    let text = this.one();
    const end = this.at;
    const [low, high] = this.times();
    const after = this.at;
    const count = low + Math.floor(this.random() * (Math.min(high, low + MORE) - low + 1));
    if (count === 0) return '';
    for (let i = 1; i < count; i++) {
      this.at = start;
      text += this.one();
      if (this.at !== end) throw new UnknownSyntax();
    }
    this.at = after;
    return text;
  }

  times() {
    const [, sign, low, comma, high] = /^(?:([?*+])|\{(\d+)(,?)(\d*)\})/.exec(this.source.slice(this.at)) ?? [];
    if (sign === undefined && low === undefined) return [1, 1];
    this.at += sign ? 1 : this.source.slice(this.at).indexOf('}') + 1;
    const isLazy = '?+'.includes(this.source[this.at] ?? ' ');
    if (isLazy) this.at++;
    if (sign) return sign === '?' ? [0, isLazy ? 0 : 1] : [sign === '+' ? 1 : 0, isLazy ? Number(sign === '+') : MORE];
    const from = Number(low);
    return [from, comma === '' || (isLazy && from === 0) ? from : high === '' ? from + MORE : Number(high)];
  }

  one() {
    const c = this.source[this.at++];
    if (c === '(') return this.group();
    if (c === '[') return this.pick(this.characters());
    if (c === '\\') return this.escaped();
    if (c === '.') return this.pick(WORD);
    return c === '^' || c === '$' ? '' : c;
  }

  group() {
    const [opening, name] = /^\?(?:P?<(\w+)>|[a-zA-Z-]*:|[a-zA-Z-]+\)|<?[=!])|^/.exec(this.source.slice(this.at));
    this.at += opening.length;
    if (/^\?[a-zA-Z-]+\)$/.test(opening)) return '';
    const isNumbered = opening === '' || name !== undefined;
    const text = this.alternatives();
    this.at++;
    if (/^\?<?[=!]/.test(opening)) return '';
    if (isNumbered && this.first === null) this.first = text;
    return text;
  }

  escaped() {
    const c = this.source[this.at++];
    if (c === 'x') {
      const [written, hex] = /^\{?([0-9a-fA-F]{2})\}?/.exec(this.source.slice(this.at));
      this.at += written.length;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    if (CLASSES[c]) return this.pick(CLASSES[c]);
    if ('bBAz'.includes(c)) return '';
    return { n: '\n', r: '\r', t: '\t' }[c] ?? c;
  }

  characters() {
    const isNegated = this.source[this.at] === '^';
    if (isNegated) this.at++;
    const all = [];
    for (let isFirst = true; this.source[this.at] !== ']' || isFirst; isFirst = false) {
      const named = /^\[:(alnum|alpha|digit):\]/.exec(this.source.slice(this.at));
      if (named) {
        all.push(...{ alnum: WORD, alpha: LETTERS, digit: DIGITS }[named[1]]);
        this.at += named[0].length;
        continue;
      }
      const set = this.inClass();
      const isRange = set.length === 1 && this.source[this.at] === '-' && this.source[this.at + 1] !== ']';
      if (!isRange) all.push(...set);
      else {
        this.at++;
        all.push(...range(set[0], this.inClass()[0]));
      }
    }
    this.at++;
    if (!isNegated) return all;
    const others = WORD.filter((c) => !all.includes(c));
    return others.length > 0 ? others : ['!'];
  }

  inClass() {
    const c = this.source[this.at++];
    if (c !== '\\') return [c];
    const escaped = this.source[this.at];
    if (CLASSES[escaped]) {
      this.at++;
      return CLASSES[escaped];
    }
    return [this.escaped()];
  }
}
