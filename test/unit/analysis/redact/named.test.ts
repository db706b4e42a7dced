/** Secrets behind their names in every notation, in every form in which a text arrives; and what is no secret there. */
import { describe, expect, it } from 'vitest';
import { RedactionDetector } from '../../../../lib/analysis/redact/detector.ts';
import { editsIn } from '../../../../lib/analysis/redact/edits.ts';

/** § is the secret. Put together here, so that no scanner takes this file for a leak. */
const NAMED: Record<string, readonly string[]> = {
  'typed assignments': [
    ...['var apiToken string = "§"', 'let authToken: string = "§";', 'const dbPassword string = "§"'],
    ...['SECRET_KEY: Optional[str] = "§"', 'static API_KEY: &\'static str = "§";', 'const char db_password[] = "§";'],
  ],
  operators: [
    ...['API_TOKEN ?= §', 'DB_PASSWORD ::= §', 'DB_PASSWORD :::= §', 'AUTH_TOKEN += §', 'apiToken ??= "§"'],
    ...['api_secret ||= "§"', '$api_secret .= "§"', 'password -> §', ':secret_key => "§"'],
  ],
  calls: [
    ...['setenv("API_TOKEN","§")', 'os.environ["API_TOKEN"] = "§"', "define('DB_PASSWORD', '§');"],
    ...['System.setProperty("db.password", "§");', 'expect(password).toBe("§")', 'setPassword("§")'],
  ],
  pairs: [
    ...['{"name":"API_KEY","value":"§"}', '{"value":"§","name":"API_KEY"}', '{"Key": "SECRET_TOKEN", "Value": "§"}'],
    ...['- name: API_TOKEN\n  value: §', '{"key":"db_password","value":"§"}', '| DB_PASSWORD | § |', 'API_TOKEN,§'],
  ],
  XML: [
    ...['<password>§</password>', '<ns:apiToken>§</ns:apiToken>', '<password encrypted="false">§</password>'],
    ...['<db user="x" password="§"/>', '<add key="ApiToken" value="§"/>', '<entry key="api_secret">§</entry>'],
    ...[
      '<key>API_TOKEN</key>\n<string>§</string>',
      '<password><![CDATA[§]]></password>',
      '<apiToken>\n  §\n</apiToken>',
    ],
  ],
  'short names and blocks': [
    ...['DB_PASS=§', 'pass: §', 'passphrase: "§"', 'password: |\n  §\n', 'api_token: >-\n  §\n', 'psk="§"'],
    ...['spring.datasource.password=§', 'REDISCLI_AUTH=§ redis-cli', 'ansible_ssh_pass=§', '_auth = §'],
  ],
  shells: [
    ...['setenv API_TOKEN §', 'set -gx API_TOKEN §', 'ENV API_TOKEN §', '#define WIFI_PASSWORD "§"'],
    ...['gh secret set API_TOKEN --body "§"', "ALTER USER bob WITH PASSWORD '§';"],
  ],
  programs: [
    ...['sshpass -p § ssh h', 'plink -pw § h', 'redis-cli -h h -a § ping', 'curl -u bob:§ https://h/', 'unzip -P § a'],
    ...[
      'curl -sU "bob:§" https://h/',
      'ldapsearch -x -D cn=a -w § -b dc=x',
      'docker login -u u -p § reg',
      '7z x -p§ a',
    ],
    ...[
      'openssl enc -aes-256-cbc -pass pass:§ -in a',
      'keytool -list -keystore k -storepass §',
      'mysql -u root -p§ db',
    ],
    ...['smbclient //h/s -U bob%§', 'xfreerdp /u:bob /p:§ /v:h', 'echo "bob:§" | chpasswd', 'echo § | sudo -S ls'],
    ...['vault login §', 'htpasswd -b f bob §', 'lftp -u bob,§ sftp://h'],
  ],
  files: ['machine h.example login bob password §', 'db.example.com:5432:app:bob:§', '*:*:*:bob:§'],
  Chinese: ['密码：§', '密码:§', '密码=§', '密码是§', '密钥为“§”', '访问令牌: §', '口令是§', '口令为：§'],
};
const SECRETS = ['Hx7k' + 'Q2mZp9', 'orchid#' + 'Maple42'];

