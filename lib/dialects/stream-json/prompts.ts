/** The client's prompts: those that wait, and that of the open turn. */
import { blocksOf } from '../common/content.ts';
import { objectOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

interface StreamPrompt {
  f: number;
  texts: string[];
}

export class StreamPrompts {
  #waiting: StreamPrompt[] = [];
  /** The frame of the prompt of the open turn; 0 if it is on the command line, null between turns. */
  open: number | null = null;
  #texts: string[] = [];

  add(f: number, texts: string[]): void {
    this.#waiting.push({ f, texts });
  }

  /** The oldest, which the agent takes up now; null if none waits. */
  take(): number | null {
    const taken = this.#waiting.shift();
    if (!taken) return null;
    this.open = taken.f;
    this.#texts = taken.texts;
    return taken.f;
  }

  /** The turn ends. Returns its prompt. */
  end(): number | null {
    const { open } = this;
    this.open = null;
    return open;
  }

  /**
   * The agent repeats what it took up. Returns the waiting prompts that are in it besides the one of the open turn; null if
   * that is not in it.
   */
  takeRepeated(texts: string[]): number[] | null {
    const left = [...texts];
    if (this.open === null || !removeTexts(left, this.#texts)) return null;
    const joined = this.#waiting.filter((prompt) => removeTexts(left, prompt.texts));
    this.#waiting = this.#waiting.filter((prompt) => !joined.includes(prompt));
    return joined.map(({ f }) => f);
  }
}

/** Removes these texts; false, and nothing is removed, if one is missing. */
function removeTexts(left: string[], texts: string[]): boolean {
  const remaining = [...left];
  for (const text of texts) {
    const at = remaining.indexOf(text);
    if (at < 0) return false;
    remaining.splice(at, 1);
  }
  if (texts.length > 0) left.splice(0, left.length, ...remaining);
  return texts.length > 0;
}

/** The texts of a user line. Claude ends each with a line feed where it joins them. */
export function textsOf({ message }: JsonObject): string[] {
  const blocks = blocksOf(objectOf(message).content);
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
}
