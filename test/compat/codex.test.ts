/** The real `codex app-server`, driven as an editor does it, with a mock model behind it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { wiretape } from '../support/run.ts';
import { type Model, startModel } from './mock-model.ts';
import { it, withAgents } from './support/agents.ts';
import { codex } from './support/launch.ts';
import { type Message, Talk } from './support/talk.ts';
import { type Heard, type Launch, type Stage, twice } from './support/twice.ts';

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

/** An editor: one request after the other, approvals decided from a list. */
class Editor extends Talk {
  #asked = 0;
  #turns = 0;
  #thread = '';

  async call(method: string, params: object): Promise<Message> {
    const asked = ++this.#asked;
    this.send({ method, id: asked, params });
    const answer = await this.until(
      ({ id, method }) => id === asked && method === undefined,
      `the answer to ${method}`,
    );
    expect(answer.error).toBeUndefined();
    return answer.result;
  }

  async open({ work }: Stage): Promise<void> {
    await this.call('initialize', { clientInfo: { name: 'compat', title: 'compat', version: '1.0.0' } });
    this.send({ method: 'initialized' });
    const settings = { cwd: work, approvalPolicy: 'untrusted', sandbox: 'danger-full-access' };
    this.#thread = (await this.call('thread/start', settings)).thread.id;
  }

  /** The id of the turn that begins. */
  async begin(text: string): Promise<string> {
    const { turn } = await this.call('turn/start', { threadId: this.#thread, input: [{ type: 'text', text }] });
    return turn.id;
  }

  async interrupt(turnId: string): Promise<void> {
    await this.call('turn/interrupt', { threadId: this.#thread, turnId });
  }

  /** How the turn ended that was begun last. */
  async ended(): Promise<string> {
    const wanted = ++this.#turns;
    const ends = () => this.messages.filter(({ method }) => method === 'turn/completed');
    await this.until(() => ends().length >= wanted, `the end of turn ${wanted}`);
    return ends()[wanted - 1].params.turn.status;
  }

  decide(decisions: string[]): void {
    this.reply = ({ method, id }) => {
      if (!/requestApproval$/.test(method ?? '')) return;
      return { id, result: { decision: decisions.shift() ?? 'decline' } };
    };
  }

  async hold(): Promise<string> {
    const turn = await this.begin('play: hold');
    await this.until(({ params }) => params?.delta === 'Just a moment', 'the held answer');
    return turn;
  }
}

/** News of states come whenever they are ready: before or after the answers that they go with. */
const NEWS =
  /^(?:remoteControl|account|configWarning|serverRequest|turn\/started|thread\/(?:started|status|readState|tokenUsage))\b/;

/** The answer to an interrupt, which says nothing, may cross the end of its turn. */
const isNews = ({ method, result }: Message): boolean =>
  NEWS.test(method ?? '') || (result !== undefined && Object.keys(result).length === 0);

withAgents(['codex'], (agent) => {
  const launch: Launch = () => codex(agent, model);

  it('says the same: handshake, text, approvals, interrupt, EOF', async ({ place }) => {
    const scenario = async (command: string[], stage: Stage) => {
      const editor = new Editor(command, stage);
      try {
        await editor.open(stage);
        await editor.begin('play: greet');
        expect(await editor.ended()).toBe('completed');
        editor.decide(['accept', 'decline']);
        await editor.begin(`play: write file: ${stage.work}/yes.txt`);
        expect(await editor.ended()).toBe('completed');
        await editor.begin(`play: write file: ${stage.work}/no.txt`);
        expect(await editor.ended()).toBe('completed');
        await editor.interrupt(await editor.hold());
        expect(await editor.ended()).toBe('interrupted');
        expect(existsSync(join(stage.work, 'yes.txt'))).toBe(true);
        expect(existsSync(join(stage.work, 'no.txt'))).toBe(false);
        return await editor.end('eof');
      } finally {
        editor.dispose();
      }
    };
    const heard = await twice(place, launch, scenario, isNews);
    expect(heard.messages.map(({ params }) => params?.delta ?? '').join('')).toContain('ünï✓ 你好,\ntwo lines.');
    expect(heard.messages.filter(({ method }) => method === 'item/fileChange/requestApproval')).toHaveLength(2);
    expect(heard.code).toBe(0);
    const rows = await wiretape(place, ['approvals', 'last', '--json']);
    const decided = rows.stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(
      decided.filter(({ tool }) => tool).map(({ tool, decision, executed }) => [tool, decision, executed]),
    ).toEqual([
      ['fileChange', 'allow', 'yes'],
      ['fileChange', 'deny', 'no'],
    ]);
    const checked = await wiretape(place, ['check', 'last']);
    expect(checked.code).toBe(0);
  });

  it('ends the same: SIGTERM during a turn', async ({ place }) => {
    const heard = await twice(place, launch, (command, stage) => terminated(new Editor(command, stage), stage), isNews);
    // Codex ends by itself then.
    expect([heard.code, heard.signal]).toEqual([0, null]);
  });
});

async function terminated(editor: Editor, stage: Stage): Promise<Heard> {
  try {
    await editor.open(stage);
    await editor.hold();
    return await editor.end('SIGTERM to all');
  } finally {
    editor.dispose();
  }
}
