/** Texts that agents print instead of starting, whatever protocol they were asked to speak, and what to do about them. */
const NOTICES: readonly { says: RegExp; hint: string }[] = [
  {
    says: /kimi-cli is no longer maintained/i,
    hint: 'kimi-cli 1.52.0 does nothing but print this notice: install kimi-cli 1.51.0, the last that works, or use kimi-code (kimi acp)',
  },
];

/** Null if the text is not known. */
export function noticeHint(text: string): string | null {
  return NOTICES.find(({ says }) => says.test(text))?.hint ?? null;
}
