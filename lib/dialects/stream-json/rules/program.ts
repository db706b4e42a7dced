/** Which program speaks: qwen and Claude share the protocol, and differ in what they demand. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { isProgram, optionOf } from '../../common/command-line.ts';
import type { JsonObject } from '../../dialect.ts';
import type { CheckedSession } from '../../rules/rule.ts';

export class StreamProgram {
  isQwen: boolean;
  isClaude: boolean;
  /** It continues an earlier session, whose calls are not on this tape. */
  readonly isResumed: boolean;
  /** It prints nothing before its result. */
  readonly printsResult: boolean;

  constructor({ command }: CheckedSession) {
    this.isQwen = isProgram(command, 'qwen');
    this.isClaude = isProgram(command, 'claude');
    this.printsResult = optionOf(command, '--output-format') === 'json';
    const flags = ['--continue', '-c', '--resume', '-r'];
    this.isResumed = optionOf(command, '--resume', '-r') !== null || command.some((word) => flags.includes(word));
  }

  take(line: JsonObject): void {
    if (line.type !== 'system') return;
    if ('qwen_code_version' in line) this.isQwen = true;
    if ('claude_code_version' in line) this.isClaude = true;
  }
}

/** The messages of a frame of client or agent: one, or all of a transcript that came as one line. */
export function messagesOf({ frame, value }: ReadFrame): JsonObject[] {
  if (frame.form === 'event' || (frame.from !== 'client' && frame.from !== 'agent')) return [];
  if (isObject(value)) return [value];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A line that only the sibling dialect knows. */
export function isForeign({ events }: ReadFrame): boolean {
  return events.some(({ flags }) => flags?.includes('foreign'));
}
