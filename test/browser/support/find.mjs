// The browser of the machine. Tests that need one are skipped without it, and say so.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

export const NO_BROWSER = 'no browser: set CHROMIUM, or install chromium';

/**
 * What a browser without a window has no use for. The first two are pages of its own behind the address bar: for each
 * window they cost more than the page in it. The third is a process for a page that may be opened next. The last list of
 * a command line counts, so the rest repeats Playwright's.
 */
const UNUSED = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
  ...['AimEnabled', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding'],
  ...['PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
];

/** A page takes nothing from the network, and neither does the browser around it. Containers have no sandbox for root. */
export const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--no-first-run', '--disable-extensions'],
  `--disable-features=${UNUSED}`,
];

/** CHROMIUM, if it is set, else what is on the PATH; null if there is none. */
export function findBrowser(env = process.env) {
  if (env.CHROMIUM) return isProgram(env.CHROMIUM) ? env.CHROMIUM : null;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
