/** What the command line says about a run of pi. */
import { optionOf } from '../common/command-line.ts';

/** A program named `pi`, or the package of that agent. */
export function isPi(command: readonly string[]): boolean {
  const isNamed = command.slice(0, 4).some((word) => /(?:^|[\\/])pi(?:\.[a-z]+)?$|pi-coding-agent/.test(word));
  return isNamed && ['rpc', 'json'].includes(optionOf(command, '--mode') ?? '');
}

/** Its prompt is on the command line, or is the whole of stdin. */
export function isOneShot(command: readonly string[]): boolean {
  return isPi(command) && optionOf(command, '--mode') === 'json';
}
