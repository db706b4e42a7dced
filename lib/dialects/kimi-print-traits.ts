/** The traits of kimi-print. */
import { traits } from './traits.ts';

export const kimiPrintTraits = traits({
  needsNoClient: true,
  switches: [{ mode: 'print', options: null }],
  replay: { ids: ['tool_calls[*].id', 'tool_call_id'] },
});
