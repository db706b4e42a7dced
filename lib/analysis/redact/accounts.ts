/** User names that programs print: owners in `ls -l`, the output of `id`, and lines of /etc/passwd. */
import type { Hit } from './kinds.ts';
import { isIdentifying } from './machine-identity.ts';

/** Accounts and groups that systems and packages make. */
const SYSTEM_ACCOUNTS = new Set(
  (
    'staff wheel sudo users video audio input plugdev docker dialout netdev cdrom floppy games games lpadmin tape disk kmem shadow ' +
    'sync list irc gnats proxy uucp operator everyone _www _spotlight www-data apache nginx httpd caddy mysql postgres mongodb redis ' +
    'rabbitmq elasticsearch kafka zookeeper grafana prometheus jenkins gitlab-runner systemd-network systemd-resolve ' +
    'systemd-timesync systemd-journal systemd-coredump messagebus polkitd sshd ntp chrony avahi colord pulse rtkit saned usbmux ' +
    'uuidd syslog landscape tcpdump _apt nogroup node app appuser circleci travis vagrant ec2-user azureuser cloud-user core ' +
    'adm bin daemon mail halt shutdown ftp nfsnobody rpc rpcuser dbus tss crontab ssh utmp lxd render sgx kvm libvirt wireshark'
  ).split(' '),
);

const isPerson = (name: string): boolean =>
  isIdentifying(name) && !SYSTEM_ACCOUNTS.has(name) && !name.startsWith('systemd-');

/** A name, and where it stands. */
function hitAt(start: number, name: string): Hit[] {
  return isPerson(name) ? [{ kind: 'user', start, end: start + name.length, from: start, strong: false }] : [];
}

/** From the second letter of the rights on: an owner, a group and a size. */
const LS_LINE =
  /[-dlcbps]([r-][w-][xsS-][r-][w-][xsS-][r-][w-][xtT-][.+@]?[ \t]{1,4}[0-9]{1,7}[ \t]{1,4})([^\s"\\:/]{1,32})([ \t]{1,32})([^\s"\\:/]{1,32})[ \t]{1,16}[0-9]/y;

/** The owner and the group of a line of `ls -l` in which `rw` or `r-` stands here. */
export function ownersHits(text: string, at: number): Hit[] {
  if (at === 0 || /[A-Za-z0-9]/.test(text[at - 2] ?? '')) return [];
  LS_LINE.lastIndex = at - 1;
  const found = LS_LINE.exec(text);
  if (!found) return [];
  const [, rights, owner, gap, group] = found as unknown as [string, string, string, string, string];
  const start = at + rights.length;
  return [...hitAt(start, owner), ...hitAt(start + owner.length + gap.length, group)];
}

const ID_OUTPUT =
  /uid=[0-9]{1,10}\([^()\s]{1,64}\)(?: [a-z]{3,7}=[0-9]{1,10}\([^()\s]{1,64}\)(?:,[0-9]{1,10}\([^()\s]{1,64}\)){0,64}){0,4}/y;

/** The names in what `id` prints. */
export function idHits(text: string, at: number): Hit[] {
  ID_OUTPUT.lastIndex = at;
  const [printed] = ID_OUTPUT.exec(text) ?? [''];
  return [...printed.matchAll(/\(([^()]+)\)/g)].flatMap(({ index, 1: name }) => hitAt(at + index + 1, name!));
}

const PASSWD_LINE = /:x:([0-9]{1,10}):[0-9]{1,10}:([^:\n\\"]{0,100}):[^:\n"]{0,200}:/y;
/** People have numbers from here on. */
const MIN_PERSON_ID = 500;

/** The user and the full name of a line of /etc/passwd in which `:x:` stands here. */
export function passwdHits(text: string, at: number): Hit[] {
  PASSWD_LINE.lastIndex = at;
  const found = PASSWD_LINE.exec(text);
  if (!found || Number(found[1]) < MIN_PERSON_ID) return [];
  let start = at;
  while (start > 0 && at - start < 32 && /[A-Za-z0-9._-]/.test(text[start - 1]!)) start--;
  const full = found[2]!.split(',')[0]!;
  const fullAt = text.indexOf(`:${found[2]}:`, at + 3 + found[1]!.length) + 1;
  const isFull = /\p{L}{2}/u.test(full) && full !== text.slice(start, at) && isPerson(full);
  return [...hitAt(start, text.slice(start, at)), ...(isFull ? hitAt(fullAt, full) : [])];
}
