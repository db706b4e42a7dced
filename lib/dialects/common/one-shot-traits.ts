/**
 * The traits of the one-shot JSON outputs. No approval ever crosses the wire in such a run, so what ran was allowed by
 * its mode (rules N2 and N3): the one that an option names, else that of the run itself.
 */
import { type Traits, traits } from '../traits.ts';

export function oneShotTraits(mode: string, options: Traits['switches'], replay: Traits['replay']): Traits {
  const switches = [...options, { mode, options: null }];
  return traits({ needsNoClient: true, stdinIsPrompt: true, modes: null, switches, replay });
}
