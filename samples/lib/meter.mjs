// Token usage made up from the length of what is said: plausible, growing, and the same in every run.

import { hex } from './payloads.mjs';

const MAX_CONTEXT = 262144;
const CHARACTERS_PER_TOKEN = 4;

export class ContextMeter {
  #cached = 0;
  #fresh = 1850;
  #said = 0;

  /** Text that the model writes in this step. */
  said(words) {
    this.#said += tokens(words);
  }

  /** Text that the model will read in the next step. */
  read(words) {
    this.#fresh += tokens(words);
  }

  /** Compaction: the context shrinks to a summary. */
  compact() {
    this.#cached = 0;
    this.#fresh = 600;
  }

  /** The StatusUpdate fields at the end of a step; `usage` replaces the made-up numbers, null says none. */
  endStep(usage) {
    if (usage === null) return {};
    const token_usage = {
      input_other: this.#fresh,
      output: this.#said,
      input_cache_read: this.#cached,
      input_cache_creation: 0,
      ...usage,
    };
    const context = token_usage.input_other + token_usage.input_cache_read + token_usage.input_cache_creation;
    this.#cached = context;
    this.#fresh = token_usage.output;
    this.#said = 0;
    return { ...contextFields(context), token_usage, message_id: `chatcmpl-${hex(12)}` };
  }

  /** The StatusUpdate fields that tell the context's size alone. */
  context() {
    return contextFields(this.#cached + this.#fresh);
  }
}

function contextFields(context) {
  return {
    context_usage: Number((context / MAX_CONTEXT).toFixed(6)),
    context_tokens: context,
    max_context_tokens: MAX_CONTEXT,
  };
}

function tokens(words) {
  return Math.ceil(words.length / CHARACTERS_PER_TOKEN);
}
