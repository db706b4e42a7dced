/** The result of one check. */
export interface Finding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
  hint: string | null;
}

const finding = (level: Finding['level']) => {
  return (check: string, message: string, hint: string | null = null): Finding => ({ check, level, message, hint });
};

export const ok = finding('ok');
/** Works with limitations. */
export const warning = finding('warning');
/** Does not work. */
export const problem = finding('problem');
