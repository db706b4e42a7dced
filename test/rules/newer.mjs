/**
 * What a newer version of the rule set adds: `npm run rules -- gitleaks.toml`. For each rule of the file it makes texts that the
 * rule would find, and says which rules are not known yet and how many of their texts the redaction misses. It changes nothing.
 */
import { readFileSync } from 'node:fs';
import { RedactionDetector } from '../../dist/lib/analysis/redact/detector.js';
import { editsIn } from '../../dist/lib/analysis/redact/edits.js';
import { KNOWN_RULES, RULE_SET } from '../../dist/lib/analysis/redact/rule-set.js';
import { sampleOf, seeded } from './sample-text.mjs';

const SAMPLES = 40;
const path = process.argv[2];
if (path === undefined) {
  console.error('usage: npm run rules -- FILE\n\nFILE is the configuration of a newer version, as gitleaks.toml.');
  process.exit(2);
}

const rules = rulesIn(readFileSync(path, 'utf8'));
const known = [...KNOWN_RULES];
const added = rules.filter(({ id }) => !KNOWN_RULES.has(id));
const gone = known.filter((id) => !rules.some((rule) => rule.id === id));
console.log(`${rules.length} rules in ${path}; ${known.length} are known, of ${RULE_SET.name} ${RULE_SET.version}`);
console.log(`new: ${added.map(({ id }) => id).join(' ') || 'none'}`);
console.log(`gone: ${gone.join(' ') || 'none'}`);
const detector = new RedactionDetector();
let [made, missed] = [0, 0];
for (const { id, regex } of rules) {
  const random = seeded(1);
  const samples = Array.from({ length: SAMPLES }, () => sampleOf(regex, random)).filter((one) => one !== null);
  const left = samples.filter(survives);
  made += samples.length;
  missed += left.length;
  if (samples.length === 0) console.log(`${id}: its expression cannot be read`);
  else if (left.length > 0)
    console.log(`${id}: ${left.length} of ${samples.length} missed, as ${JSON.stringify(left[0].text)}`);
}
console.log(`${missed} of ${made} texts missed`);

/** The id and the expression of each rule that has one. */
function rulesIn(toml) {
  return toml
    .split(/^\[\[rules\]\]/m)
    .slice(1)
    .flatMap((part) => {
      const own = part.split(/^\s*\[\[/m)[0];
      const id = /^\s*id\s*=\s*["']([^"']+)/m.exec(own)?.[1];
      const regex = /^\s*regex\s*=\s*'''([\s\S]*?)'''/m.exec(own)?.[1];
      return id && regex ? [{ id, regex }] : [];
    });
}

/** Half of the secret, or more, stays. */
function survives({ text, secret }) {
  let rest = text;
  for (const { start, end } of [...editsIn(text, detector)].reverse())
    rest = `${rest.slice(0, start)}\0${rest.slice(end)}`;
  const half = Math.max(6, Math.ceil(secret.length / 2));
  for (let i = 0; i + half <= secret.length; i++) if (rest.includes(secret.slice(i, i + half))) return true;
  return false;
}
