export function defectIn(command: readonly string[], stdout: string, stderr: string): string | null;
export function mayEndWith(command: readonly string[], code: number): boolean;
