/** Opens a page in the browser. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../model/failure.ts';
import { writeFileAt } from '../../storage/files/output.ts';
import { escaped } from './html-escape.ts';

/** `at`: a frame. Programs that open files drop what is behind `#`, so a small page leads there. */
export async function openInBrowser(page: string, at: number | null, env: NodeJS.ProcessEnv): Promise<void> {
  const [program, ...words] = browserCommand(env);
  const file = at === null ? resolve(page) : writeRedirectPage(`${pathToFileURL(resolve(page))}#f${at}`);
  const child = spawn(program!, [...words, file], { stdio: 'ignore', detached: true, env });
  await new Promise<void>((done, fail) => {
    child.on('spawn', done);
    child.on('error', () =>
      fail(new Failure(`cannot run ${program} to open ${page}`, 'open it yourself, or name a program in BROWSER')),
    );
  });
  child.unref();
}

function browserCommand({ BROWSER }: NodeJS.ProcessEnv): string[] {
  if (BROWSER) return [BROWSER];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}

function writeRedirectPage(url: string): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 12);
  const path = join(tmpdir(), `wiretape-open-${name}.html`);
  const link = escaped(url);
  const page = [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">\n`,
    `<meta http-equiv="refresh" content="0; url=${link}">\n<title>wiretape</title>\n</head>\n`,
    `<body><p><a href="${link}">The page</a></p></body>\n</html>\n`,
  ];
  writeFileAt(path, page, { force: true });
  return path;
}
