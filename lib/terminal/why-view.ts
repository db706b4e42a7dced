/** The text output of `why`: who owes whom an answer, since when and why, and what each side did last. */

import type { Moment } from '../core/moment.ts';
import { humanBytes, humanSeconds, visible } from '../core/text.ts';
import { ago } from '../why/cause.ts';
import { type Obligation, remarks, standing } from '../why/explain.ts';
import type { Watch } from '../why/watch.ts';
import type { Theme } from './theme.ts';
import { heading, wrap } from './wrap.ts';

export interface Explained {
  session: string;
  command: readonly string[];
  state: string;
  obligations: Obligation[];
  watch: Watch;
  moment: Moment;
}

export function* whyText(about: Explained, columns: number, theme: Theme): Generator<string> {
  const { obligations, watch } = about;
  yield* headline(about, columns, theme);
  for (const one of obligations) {
    yield* lines(owing(one, about), columns, '', theme.strong);
    yield* lines(one.cause, columns, '  ', theme.warn);
    if (one.hint) yield* lines(`hint: ${one.hint}`, columns, '  ');
  }
  if (obligations.length === 0) yield* lines(`no open requests: ${idle(about)}`, columns, '', theme.good);
  for (const { cause, hint } of remarks(watch)) {
    yield* lines(cause, columns, '', theme.warn);
    if (hint) yield* lines(`hint: ${hint}`, columns, '  ');
  }
  for (const line of facts(about)) yield* lines(line, columns, '', theme.dim);
  if (watch.stderr.tail.length > 0) yield theme.dim('last on stderr:\n');
  for (const line of watch.stderr.tail) yield* lines(line, columns, '  ', theme.speaker.stderr);
}

function idle({ watch, moment }: Explained): string {
  const { words, since } = standing(watch);
  if (!since) return words;
  return `${words} (f${since.f}${moment.running ? `, ${ago(since, moment)}` : ''})`;
}

function* headline({ session, command, state, watch, moment }: Explained, columns: number, theme: Theme) {
  const { process } = moment;
  const alive = process ? `, process ${process.pid} ${process.state}` : '';
  yield* heading(visible(session), visible(command.join(' ')), columns, theme);
  yield* lines(`${watch.dialect}, ${state}, ${humanSeconds(moment.t)}${alive}`, columns, '', theme.dim);
}

function owing({ owes, to, since, f, what, waited }: Obligation, { moment, watch }: Explained): string {
  const long = humanSeconds(waited);
  const time = since.slice(11, 19);
  if (moment.running) return `the ${owes} has owed the ${to} an answer for ${long} (f${f}, ${time}): ${what}`;
  // The time at which a recorder was killed is unknown.
  const until = isLost(watch) ? 'until the recorder was killed' : `open for ${long}`;
  return `the ${owes} never answered the ${to} (f${f}, ${time}, ${until}): ${what}`;
}

function isLost({ process }: Watch): boolean {
  return process.ending?.event === 'lost';
}

function facts({ watch, moment }: Explained): string[] {
  const { last } = watch;
  const { stalled, ending } = watch.process;
  const spoken = (['client', 'agent'] as const).map((from) => {
    const line = last[from];
    if (!line) return `from the ${from}: none`;
    return `from the ${from}: f${line.f}${isLost(watch) ? '' : `, ${ago(line, moment)}`}`;
  });
  const found = [`last line ${spoken.join('; ')}`];
  for (const { from, bytes } of moment.unfinished) {
    found.push(`unfinished line from the ${from}: ${humanBytes(bytes)} so far`);
  }
  if (stalled) found.push(`the ${stalled.whose} is not reading what the ${stalled.stream} writes (f${stalled.f})`);
  if (ending && ending.undelivered > 0) found.push(`${humanBytes(ending.undelivered)} never reached the other side`);
  return found;
}

function* lines(text: string, columns: number, indent: string, paint?: (text: string) => string): Generator<string> {
  for (const line of wrap(visible(text), columns - indent.length)) yield `${indent}${paint?.(line) ?? line}\n`;
}
