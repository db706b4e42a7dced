// Finishes the build: puts a two-line sh preamble in front of the compiled program, so that NODE_OPTIONS meant for the
// agent never reaches our own Node (promise 7). The file stays valid JavaScript: for Node the second line is a string
// and a comment, and `node dist/bin/wiretape.js` works as well. The program gives the agent its NODE_OPTIONS back.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';

const target = new URL('../dist/bin/wiretape.js', import.meta.url);
const preamble = `#!/bin/sh
":" //; [ -z "\${NODE_OPTIONS-}" ] || { export WIRETAPE_NODE_OPTIONS="$NODE_OPTIONS"; unset NODE_OPTIONS; }; exec node "$0" "$@"
`;
const compiled = readFileSync(target, 'utf8').replace(/^#![^\n]*\n/, '');
writeFileSync(target, preamble + compiled);
chmodSync(target, 0o755);
