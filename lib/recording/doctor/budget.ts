/** The limits of the store, and whether they are valid. */
import { humanBytes } from '../../model/text/text.ts';
import { settingsOf } from '../../storage/store/config.ts';
import { type DoctorFinding, ok, warning } from './finding.ts';

export function checkBudget(home: string, env: NodeJS.ProcessEnv): DoctorFinding[] {
  const given = settingsOf(home, env);
  const problems = [...new Set(given.flatMap(({ problem }) => (problem === null ? [] : [problem])))];
  if (problems.length > 0)
    return problems.map((problem) => warning('budget', `${problem}; ignored`, 'fix it with: wiretape config set'));
  const limits = given.flatMap(({ setting, word, value, from }) => {
    if (value === null) return [];
    const amount = setting.what === 'size' ? humanBytes(value) : word;
    return [`${setting.name} ${amount}${from === 'environment' ? ` (${setting.variable})` : ''}`];
  });
  if (limits.length > 0) return [ok('budget', `${limits.join(', ')}; applied whenever a recording starts`)];
  return [ok('budget', 'no limit: sessions are kept until removed; set one with: wiretape config set max-size 5gb')];
}
