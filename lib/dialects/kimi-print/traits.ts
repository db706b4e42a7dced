/** What a run of `kimi -p` has and lacks. */
import { traits } from '../traits.ts';

export const kimiPrintTraits = traits({
  needsNoClient: true,
  switches: [{ mode: 'print', options: null }],
  conversations: { options: ['--session', '--resume', '-S', '-r'], paths: [['session_id']] },
  replay: { ids: ['tool_calls[*].id', 'tool_call_id'] },
});
