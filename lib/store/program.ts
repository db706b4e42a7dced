/** The path of this program, to start it again. The bundle and the library are equally deep in dist. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUILT = fileURLToPath(new URL('../../bin/wiretape.js', import.meta.url));
/** Where it is for code that runs from the sources. */
const FROM_SOURCES = fileURLToPath(new URL('../../dist/bin/wiretape.js', import.meta.url));

export const PROGRAM = existsSync(BUILT) ? BUILT : FROM_SOURCES;
