/** Where bytes stop being UTF-8. */
import { textOf } from '../../../model/message.ts';

/** The first byte that is not UTF-8, or -1. */
export function firstInvalid(bytes: Uint8Array): number {
  if (textOf(bytes) !== null) return -1;
  let [low, high] = [0, bytes.length];
  // Up to `low` everything fits.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isBeginning(bytes.subarray(0, middle))) low = middle;
    else high = middle;
  }
  return low;
}

/** Whether these bytes are UTF-8, perhaps with the last character not complete. */
function isBeginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
