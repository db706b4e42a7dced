/** A real agent that is recorded with its client, and then driven from that tape in a folder of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ClientReport } from '../../../lib/replay/client/report.ts';
import { run, WIRETAPE, wiretape } from '../../support/run.ts';
import type { Place } from '../../support/store.ts';
import { type Heard, type Launch, makeStage, type Scenario, type Stage } from './twice.ts';

export interface Driven {
  report: ClientReport;
  /** Where the driven agent worked. */
  stage: Stage;
}

/** Both runs must go the same way: everything asked and answered as recorded, each turn with the same end. */
export async function driven(place: Place, launch: Launch, scenario: Scenario): Promise<Driven> {
  const [first, stage] = [makeStage(place, 'recorded'), makeStage(place, 'replayed')];
  const played = launch(first);
  const heard: Heard = await scenario([WIRETAPE, 'record', '--', ...played.command], {
    ...first,
    env: { ...first.env, ...played.env },
  });
  expect(heard.messages.length).toBeGreaterThan(0);
  const { command, env } = launch(stage);
  const path = join(place.dir, 'report.json');
  const words = ['replay', 'last', '--instant', '--timeout', '90s', '--report', path, '--', ...command];
  const ended = await run(place, [WIRETAPE, ...words], { env: { ...stage.env, ...env }, cwd: stage.work });
  const report = JSON.parse(readFileSync(path, 'utf8')) as ClientReport;
  const { unmatched, departed, never_sent, never_asked } = report;
  expect({ unmatched, departed, never_sent, never_asked, said: String(ended.stderr).slice(-2000) }).toEqual({
    ...{ unmatched: [], departed: [], never_sent: [], never_asked: [] },
    said: expect.stringContaining('wiretape: replayed '),
  });
  expect(report.ok).toBe(true);
  // News come at any moment, and a handshake may name folders: but the same was asked, decided and run.
  const same = await wiretape(place, ['diff', report.session, report.replayed_as!, '--only', 'approvals,end']);
  expect([same.code, String(same.stdout)]).toEqual([0, expect.stringContaining('no differences')]);
  return { report, stage };
}
