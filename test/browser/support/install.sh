#!/usr/bin/env bash
# Installs Debian's Chromium for test/browser where no browser is found and packages can be installed. Without a browser
# these tests are skipped, so nothing here is an error.
set -uo pipefail

for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
  if [ -n "$name" ] && command -v "$name" > /dev/null; then
    echo "browser: $(command -v "$name")"
    exit 0
  fi
done

as_root=()
if ! command -v apt-get > /dev/null; then
  echo 'browser: none, and no apt-get to install one with; test/browser will be skipped'
  exit 0
elif [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null || ! sudo -n true 2> /dev/null; then
    echo 'browser: none, and no right to install one; test/browser will be skipped'
    exit 0
  fi
  as_root=(sudo -n)
fi

install() {
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --quiet --no-install-recommends chromium < /dev/null
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The list of packages may be old or missing.
if install > "$log" 2>&1 || { ${as_root[@]+"${as_root[@]}"} apt-get update --quiet < /dev/null >> "$log" 2>&1 && install >> "$log" 2>&1; }; then
  echo "browser: $(command -v chromium), installed"
else
  tail -n 5 "$log"
  echo 'browser: chromium cannot be installed here; test/browser will be skipped'
fi
exit 0
