/** The facts of a report, from the gathered data and what is known of the machine and the replay. */

import type { Manifest } from '../../analysis/redact/session.ts';
import { shellWord } from '../../model/text/shell.ts';
import { humanSeconds } from '../../model/text/text.ts';
import { isMostlyUnread } from '../../session/understanding.ts';
import type { ReportData } from './gather.ts';
import { code } from './markdown.ts';
import { faultOf, relatedTroubles } from './related-troubles.ts';
import type { ReportFacts } from './render.ts';
import type { ReportWords } from './words.ts';

/** The result of replaying the tape before the report was written. */
export interface ReplayRehearsal {
  /** Null if the tape has nothing of the client, so that it cannot be replayed. */
  same: boolean | null;
  requests: number;
  /** What was different, in a few words. */
  otherwise: string[];
}

export interface ReportSources {
  version: string;
  /** Of the redacted tape. */
  digest: string;
  manifest: Manifest;
  rehearsed: ReplayRehearsal;
  /** The name of the tape for the reader of the report, and whether it is attached. */
  file: string;
  isAttached: boolean;
  /** The name of the session on this machine. */
  from: string;
  command: string;
}

export function reportFacts(gathered: ReportData, sources: ReportSources, words: ReportWords): ReportFacts {
  const { trouble, verdict, look, findings, frames, pieces, stderr, why, open, summary } = gathered;
  const context = { trouble, look, findings, summary, why: open };
  return {
    ...{ trouble, verdict, look, frames, pieces, stderr, why, besides: relatedTroubles(context, words) },
    environment: environment(gathered, sources, words),
    redaction: redactionText(sources.manifest, words),
    isRedacted: sources.manifest.mode !== 'none',
    findings: findings.map((finding) => {
      const { severity, rule, f, message } = finding;
      return { severity, rule, f, message, fault: faultOf(finding, context, words) };
    }),
    commands: [
      ...(sources.isAttached
        ? []
        : [`wiretape report ${shellWord(sources.from)} -o ${sources.file}    # ${words.toAttach}`]),
      `wiretape show ${shellWord(`${sources.file}#f${look}`)}`,
      `wiretape why ${shellWord(sources.file)}`,
      `wiretape replay ${shellWord(sources.file)}    # ${words.startAsAgent}`,
    ],
    replays: replayText(sources.rehearsed, words),
    fields: fieldsOf(gathered),
    footer: words.made(`<code>${sources.command}</code>`, sources.version),
  };
}

function environment(
  { summary, handshake, context, platform }: ReportData,
  { version, digest }: ReportSources,
  words: ReportWords,
): ReportFacts['environment'] {
  const { agent, agent_version, client, dialect, protocol, session, started, duration, exit, state } = summary;
  const ended = exit
    ? exit.signal
      ? words.killed(exit.signal)
      : words.exited(exit.code ?? 0)
    : (words.states[state] ?? state);
  const share = context?.share ?? (context?.used && context.size ? context.used / context.size : null);
  const counts = words.counts(summary);
  const understood = isMostlyUnread(summary.read) ? ` (${words.understood(summary.read)})` : '';
  const rows: [ReportFacts['environment'][number]['name'], string | null | undefined][] = [
    ['agent', agent ? `${agent} ${agent_version ?? ''}` : summary.command.join(' ')],
    ['client', client],
    ['protocol', `${dialect ?? words.unknownDialect} ${protocol ?? ''}`.trim() + understood],
    ['model', handshake.model],
    ['mode', handshake.mode],
    ['platform', platform],
    ['session', `${session}, ${started}, ${duration === null ? '' : humanSeconds(duration)}`],
    ['exit', ended],
    ['context', share === null ? null : `${Math.round(share * 100)} %`],
    ['recorder', `wiretape ${version}, ${counts}`],
    ['digest', `${digest} (wiretape verify)`],
  ];
  return rows.flatMap(([name, value]) => (value ? [{ name, value: value.trim() }] : []));
}

/** Answers to the fields of forms that want one value. */
function fieldsOf({ summary, handshake, platform }: ReportData): Record<string, string> {
  const { agent, agent_version } = summary;
  const fields: [string, string | null | undefined][] = [
    ['version', agent && `${agent} ${agent_version ?? ''}`.trim()],
    ['model', handshake.model],
    ['platform', platform],
    ['os', platform],
  ];
  return Object.fromEntries(fields.filter((field): field is [string, string] => Boolean(field[1])));
}

function redactionText({ mode, kinds }: Manifest, words: ReportWords): string {
  if (mode === 'none') return words.notRedacted;
  if (kinds.length === 0) return words.nothingRedacted;
  return words.redacted(kinds.map(({ kind, values, places }) => `${kind} ${values} (${places}x)`).join(', '));
}

export function replayText({ same, requests, otherwise }: ReplayRehearsal, words: ReportWords): string {
  if (same === null) return words.cannotReplay;
  if (same) return words.replaysSame(requests);
  // Recorded text is hostile: it could be Markdown, or HTML.
  return words.replaysDifferently(
    otherwise
      .slice(0, 3)
      .map((what) => code(what))
      .join('; '),
  );
}
