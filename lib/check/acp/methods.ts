/** The methods of ACP: who sends them, and whether they are answered. Drafts that programs already speak are in it. */
import type { Side } from '../common/rpc-line.ts';

interface Method {
  from: Side | 'both';
  is: 'request' | 'notification';
}

const asks = (from: Side): Method => ({ from, is: 'request' });
const tells = (from: Side | 'both'): Method => ({ from, is: 'notification' });

export const METHODS: Readonly<Record<string, Method>> = {
  initialize: asks('client'),
  authenticate: asks('client'),
  logout: asks('client'),
  'session/new': asks('client'),
  'session/load': asks('client'),
  'session/resume': asks('client'),
  'session/fork': asks('client'),
  'session/list': asks('client'),
  'session/close': asks('client'),
  'session/delete': asks('client'),
  'session/prompt': asks('client'),
  'session/set_mode': asks('client'),
  'session/set_model': asks('client'),
  'session/set_config_option': asks('client'),
  'session/cancel': tells('client'),
  'session/update': tells('agent'),
  'session/request_permission': asks('agent'),
  'fs/read_text_file': asks('agent'),
  'fs/write_text_file': asks('agent'),
  'terminal/create': asks('agent'),
  'terminal/output': asks('agent'),
  'terminal/wait_for_exit': asks('agent'),
  'terminal/kill': asks('agent'),
  'terminal/release': asks('agent'),
  'elicitation/create': asks('agent'),
  'elicitation/complete': tells('agent'),
  '$/cancel_request': tells('both'),
};
