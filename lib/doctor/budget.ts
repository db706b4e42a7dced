/** How much the store may keep, and whether that can be read. */
import { humanBytes } from '../core/text.ts';
import { settingsOf } from '../store/config.ts';
import { type Finding, ok, warning } from './finding.ts';

export function lookAtBudget(home: string, env: NodeJS.ProcessEnv): Finding[] {
  const given = settingsOf(home, env);
  const problems = [...new Set(given.flatMap(({ problem }) => (problem === null ? [] : [problem])))];
  if (problems.length > 0)
    return problems.map((problem) => warning('budget', `${problem}; it is ignored`, 'wiretape config set mends it'));
  const limits = given.flatMap(({ setting, word, value, from }) => {
    if (value === null) return [];
    const amount = setting.what === 'size' ? humanBytes(value) : word;
    return [`${setting.name} ${amount}${from === 'environment' ? ` (${setting.variable})` : ''}`];
  });
  if (limits.length > 0) return [ok('budget', `${limits.join(', ')}; swept whenever a recording starts`)];
  return [ok('budget', 'none: sessions stay until rm or prune takes them; wiretape config set max-size 5gb sets one')];
}
