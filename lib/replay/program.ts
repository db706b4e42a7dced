/** The program itself, for children of it. */
import { fileURLToPath } from 'node:url';

/** The path is the same from dist/lib and from the chunks in dist/bin. */
export const PROGRAM = fileURLToPath(new URL('../../bin/wiretape.js', import.meta.url));
