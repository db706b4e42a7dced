/** Lines that answer the dialogs of pi's extensions. */
import { listOf, stringOf } from '../common/fields.ts';
import type { DeclineTo, ReplyTo } from '../common/reply.ts';

/** The first option, or a yes. */
export const piReply: ReplyTo = ({ type, id, method, options, prefill }) => {
  if (type !== 'extension_ui_request') return null;
  const line = { type: 'extension_ui_response', id };
  const labels = listOf(options).filter((one) => typeof one === 'string');
  switch (method) {
    case 'select':
      if (labels.length === 0) return { line: { ...line, cancelled: true }, or: [] };
      return { line: { ...line, value: labels[0] }, or: labels.slice(1) };
    case 'confirm':
      return { line: { ...line, confirmed: true }, or: ['false'] };
    case 'input':
    case 'editor':
      return { line: { ...line, value: stringOf(prefill) ?? '…' }, or: [] };
    default:
      return null;
  }
};

/** A select has no option that means no: its dialog is closed. */
export const piDecline: DeclineTo = ({ type, id, method }) => {
  if (type !== 'extension_ui_request') return null;
  const no = method === 'confirm' ? { confirmed: false } : { cancelled: true };
  return { type: 'extension_ui_response', id, ...no };
};
