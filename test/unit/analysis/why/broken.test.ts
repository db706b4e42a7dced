/**
 * Clients with one mistake each (test/fixtures/broken): what `why` says while they hang and after the end. Each sentence
 * is pinned in why.txt: it names the frame, the culprit and what to do.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import type { Frame, Metadata } from '../../../../lib/model/frame.ts';
import type { SessionMoment, UnfinishedLine } from '../../../../lib/model/moment.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { whyText } from '../../../../lib/output/terminal/why-view.ts';
import { GrowingPass } from '../../../../lib/session/growing-pass.ts';
import { TapeSource } from '../../../../lib/storage/tape/tape-source.ts';
import * as $ from '../../../support/audit.ts';
import { BROKEN_STREAMS } from '../../../support/broken-streams.ts';

const folder = fileURLToPath(new URL('../../../fixtures/broken/', import.meta.url));
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.replace(/\.jsonl$/, ''))
  .sort();

interface Session {
  name: string;
  command: string[];
  dialect: string | null;
  frames: Frame[];
}

function taped(name: string): Session {
  const source = new TapeSource(`${folder}${name}.jsonl`);
  const { command }: Metadata = source.metadata;
  const frames = [...source.frames()].map((frame) => ({ ...frame, raw: Uint8Array.from(frame.raw) }));
  return { name, command, dialect: null, frames };
}

const streamed = Object.entries(BROKEN_STREAMS).map(
  ([name, what]): Session => ({
    ...{ name, command: ['qwen', '--input-format', 'stream-json'], dialect: 'stream-json' },
    frames: $.sessionOf(what),
  }),
);
/** Written without a line feed, and ended by the end of the stream only. */
function endless(frames: Frame[]): Frame[] {
  const [last] = frames.filter(({ event }) => event === 'eof');
  return frames.map((frame) =>
    frame.f === last!.f - 1 ? { ...frame, eol: '', t: last!.t + 4, t0: frame.t } : later(frame, last!),
  );
}

const later = (frame: Frame, last: Frame) => (frame.f >= last.f ? { ...frame, t: frame.t + 4 } : frame);

/** The same conversation, but the client stops reading before it leaves. */
function deaf(name: string, like: Session): Session {
  const end = like.frames.findIndex(isCut);
  const { f, t } = like.frames[end]!;
  const detail = { whose: 'client', stream: 'agent' };
  const stalled: Frame = { ...like.frames[end]!, f, t, from: 'proc', form: 'event', event: 'stalled', detail };
  const rest = like.frames.slice(end).map((frame) => ({ ...frame, f: frame.f + 1, t: frame.t + 5 }));
  return { ...like, name, frames: [...like.frames.slice(0, end), stalled, ...rest] };
}

const isCut = ({ event, from }: Frame) =>
  (event === 'eof' && from === 'client') || event === 'signal' || event === 'exit';

const sessions = [
  ...names.map(taped),
  ...[deaf('acp-e', taped('acp-g-kimi')), deaf('mcp-e', taped('mcp-g'))],
  ...streamed.map((one) => (one.name === 'stream-c' ? { ...one, frames: endless(one.frames) } : one)),
];

function said(session: Session, frames: Frame[], moment: SessionMoment): string {
  const { name, command, dialect } = session;
  const pass = new GrowingPass({ command, dialect }, (info) => new SessionWatch(info));
  for (const frame of frames) pass.take(frame);
  pass.flush();
  const watch = pass.observer;
  const obligations = explain(name, 0, watch, moment);
  const about = { session: name, command, state: moment.running ? 'running' : 'ended', obligations, watch, moment };
  return [...whyText(about, Number.POSITIVE_INFINITY, themeFor(false))].slice(1).join('');
}

/** Four seconds after the last frame before the client left; a line without a line feed is in nobody's hands yet. */
function live(session: Session): string {
  const end = session.frames.findIndex(
    (frame) => isCut(frame) || (frame.from === 'client' && frame.eol === '' && !frame.event),
  );
  const frames = session.frames.slice(0, end);
  const next = session.frames[end]!;
  const unfinished: UnfinishedLine[] = [];
  if (next.event === null) {
    const head = Buffer.from(next.raw).toString();
    unfinished.push({ from: 'client', bytes: next.raw.length, head, t: next.t0! });
  }
  const t = frames.at(-1)!.t + 4;
  return said(session, frames, { t, running: true, process: { pid: 7, state: 'sleeping', cpu: 0.3 }, unfinished });
}

function over(session: Session): string {
  const { frames } = session;
  return said(session, frames, { t: frames.at(-1)!.t, running: false, process: null, unfinished: [] });
}

describe('broken clients', () => {
  it('are all here', () => {
    const letters = new Set(names.map((name) => name.split('-')[1]!));
    expect([...letters].sort()).toEqual([
      'a',
      'b',
      'b2',
      'b3',
      'c',
      'c2',
      'd',
      'd2',
      'e',
      'f',
      'f2',
      'f3',
      'g',
      'h',
      'l',
      'l2',
      'p',
      'p2',
      'x',
    ]);
  });

  it('are explained while they hang, and after the end', async () => {
    const pages = sessions.map((one) => `== ${one.name}, live\n${live(one)}\n== ${one.name}, over\n${over(one)}`);
    await expect(pages.join('\n')).toMatchFileSnapshot(`${folder}why.txt`);
  });
});
