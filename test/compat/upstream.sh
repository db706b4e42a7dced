#!/usr/bin/env bash
# Runs kimi-cli's own end-to-end suite (tests_e2e in a checkout of its repository) twice, directly and with
# `wiretape record --` in front of kimi: every test that passes directly must pass behind the recorder.
#   upstream.sh CHECKOUT [PYTEST-ARGUMENTS...]
# Uses CHECKOUT/.venv where `uv sync` has made one, else a virtual environment of its own in the compat cache.
set -euo pipefail
[ $# -ge 1 ] && [ -d "$1/tests_e2e" ] || { echo "usage: upstream.sh CHECKOUT-OF-KIMI-CLI [PYTEST-ARGUMENTS...]" >&2; exit 2; }
checkout=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/../.."
root=$PWD
cache=${WIRETAPE_COMPAT_CACHE:-$root/.cache/compat}
[ -x dist/bin/wiretape.js ] || npm run build

venv=$checkout/.venv
if [ ! -x "$venv/bin/kimi" ] || [ ! -x "$venv/bin/pytest" ]; then
  venv=$cache/upstream
  # One environment, for the checkout that was named last.
  wanted="$checkout $(git -C "$checkout" rev-parse HEAD 2> /dev/null || cksum < "$checkout/pyproject.toml")"
  if [ "$(cat "$venv/installed" 2> /dev/null)" != "$wanted" ]; then
    # The Python that `npm run compat` has found.
    python=${PYTHON:-$cache/kimi-cli-1.49.0/venv/bin/python}
    echo "upstream: installing $checkout into $venv"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet "$checkout" pytest pytest-asyncio inline-snapshot
    echo "$wanted" > "$venv/installed"
  fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WIRETAPE_HOME="$work/store"
# Without it every start of kimi would compile all of its modules.
unset PYTHONDONTWRITEBYTECODE

# suite NAME COMMAND [PYTEST-ARGUMENTS...]: leaves the results in NAME.xml; failed tests are no error yet
suite() {
  local name=$1 command=$2
  shift 2
  echo "upstream: $name"
  (cd "$checkout" && KIMI_E2E_WIRE_CMD="$command" "$venv/bin/python" -m pytest tests_e2e -q -p no:cacheprovider \
    --inline-snapshot=disable --junitxml="$work/$name.xml" "$@") || [ $? -eq 1 ]
}
suite directly "$venv/bin/kimi" "$@"
suite recorded "$root/dist/bin/wiretape.js record -- $venv/bin/kimi" "$@"

"$venv/bin/python" - "$work/directly.xml" "$work/recorded.xml" <<'PYTHON'
import sys
from xml.etree import ElementTree

def passed(path):
    cases = ElementTree.parse(path).iter("testcase")
    return {f"{c.get('classname')}.{c.get('name')}" for c in cases if all(e.tag in ("system-out", "properties") for e in c)}

directly, recorded = map(passed, sys.argv[1:])
for name in sorted(directly - recorded):
    print(f"upstream: passes directly, fails behind the recorder: {name}")
print(f"upstream: {len(directly)} pass directly, {len(directly & recorded)} of them behind the recorder")
sys.exit(not directly or bool(directly - recorded))
PYTHON
"$root/dist/bin/wiretape.js" verify > "$work/verified" || { cat "$work/verified"; exit 1; }
echo "upstream: $(find "$WIRETAPE_HOME/sessions" -name wire.jsonl | wc -l) tapes, all intact"
