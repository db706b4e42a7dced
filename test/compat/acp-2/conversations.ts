/**
 * What the client of `client.mjs` does, by the name of the tape in `test/fixtures/tapes/acp-2-sdk-2.4.0`. A prompt says what the
 * agent of `agent.mjs` does.
 */
export const CONVERSATIONS: Readonly<Record<string, readonly object[]>> = {
  allow: [{ new: true }, { prompt: 'think, plan and run it' }],
  deny: [{ new: true }, { decide: 'no', prompt: 'run it' }],
  always: [{ new: true }, { decide: 'always', prompt: 'run it' }],
  hang: [{ new: true }, { decide: 'never', prompt: 'run it', until: 'asked' }],
  cancel: [{ new: true }, { cancel: true, prompt: 'run it for ever' }],
  'cancel-call': [{ new: true }, { stopCall: true, prompt: 'run it for ever' }],
  'cancel-asked': [{ new: true }, { decide: 'cancel', prompt: 'run it' }],
  second: [{ new: true }, { prompt: 'wait for another prompt', also: 'and then this', times: 2 }],
  steer: [{ new: true }, { prompt: 'wait for another prompt', also: 'steer it a bit' }],
  own: [{ new: true }, { prompt: 'own work', times: 2 }, { prompt: 'hello' }],
  background: [{ new: true }, { prompt: 'background task', until: 'completed' }],
  unasked: [{ new: true }, { prompt: 'unasked write' }],
  command: [{ new: true }, { prompt: 'command subject' }],
  stuck: [{ new: true }, { prompt: 'stuck', until: 'requires_action' }],
  silent: [{ new: true }, { prompt: 'silent' }],
  nothing: [{ new: true }, { prompt: 'nothing', until: 'answered' }],
  refuse: [{ new: true }, { prompt: 'refuse', until: 'refused' }, { prompt: 'hello' }],
  resume: [{ resume: 'sess-9' }, { prompt: 'hello again' }],
};
