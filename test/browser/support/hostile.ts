/** A session of which every text is an attack: on HTML, on scripts, on terminals, on whoever reads it. */
import type { TestJournal } from '../../support/journal.ts';
import { rpc } from '../../support/session.ts';

/** These are printable: a page shows them as they are. Each has its own word, so that they can be told apart. */
export const PRINTABLE = [
  '</script><script>alert("one")</script>',
  '<!--<script>alert("two")',
  '<img src=x onerror=alert("three")>',
  'javascript:alert("four")',
  'data:text/html,<script>alert("five")</script>',
  '<svg onload=alert("six")>',
  '</template><iframe src="https://example.com/seven"></iframe>',
  ']]><a href="javascript:alert(8)">eight</a>',
  '</title></style><link rel=stylesheet href=https://example.com/nine.css>',
  '</noscript><meta http-equiv=refresh content="0;url=https://example.com/ten">',
  '[eleven](javascript:alert(11)) ![eleven](https://example.com/11.png) <https://example.com/11>',
  "{{constructor.constructor('alert(12)')()}} $ {alert('twelve')}",
  '&lt;b&gt;thirteen&amp;&#60;b&#62;',
  "$& $` $' $1 fourteen",
  '" onmouseover="alert(15)" x="fifteen',
];

/** These must never reach the page as they are; `word` beside them does. */
export const UNPRINTABLE = [
  { word: 'nul-word', text: '\u0000' },
  { word: 'separator-word', text: '\u2028' },
  { word: 'paragraph-word', text: '\u2029' },
  { word: 'override-word', text: '\u202e' },
  { word: 'isolate-word', text: '\u2066' },
  { word: 'zero-width-word', text: '\u200b' },
  { word: 'hyperlink-word', text: '\u001b]8;;https://example.com/osc8\u001b\\' },
  { word: 'clipboard-word', text: '\u001b]52;c;ZXZpbA==\u0007' },
  { word: 'csi-word', text: '\u009b31m' },
  { word: 'cursor-word', text: '\u001b[2J\u001b[1;1H' },
  { word: 'surrogate-word', text: '\ud800' },
  { word: 'tag-word', text: '\u{e0041}' },
];

export const attackOf = ({ word, text }: { word: string; text: string }) => `${word}${text}end`;

const ATTACKS = [...PRINTABLE, ...UNPRINTABLE.map(attackOf)];
const IMAGE = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(16)"/>').toString('base64')}`;
const NESTED = 10_000;

/** A conversation in kimi's wire protocol. `twist` makes another one of it, to be compared with the first. */
export function attack(journal: TestJournal, twist = ''): void {
  let t = 0;
  const later = () => (t += 50_000);
  const say = (from: 'client' | 'agent', message: Record<string, unknown>) => journal.data(from, later(), rpc(message));
  const event = (type: string, payload: unknown) => say('agent', { method: 'event', params: { type, payload } });
  journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
  say('client', {
    id: 'i',
    method: 'initialize',
    params: { protocol_version: '1.10', client: { name: PRINTABLE[0], version: PRINTABLE[2] } },
  });
  say('agent', {
    id: 'i',
    result: { protocol_version: '1.10', server: { name: PRINTABLE[8], version: '\u202e1' }, slash_commands: [] },
  });
  for (const [n, text] of ATTACKS.entries()) {
    const id = `p${n}`;
    const call = `c${n}${text}`;
    const said = `${text}${twist}`;
    say('client', { id, method: 'prompt', params: { user_input: text } });
    event('TurnBegin', { user_input: text });
    event('StepBegin', { n: 1 });
    event('ContentPart', { type: 'think', think: said });
    event('ContentPart', { type: 'text', text: `# ${said}\n\n- ${said}\n\n\`\`\`html\n${said}\n\`\`\`\n` });
    const args = JSON.stringify({ command: said, path: text, [text]: { ['__proto__']: text } });
    event('ToolCall', { type: 'function', id: call, function: { name: text, arguments: args }, extras: null });
    const display = [
      { type: 'diff', path: text, old_text: `${text}\nold`, new_text: `${said}\nnew` },
      { type: 'shell', language: text, command: said },
      { type: 'todo', items: [{ title: text, status: text }] },
      { type: text, [text]: text },
    ];
    const payload = { id: `a${n}`, tool_call_id: call, sender: text, action: text, description: text, display };
    say('agent', { id: `a${n}`, method: 'request', params: { type: 'ApprovalRequest', payload } });
    say('client', {
      id: `a${n}`,
      result: { request_id: `a${n}`, response: n % 2 ? 'approve' : 'reject', feedback: text },
    });
    const output = [
      { type: 'text', text: said },
      { type: 'image_url', image_url: { url: IMAGE } },
    ];
    event('ToolResult', {
      tool_call_id: call,
      return_value: { is_error: n % 3 === 0, output, message: text, display },
    });
    journal.data('stderr', later(), `${text}\n`);
    event('TurnEnd', {});
    say('agent', { id, result: { status: text } });
  }
  say('client', {
    id: text(twist),
    method: PRINTABLE[0],
    params: JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
  });
  journal.data('agent', later(), `${'['.repeat(NESTED)}${']'.repeat(NESTED)}\n`);
  journal.data(
    'agent',
    later(),
    `{"jsonrpc":"2.0","method":"event","params":${'{"a":'.repeat(NESTED)}1${'}'.repeat(NESTED)}}\n`,
  );
  journal.data(
    'agent',
    later(),
    Buffer.concat([Buffer.from('invalid-word '), Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0x0a])]),
  );
  journal.data('agent', later(), '{"__proto__":{"a":1},"b":1e400,"c":12345678901234567890,"c":2}\n');
  journal.data('stderr', later(), '\u001b[31mred-word\u001b[0m \u001b[8mconcealed-word\u001b[0m\n');
  journal.exit(later());
}

const text = (twist: string) => `</script>${twist}`;
