/** Users whose names a command printed alone, as `whoami` does. */
import type { Event } from '../../model/event.ts';
import type { Literal } from './detector.ts';
import { literalsOfUser } from './whereabouts.ts';

/** The command, in arguments that may be the JSON of them: alone, or the last one of a line. */
const ASKS =
  /(?:^|[\s"'`;&|(])(?:whoami|logname|id -un|echo \\{0,3}"?\$\{?(?:USER|LOGNAME|USERNAME)\}?\\{0,3}"?)\s*(?:[\\"'`})\]]|$)/;
/** Longer arguments do more than that. */
const LONGEST = 400;
const MOST = 1000;
const NAME = /^\s*([^\s/\\:]{2,32})\s*$/;

export class ToldUsers {
  readonly #asked = new Set<string>();

  /** The name that an answer gives. */
  in(event: Event): readonly Literal[] {
    if (event.kind === 'tool-call' || event.kind === 'tool-args') {
      const args = ('args' in event ? event.args : null) ?? event.subject?.command ?? '';
      if (event.call !== null && args.length <= LONGEST && this.#asked.size < MOST && ASKS.test(args))
        this.#asked.add(event.call);
    }
    if (event.kind !== 'tool-result' || event.call === null || !this.#asked.has(event.call)) return [];
    const texts = event.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return literalsOfUser(NAME.exec(texts.join(''))?.[1]);
  }
}
