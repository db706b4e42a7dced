#!/usr/bin/env bash
# Packs the project, installs the package globally into a temporary prefix, and records with it.
# --quick leaves out install scripts (and so the native build): recording does not need it. It packs a copy of what is
# built already, because packing rebuilds dist and replaces its launcher, which other tests are running.
set -euo pipefail
cd "$(dirname "$0")/../.."
repo=$PWD
quick=()
[ "${1-}" = --quick ] && quick=(--ignore-scripts)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ${#quick[@]} -gt 0 ]; then
  mkdir "$work/source"
  cp -a package.json README.md LICENSE bin dist samples "$work/source"
  cd "$work/source"
  npm_command=pack node dist/bin/install.js
fi
npm pack --silent ${quick[@]+"${quick[@]}"} --pack-destination "$work" > /dev/null
tarball=$(echo "$work"/wiretape-*.tgz)
npm install --global --prefix "$work/prefix" --prefer-offline --no-audit --no-fund --allow-scripts=better-sqlite3,wiretape \
  ${quick[@]+"${quick[@]}"} "$tarball" > "$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }

export WIRETAPE_HOME="$work/store" PATH="$work/prefix/bin:$PATH"
cd "$work"
wiretape --version
echo '{"hello":"world"}' | wiretape record -- cat
test "$(wiretape show last --raw --from agent)" = '{"hello":"world"}'
wiretape shim cat --out ./cat-shim --always
test "$(echo '{"hello":"shim"}' | env -i ./cat-shim)" = '{"hello":"shim"}'
test "$(wiretape show last --raw --from agent)" = '{"hello":"shim"}'
wiretape demo > demo.txt
grep -q 'intact' demo.txt
wiretape verify
# The example of docs/library.md, on what the demo recorded.
ln -s "$work/prefix/lib/node_modules" node_modules
sed -n '/^```js example$/,/^```$/p' "$repo/docs/library.md" | sed '1d;$d' > example.mjs
node example.mjs > example.txt
grep -q '^wire: 7 turns' example.txt
grep -q ': allow by client$' example.txt
grep -q ' waited 0\.[0-9]* s$' example.txt
echo "packed, installed, recorded: ok"
