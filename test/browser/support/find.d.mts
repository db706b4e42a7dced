export const NO_BROWSER: string;
export const ARGUMENTS: string[];
export function findBrowser(env?: NodeJS.ProcessEnv): string | null;
