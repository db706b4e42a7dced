/** The result of one check. */
export interface Finding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
  hint: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message, hint: null };
}

/** Works with limitations. */
export function warning(check: string, message: string, hint: string | null = null): Finding {
  return { check, level: 'warning', message, hint };
}

/** Does not work. */
export function problem(check: string, message: string, hint: string | null = null): Finding {
  return { check, level: 'problem', message, hint };
}
