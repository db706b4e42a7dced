/** An answer may have come and be in a line that was too large to be read: then nothing else can be told of it. */
import { because, type Rule } from './cause.ts';

export const unreadAnswer: Rule = (open, { unread }) => {
  const other = open.asker === 'client' ? 'agent' : 'client';
  const line = unread[other];
  if (!line || line.f < open.f) return null;
  return because(
    'unread',
    `the ${other} sent a line that is too large to be read (f${line.f}): it may be the answer`,
    `wiretape show SESSION#f${line.f} --raw > FILE`,
  );
};
