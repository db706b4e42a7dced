#!/usr/bin/env bash
# Packs the project, installs the package globally into a temporary prefix, and records with it.
# --quick leaves out install scripts (and so the native build): recording does not need it.
set -euo pipefail
cd "$(dirname "$0")/../.."
quick=()
[ "${1-}" = --quick ] && quick=(--ignore-scripts)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work" > /dev/null
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
echo "packed, installed, recorded: ok"
