/** What the screen shows instead of a secret, and what it leaves alone. */
import { describe, expect, it } from 'vitest';
import { maskSecretsIn } from '../../../lib/model/text/secret.ts';

const KEY = `sk-proj-${'a1B2'.repeat(10)}`;

describe('a command line on the screen', () => {
  it.each([
    [`export OPENAI_API_KEY=${KEY} && run`, 'export OPENAI_API_KEY=*** && run'],
    [`curl -H "Authorization: Bearer ${KEY}" https://x`, 'curl -H "Authorization: Bearer ***" https://x'],
    ['curl -H "Authorization: Basic dXNlcjpwYXNz" x', 'curl -H "Authorization: Basic ***" x'],
    ['git clone https://dev:hunter2@example.com/x.git', 'git clone https://dev:***@example.com/x.git'],
    ['curl -u dev:hunter2 https://x', 'curl -u dev:*** https://x'],
    ['deploy --password hunter2 --force', 'deploy --password *** --force'],
    ['deploy --token="two words" now', 'deploy --token=*** now'],
    ["PGPASSWORD='p;q' psql", 'PGPASSWORD=*** psql'],
    ['sshpass -p hunter2 ssh host', 'sshpass -p *** ssh host'],
    ['mysql -u root -phunter2 shop', 'mysql -u root -p*** shop'],
    [`echo ghp_${'a1'.repeat(18)} > t`, 'echo *** > t'],
    [`{"api_key": "abcd1234efgh"}`, '{"api_key": ***}'],
    // To the end of the secret, however long it is.
    [`TOKEN=${'x1'.repeat(400)} run`, 'TOKEN=*** run'],
    [`token: ${'x1'.repeat(400)} end`, 'token: *** end'],
    [`curl -u dev:${'p'.repeat(900)} x`, 'curl -u dev:*** x'],
    [`ftp://dev:${'p'.repeat(900)}@host`, 'ftp://dev:***@host'],
    [`mysql -p${'p'.repeat(900)} shop`, 'mysql -p*** shop'],
    [`echo Basic ${'a'.repeat(900)} x`, 'echo Basic *** x'],
    [`echo ghp_${'a1'.repeat(1500)} > t`, 'echo *** > t'],
    // With blanks and quotes inside.
    ['{"password":"correct horse battery"}', '{"password":***}'],
    ['{\\"password\\": \\"correct horse\\", \\"x\\":1}', '{\\"password\\": ***, \\"x\\":1}'],
    ['PASSWORD="a \\" b" run', 'PASSWORD=*** run'],
    ['sh -c "TOKEN=\\"two words\\" run"', 'sh -c "TOKEN=*** run"'],
    ['TOKEN=two\\ words run', 'TOKEN=*** run'],
    ["password: 'horse 1 battery'", 'password: ***'],
    ['password="never closed', 'password=***'],
    // A key with headers, and one that breaks off.
    [
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${'Ab0+'.repeat(16)}\n-----END RSA PRIVATE KEY-----\nrest`,
      '***\nrest',
    ],
    [`-----BEGIN EC PRIVATE KEY-----\\nProc-Type: 4,ENCRYPTED\\n${'Ab0+'.repeat(16)}\\nAb0`, '***'],
    ['grep "-----BEGIN PRIVATE KEY-----" x; rm -rf y', 'grep "***" x; rm -rf y'],
    // What runs is seen.
    ['TOKEN="$(rm -rf x)" run', 'TOKEN="$(rm -rf x)" run'],
    ['PASSWORD="abc\nrm -rf x"', 'PASSWORD=***\nrm -rf x"'],
    [`-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----\nrest`, '***\nrest'],
    ['密码 password=秘密的话 完', '密码 password=*** 完'],
  ])('hides the secret in %s', (text, shown) => {
    expect(maskSecretsIn(text)).toBe(shown);
  });

  it.each(
    [
      ['git commit -m "fix token: handle the end"', 'PASSWORD=$PW run', 'run --token "$TOKEN"', 'x --max-tokens 4096'],
      ['ls -la /home/dev', 'echo a:b@c', 'http://localhost:8080/@x', 'token=12', 'mysql -p shop', 'basic needs'],
    ].flat(),
  )('leaves %s alone', (text) => {
    expect(maskSecretsIn(text)).toBe(text);
  });

  it('takes linear time on hostile text', () => {
    for (const part of [
      'password=',
      '://a:',
      '--token ',
      'mysql -p',
      'sk-',
      'Bearer ',
      '-----BEGIN PRIVATE KEY-----',
      'token="',
      'token=\\"',
      "'password':'",
      'token:\\',
    ])
      expect(maskSecretsIn(part.repeat(30_000)).length).toBeGreaterThan(0);
  });
});
