/** Sessions of Wire that nobody has thought of. */
import { type Session, sessionInMemory } from '../../lib/session/session.ts';
import {
  approval,
  ask,
  begin,
  call,
  decide,
  done,
  end,
  event,
  hello,
  prompt,
  resolved,
  result,
  step,
  text,
  yes,
} from '../unit/analysis/check/wire-cases/lines.ts';
import { metadataFor } from './fixture-sessions.ts';
import { framesOf } from './wire-check.ts';

const think = (words: string, encrypted: string | null = null) =>
  event('ContentPart', { type: 'think', think: words, encrypted });
const args = (arguments_part: string) => event('ToolCallPart', { arguments_part });
const inside = (agent_id: string) =>
  event('SubagentEvent', {
    parent_tool_call_id: 'c1',
    agent_id,
    subagent_type: 'coder',
    event: { type: 'ContentPart', payload: { type: 'text', text: 'inside' } },
  });

const WORDS = [
  'a word',
  '',
  'token=abcdef123456',
  '\u0000',
  'You only live once! All actions',
  'ü 😀',
  '"}}}',
  'x'.repeat(60),
];

/** A session in which texts go on, begin, end and are interrupted. The same number gives the same one. */
export function randomWire(seed: number): Session {
  return sessionInMemory(metadataFor(`random ${seed}`, ['kimi', '--wire']), framesOf(randomScript(seed)));
}

/** Lines that begin, end and interrupt texts, in any order: mostly several of one form in a row. */
function randomScript(seed: number): string[] {
  let state = seed * 2654435761 + 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = () => WORDS[random(WORDS.length)]!;
  const forms = [
    () => text(word()),
    () => think(word()),
    () => think(word(), 'sealed'),
    () => args(word()),
    () => text(word()).replace('"text":', '"text": '),
    () => prompt(`p${random(9)}`),
    () => begin(),
    () => end,
    () => done(`p${random(9)}`),
    () => step(random(4)),
    () => call(`c${random(4)}`, 'Shell'),
    () => result(`c${random(4)}`),
    () => approval(`a${random(4)}`, `c${random(4)}`),
    () => decide(`a${random(4)}`),
    () => resolved(`a${random(4)}`),
    () => inside(`s${random(2)}`),
    () => ask(`r${random(9)}`, 'replay', {}),
    () => ask(`s${random(9)}`, 'steer', { user_input: word() }),
    () => yes(`r${random(9)}`, { status: 'finished' }),
    () => '<no message at all',
    () => '!stalled',
  ];
  const script = seed % 3 === 0 ? [] : [...hello(), prompt('p0'), begin(), step(1)];
  while (script.length < 150) {
    const form = forms[random(3) > 0 ? random(4) : random(forms.length)]!;
    for (let count = 1 + random(6); count > 0; count--) script.push(form());
  }
  return script;
}
