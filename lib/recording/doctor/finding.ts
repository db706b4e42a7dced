/** The result of one check. */
export interface DoctorFinding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
  hint: string | null;
}

const finding = (level: DoctorFinding['level']) => {
  return (check: string, message: string, hint: string | null = null): DoctorFinding => ({
    check,
    level,
    message,
    hint,
  });
};

export const ok = finding('ok');
/** Works with limitations. */
export const warning = finding('warning');
/** Does not work. */
export const problem = finding('problem');