const escaped = (text: string) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const FORMS: Record<string, (text: string, secret: string) => string> = {
  plain: (text) => text,
  coloured: (text, secret) => text.replace(secret, `\x1b[32m${secret}\x1b[0m`),
  'with its colours printed': (text, secret) => text.replace(secret, `\\x1b[32m${secret}\\x1b[0m`),
  'with characters that have no width': (text, secret) => text.replace(secret, [...secret].join('\u200b')),
  'in JSON': (text) => JSON.stringify({ a: JSON.stringify({ text }) }),
  escaped: (text, secret) => JSON.stringify(text).replace(secret, escaped(secret)),
  'in base64': (text) => Buffer.from(`näher: ${text}`).toString('base64'),
  'in a listing': (text) => text.replace(/^/gm, '    12\t'),
  'in a diff': (text) => text.replace(/^/gm, '+'),
};

/** The text with everything replaced, as a person reads it. */
function redacted(text: string): string {
  let out = text;
  for (const { start, end, inside } of [...editsIn(text, new RedactionDetector())].reverse()) {
    const encoded = inside?.encoded.text ?? '';
    const kept = (inside?.edits ?? []).reduceRight(
      (rest, edit) => rest.slice(0, edit.start) + rest.slice(edit.end),
      encoded,
    );
    out = out.slice(0, start) + kept + out.slice(end);
  }
  return out
    .replace(/\u200b|\\?\x1b\[\d*m/g, '')
    .replace(/\\u([0-9a-f]{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe.each(Object.entries(FORMS))('a secret with a name, %s', (_, form) => {
  it.each(Object.entries(NAMED))('%s', (_, samples) => {
    const left = samples.flatMap((sample) =>
      SECRETS.filter((secret) => redacted(form(sample.replaceAll('§', secret), secret)).includes(secret)).map(
        () => sample,
      ),
    );
    expect(left).toEqual([]);
  });
});

describe('a value behind a name', () => {
  it.each(['$aB3xY9kLmQ', '%aB3xY9kLmQ', 'your9Xk2mQpL', '48215936', '"4821593604"'])('is a secret: %s', (value) => {
    expect(redacted(`DB_PASSWORD=${value}`)).not.toContain(value.replaceAll('"', ''));
  });

  it.each(['postgres://bob:p@ss7word@db:5432/x', 'https://bob:ab/cd7ef@h.example/x'])(
    'of a URL has its signs: %s',
    (url) => {
      expect(redacted(url)).toMatch(/^\w+:\/\/bob:@/);
    },
  );

  it.each([
    ...[
      'DB_PASSWORD=$DB_PASSWORD',
      `password=$` + '{DB_PASSWORD1}',
      'token = get_token(user1)',
      'password: %PASSWORD1%',
    ],
    ...[
      'token: $(cat token1)',
      'password = self.password1()',
      'apiKey: process.env.API_KEY1',
      'password: your-password-here',
    ],
    ...[
      '3 tokens: 4096',
      '"token_usage": 48215936',
      'the password is required',
      'pass: 12 tests',
      '"max_tokens": 81920000',
    ],
    ...[
      '{"id":"cline-pass","name":"Sign in with ClinePass"}',
      'type Token = string',
      'token: "identifier"',
      'passed: 48215936',
    ],
    ...['密码不能为空', '请输入密码：', '密码是什么', 'http://localhost:8080/a@b'],
  ])('is none: %s', (text) => {
    expect(editsIn(text, new RedactionDetector())).toEqual([]);
  });
});
