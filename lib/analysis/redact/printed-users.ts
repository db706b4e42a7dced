/** Users whose names a command printed alone, as `whoami` does. */
import type { Event } from '../../model/event.ts';
import type { Literal } from './detector.ts';
import { literalsOfUser } from './machine-identity.ts';

/** The command, in arguments that may be the JSON of them: alone, or the last one of a line. */
const USER_COMMAND =
  /(?:^|[\s"'`;&|(])(?:whoami|logname|id -un|echo \\{0,3}"?\$\{?(?:USER|LOGNAME|USERNAME)\}?\\{0,3}"?)\s*(?:[\\"'`})\]]|$)/;
/** Longer arguments do more than that. */
const MAX_ARGS_CHARS = 400;
const MAX_CALLS = 1000;
const USER_NAME = /^\s*([^\s/\\:]{2,32})\s*$/;

export class PrintedUsers {
  readonly #userCalls = new Set<string>();

  /** The name that an answer gives. */
  usersIn(event: Event): readonly Literal[] {
    if (event.kind === 'tool-call' || event.kind === 'tool-args') {
      const args = ('args' in event ? event.args : null) ?? event.subject?.command ?? '';
      if (
        event.call !== null &&
        args.length <= MAX_ARGS_CHARS &&
        this.#userCalls.size < MAX_CALLS &&
        USER_COMMAND.test(args)
      )
        this.#userCalls.add(event.call);
    }
    if (event.kind !== 'tool-result' || event.call === null || !this.#userCalls.has(event.call)) return [];
    const texts = event.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return literalsOfUser(USER_NAME.exec(texts.join(''))?.[1]);
  }
}
