/**
 * The traits of the one-shot JSON outputs. No approval ever crosses the wire in such a run, so what ran was unasked by
 * its mode (rules N2 and N3): the one that an option names, else that of the run itself.
 */
import { type Traits, traits } from './traits.ts';

function oneShot(mode: string, options: Traits['switches'], replay: Traits['replay']): Traits {
  const switches = [...options, { mode, options: null }];
  return traits({ needsNoClient: true, stdinIsPrompt: true, modes: null, switches, replay });
}

const codexExec = oneShot(
  'exec',
  [
    { mode: 'yolo', options: ['--yolo', '--dangerously-bypass-approvals-and-sandbox'] },
    { mode: 'danger-full-access', options: ['danger-full-access', '--sandbox=danger-full-access'] },
    { mode: 'full-auto', options: ['--full-auto'] },
  ],
  { ids: ['thread_id', 'item.id'] },
);

export const codexExecTraits: Traits = { ...codexExec, folderOptions: ['--cd', '-C'], promptOptions: [] };

export const geminiJsonTraits = oneShot(
  'print',
  [
    { mode: 'yolo', options: ['--yolo', '-y', 'yolo', '--approval-mode=yolo'] },
    { mode: 'auto_edit', options: ['auto_edit', '--approval-mode=auto_edit'] },
  ],
  { ids: ['session_id', 'tool_id'], volatile: ['timestamp'] },
);

export const copilotJsonTraits = oneShot(
  'print',
  [
    { mode: 'yolo', options: ['--yolo', '--allow-all'] },
    { mode: 'allow-all-tools', options: ['--allow-all-tools'] },
  ],
  { ids: ['data.toolCallId'], volatile: ['timestamp'] },
);

const opencode = oneShot(
  'run',
  [{ mode: 'dangerously-skip-permissions', options: ['--dangerously-skip-permissions'] }],
  { ids: ['sessionID', 'part.callID'], volatile: ['timestamp'] },
);
export const opencodeJsonTraits: Traits = { ...opencode, promptOptions: [] };

const cline = oneShot('json', [{ mode: 'yolo', options: ['--yolo', '-y'] }], {
  ids: ['event.toolCallId'],
  // The last line tells the answer again.
  volatile: ['ts', 'text', 'iterations'],
});
export const clineJsonTraits: Traits = { ...cline, promptOptions: [] };

export const vibeJsonTraits = oneShot(
  'print',
  [{ mode: 'auto-approve', options: ['auto-approve', '--agent=auto-approve'] }],
  { ids: ['id', 'sessionId', 'turnId'], volatile: ['createdAt', 'updatedAt'] },
);
