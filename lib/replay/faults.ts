export interface Faults {
  apply(say: import('./script.ts').Say, line: string): FaultResult;
}
export interface FaultResult {
  lines: (string | Uint8Array)[];
  names: string[];
  delay: number;
  end: 'close' | { code: number } | { signal: string } | null;
}
