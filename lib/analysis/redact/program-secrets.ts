/** Programs that take a password or a token on their command line, and what stands before it there. */
import { SECRET_VALUE } from '../../model/text/secret.ts';
import { isPlaceholderWord, isPseudonym } from './placeholders.ts';

/** Up to the option, in the same command: lines that end with a backslash go on. */
const WORDS = '(?:[^|;&\\n\\\\]|\\\\\\r?\\n|\\\\[^\\n]){0,300}?';
const ATTACHED = '';
const APART = '[ =]{1,3}';
const EITHER = '[ =]{0,3}';

/** A program (`_` is a blank), the option, and what stands between it and the value. */
const OPTIONS: readonly [programs: string, option: string, between: string][] = [
  ['sshpass', '-p', EITHER],
  ['mysql mysqldump mysqladmin mysqlimport mariadb', '-p', ATTACHED],
  ['redis-cli valkey-cli', '(?:-a|--pass)', APART],
  ['plink pscp psftp putty', '-pw', APART],
  ['ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd', '(?:-w|-s|-a)', APART],
  ['mongo mongosh mongodump mongorestore mongoexport mongoimport', '-p', APART],
  [
    'docker_login podman_login nerdctl_login buildah_login skopeo_login oras_login crane_auth_login helm_registry_login',
    '-p',
    EITHER,
  ],
  ['az_login', '-p', APART],
  ['7z 7za 7zr 7zz rar unrar', '-(?:p|hp)', ATTACHED],
  ['zip unzip zipcloak', '-P', EITHER],
  ['openssl', '-(?:k|K|passin|passout|pass)', ' {1,3}(?:pass:)?'],
  ['gpg gpg2', '--passphrase', APART],
  ['keytool jarsigner', '-(?:storepass|keypass|srcstorepass|deststorepass)', APART],
  ['sqlcmd bcp osql isql', '-P', EITHER],
  ['ipmitool', '-P', APART],
  ['rdesktop', '-p', APART],
  ['xfreerdp wlfreerdp mstsc', '/p:', ATTACHED],
  ['useradd usermod', '(?:-p|--password)', APART],
  ['smbclient rpcclient smbmap net', '-U ?[^\\s%]{1,60}%', ATTACHED],
  ['lftp', '-u [^\\s,]{1,60},', ATTACHED],
  ['htpasswd', '-[a-zA-Z]{0,4}b[a-zA-Z]{0,4} {1,3}[^\\s]{1,100} {1,3}[^\\s]{1,60}', ' {1,3}'],
  ['rabbitmqctl', '(?:add_user|change_password) {1,3}[^\\s]{1,60}', ' {1,3}'],
  ['vault', 'login(?: -method=\\w{1,20})?', ' {1,3}(?!-|\\w{1,20}=)'],
  ['net_use', '\\\\{2,8}[^\\s]{1,100}', ' {1,3}(?!/)'],
  ['http https xh', '(?:-a|--auth)[ =][^\\s:]{1,60}:', ATTACHED],
  ['wget', '--(?:http-|ftp-|proxy-)?password', APART],
];

/** What an echo sends to a program that reads a password. */
const PIPED = new RegExp(
  `(?:echo|printf)(?: -\\w{1,3})? {1,3}(${SECRET_VALUE})(?= {0,3}\\| {0,3}(?:sudo -\\S{0,4}S|kinit|passwd|cryptsetup|docker login|gh auth login|su\\b))`,
  'y',
);
const PIPED_PAIR =
  /(?:echo|printf) {1,3}\\{0,3}["']?[^\s:"'|]{1,60}:([^\s"'|\\]{1,200})(?=\\{0,3}["']? {0,3}\| {0,3}(?:sudo )?chpasswd)/y;

const isTyped = (value: string): boolean => {
  const text = value.replace(/^\\*["']|\\*["']$/g, '');
  if (text.length < 3 || isPlaceholderWord(text) || isPseudonym(text)) return false;
  return !/^(?:\$[A-Z_{(]|\$\w+$|%\w+%|<|-|\*{3}|your)|\$\(|`|^pass:\$|^(?:env|file|stdin|fd):/i.test(text);
};

export const PROGRAM_SECRETS = [
  ...OPTIONS.flatMap(([programs, option, between]) =>
    programs.split(' ').map((program) => {
      const start = program.replaceAll('_', ' ');
      return {
        start,
        form: new RegExp(`${start}(?:\\.exe)?(?= )${WORDS} ${option}${between}(${SECRET_VALUE})`, 'y'),
        kind: 'password',
        counts: isTyped,
      };
    }),
  ),
  ...['echo ', 'printf '].flatMap((start) =>
    [PIPED, PIPED_PAIR].map((form) => ({ start, form, kind: 'password', counts: isTyped })),
  ),
];
