/** Runs the sample client against an agent of the caller's choice, and keeps its output about the conversation. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Failure } from '../../model/failure.ts';
import { installedPath } from '../../storage/system/installation.ts';

export interface SampleClientRun {
  /** Prompts, requests and their answers, as the client prints them. */
  talk: string[];
  code: number | null;
  /** What came on stderr, unless it was passed on. */
  stderr: string;
}

interface SampleClientOptions {
  scenario: string;
  agent: readonly string[];
  /** Where stderr of the client and its agent goes. */
  stderr: 'inherit' | 'pipe';
  /** Called with each line of the client. */
  onLine?: (line: string, isTalk: boolean) => Promise<void>;
}

/** What people have to do with; the rest of the conversation is in the tape. */
const TALK_LINE = /^(?:client {2}(?:prompts|answers|cancel)|agent {3}asks)/;

export async function runSampleClient({
  scenario,
  agent,
  stderr,
  onLine,
}: SampleClientOptions): Promise<SampleClientRun> {
  const script = `${samplesFolder()}scripts/${scenario}.json`;
  const args = [
    `${samplesFolder()}client.mjs`,
    ...(existsSync(script) ? ['--script', script] : ['--prompt', 'Hello']),
    ...['--delay', '0.12', '--', process.execPath, ...agent],
  ];
  const client = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', stderr] });
  const exit = once(client, 'exit');
  const stderrText = client.stderr ? text(client.stderr) : '';
  const talk: string[] = [];
  for await (const line of createInterface({ input: client.stdout! })) {
    const isTalk = TALK_LINE.test(line);
    if (isTalk) talk.push(line);
    await onLine?.(line, isTalk);
  }
  const [code] = await exit;
  return { talk, code, stderr: await stderrText };
}

/** The words that start the sample agent, after those of node. */
export function sampleAgent(scenario: string): string[] {
  const files = readdirSync(`${samplesFolder()}scenarios`).filter((file) => file.endsWith('.json'));
  const known = files.map((file) => file.slice(0, -'.json'.length)).sort();
  if (!known.includes(scenario))
    throw new Failure(`no scenario ${JSON.stringify(scenario)}`, `use one of: ${known.join(', ')}`);
  return [`${samplesFolder()}agent.mjs`, '--wire', '--scenario', scenario];
}

function samplesFolder(): string {
  const path = installedPath('samples/');
  if (existsSync(`${path}agent.mjs`)) return path;
  throw new Failure('the samples are missing', 'reinstall wiretape, or run it from a clone');
}
