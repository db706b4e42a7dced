/** What a page shows without JavaScript: what was recorded, and the prompts. All of it is escaped. */
import { humanBytes, humanSeconds, visible } from '../../model/text/text.ts';
import { describeShare, formatCount, isMostlyUnread, type ReadShare } from '../../session/understanding.ts';
import type { SessionHead } from '../page/page.ts';
import { escaped } from './html-escape.ts';

/** Bytes of all turns together. */
const MAX_TURN_BYTES = 60_000;

export function summaryOf(heads: readonly SessionHead[]): string {
  const room = Math.floor(MAX_TURN_BYTES / heads.length);
  return [
    '<p>This page shows a recorded session, and needs JavaScript. Nothing leaves this computer.',
    'On the command line, <code>wiretape show</code> with the path of this file prints the session.</p>\n',
    ...heads.flatMap((head) => sessionLines(head, room)),
  ].join('\n');
}

function sessionLines(head: SessionHead, room: number): string[] {
  const { summary, counts, tape } = head;
  const { error, warning, info } = counts.findings;
  const read = (summary.read ?? null) as ReadShare | null;
  const agent = [summary.agent, summary.agent_version].filter((word) => word !== null).join(' ');
  const rows: [string, string][] = [
    ['Session', head.session],
    ['Agent', agent || commandOf(summary.command)],
    ['Protocol', [summary.dialect, summary.protocol].filter((word) => word !== null).join(' ')],
    ['Started', String(summary.started)],
    ['Duration', humanSeconds(head.duration)],
    ['Frames', `${head.frames} (${humanBytes(tape.bytes)})`],
    ['Turns', formatCount(Number(summary.turns ?? 0), read)],
    ['Approvals', formatCount(counts.approvals, read)],
    ['Findings', `${error} errors, ${warning} warnings, ${info} infos`],
    ['Unanswered', String(counts.open)],
    ...(isMostlyUnread(read) ? [['Understood', describeShare(read)] as [string, string]] : []),
  ];
  return [
    `<h1>${cell(head.session)}</h1>`,
    '<table>',
    ...rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td dir="auto">${cell(value)}</td></tr>`),
    '</table>',
    ...turnLines(head, room),
    '',
  ];
}

function turnLines({ turns }: SessionHead, room: number): string[] {
  if (turns.length === 0) return [];
  const lines: string[] = [];
  let left = room;
  for (const { n, f, prompt, status } of turns) {
    const line = `<li value="${n}" dir="auto">${cell(prompt)} (f${f}, ${cell(status ?? 'unfinished')})</li>`;
    left -= Buffer.byteLength(line);
    if (left < 0) break;
    lines.push(line);
  }
  const missing = turns.length - lines.length;
  return ['<ol>', ...lines, '</ol>', ...(missing > 0 ? [`<p>${missing} more turns are in the page.</p>`] : [])];
}

const cell = (text: string): string => escaped(visible(text));

const commandOf = (command: unknown): string => (Array.isArray(command) ? command.join(' ') : '');
