/** The script and the style of the viewer, as the build has put them into dist. */
import { readFileSync } from 'node:fs';
import { Failure } from '../../model/failure.ts';
import { installedPath } from '../../storage/system/installation.ts';

export interface Viewer {
  script: string;
  style: string;
}

export function viewerFiles(): Viewer {
  const script = read('viewer.js');
  const style = read('viewer.css');
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Failure('the viewer cannot be put into a page', 'its script or style would end the element around it');
  return { script, style };
}

function read(name: string): string {
  try {
    return readFileSync(installedPath(`dist/viewer/${name}`), 'utf8');
  } catch {
    throw new Failure(
      'the viewer of HTML pages is missing from this installation',
      'install wiretape again, or: npm run build',
    );
  }
}
