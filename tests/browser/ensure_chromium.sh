#!/bin/sh
# Make sure that a Chromium is there for the browser tests: one that is installed, else from the
# system's package manager, else playwright's own. Without any, those tests are skipped, loudly.
python=$1

found() {
    [ -n "$CHROMIUM" ] && [ -x "$CHROMIUM" ] && return 0
    for name in chromium-headless-shell chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    "$python" -c '
import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    sys.exit(not os.path.exists(p.chromium.executable_path))' 2>/dev/null
}

found && exit 0
if command -v apt-get >/dev/null 2>&1; then
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    echo "Installing chromium for the browser tests..." >&2
    DEBIAN_FRONTEND=noninteractive $as_root apt-get update -qq >/dev/null 2>&1
    for name in chromium-headless-shell chromium; do
        DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq $name >/dev/null 2>&1
        found && exit 0
    done
fi
"$python" -m playwright install chromium >/dev/null 2>&1
found && exit 0
echo "*** No Chromium could be had: the browser tests will be SKIPPED. Set CHROMIUM=/path/to/it. ***" >&2
exit 0
