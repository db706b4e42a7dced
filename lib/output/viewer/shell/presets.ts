/** Frequent queries. */
export const PRESETS = [
  { name: 'errors', query: 'is:error' },
  { name: 'pending', query: 'is:pending' },
  { name: 'asked', query: 'kind:approval,approval-answer,question,question-answer' },
  { name: 'unasked', query: 'approval:unasked' },
  { name: 'calls', query: 'kind:tool-call,tool-result' },
  { name: 'noDeltas', query: 'NOT is:delta' },
  { name: 'prompts', query: 'kind:prompt,prompt-answer' },
  { name: 'slow', query: 'is:slow' },
  { name: 'pauses', query: 'gap:5s..*' },
  { name: 'changes', query: 'has:diff' },
  { name: 'noise', query: 'is:noise' },
  { name: 'stderr', query: 'from:stderr' },
  { name: 'client', query: 'from:client' },
] as const;

export type Preset = (typeof PRESETS)[number]['name'];
