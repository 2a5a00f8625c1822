#!/usr/bin/env bash
# Makes one backup, while everything runs: backup.sh [--keep-days N] [--no-keys] FOLDER
#
# FOLDER/careervector-TIME/ then holds the database (db.sqlite3, or db.dump of pg_dump), the keys folder where the data
# folder has one (keys.tar), the heads of the audit chains from just before (heads.json) and the sums of all
# (SHA256SUMS). Which database: DATABASE_URL, else the SQLite file of CAREERVECTOR_DATA. The last line printed is the
# backup's place. Exit 1: it was made, but the audit chains do not hold; exit 2: it was not made.
#
# With CAREERVECTOR_BACKUP_FILTER (for instance "age -r age1…" or "gpg --encrypt --recipient …") all of it goes
# through that command into the one file careervector-TIME.tar.sealed, and nothing stays unsealed.
# --keep-days N deletes older backups afterwards: keep them as long as you promised people, and no longer.
set -euo pipefail
umask 077
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
python="${PYTHON:-$here/.venv/bin/python}"
data="${CAREERVECTOR_DATA:-$here/.data}"
keep_days=
with_keys=yes

fail() { echo "error: $*" >&2; exit 2; }
while [ $# -gt 1 ]; do
    case "$1" in
        --keep-days) keep_days="$2"; shift 2 ;;
        --no-keys) with_keys=; shift ;;
        *) fail "unknown option $1" ;;
    esac
done
[ $# = 1 ] && [ -n "$1" ] || fail "usage: backup.sh [--keep-days N] [--no-keys] FOLDER"
[ -z "$keep_days" ] || [ "$keep_days" -ge 1 ] 2>/dev/null || fail "--keep-days takes a number of days"
mkdir -p "$1"
target="$(cd "$1" && pwd)"
name="careervector-$(date -u +%Y%m%dT%H%M%SZ)"
[ ! -e "$target/$name" ] && [ ! -e "$target/$name.tar.sealed" ] || fail "$target/$name is there already"
draft="$target/.$name.partial"
trap 'rm -rf "$draft" "$target/.$name.sealing"' EXIT
mkdir "$draft"

# Keys first: they are made once. Heads before the database, which then cannot be behind them.
if [ -n "$with_keys" ] && [ -d "$data/keys" ]; then tar -C "$data" -cf "$draft/keys.tar" keys; fi
status=0
"$python" "$here/manage.py" verify_audit --export-head "$draft/heads.json" >"$draft/audit.txt" || status=1
if [ "$status" = 0 ]; then rm "$draft/audit.txt"; else echo "warning: the audit chains do not hold; see audit.txt" >&2; fi

case "${DATABASE_URL:-}" in
    postgres*)
        # Into the environment, not into the arguments, which everybody on the machine can read.
        settings="$("$python" "$here/deploy/connection.py")"
        eval "$settings"
        "${PG_DUMP:-pg_dump}" --format=custom --no-owner --no-privileges --file="$draft/db.dump"
        ;;
    *)
        case "${DATABASE_URL:-}" in sqlite:///*) file="${DATABASE_URL#sqlite:///}" ;; *) file="$data/db.sqlite3" ;; esac
        [ -f "$file" ] || fail "there is no database at $file"
        # One moment of it, whole, without the free pages, in which erased things may still lie; writers go on.
        "$python" - "$file" "$draft/db.sqlite3" <<'PYTHON'
import os
import sqlite3
import sys

source, copy = sys.argv[1:]
with sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=60) as database:
    database.execute("VACUUM INTO ?", [copy])
with sqlite3.connect(copy) as database:
    found = database.execute("PRAGMA integrity_check").fetchone()[0]
if found != "ok":
    sys.exit(f"error: the copy is damaged: {found}")
with open(copy, "rb") as file:
    os.fsync(file.fileno())
PYTHON
        ;;
esac
(cd "$draft" && sha256sum -- * > SHA256SUMS)

if [ -n "${CAREERVECTOR_BACKUP_FILTER:-}" ]; then
    tar -C "$draft" -cf - . | sh -c "$CAREERVECTOR_BACKUP_FILTER" > "$target/.$name.sealing"
    sync "$target/.$name.sealing"
    mv "$target/.$name.sealing" "$target/$name.tar.sealed"
    made="$target/$name.tar.sealed"
else
    sync "$draft"/*
    mv "$draft" "$target/$name"
    made="$target/$name"
fi
if [ -n "$keep_days" ]; then
    find "$target" -maxdepth 1 -name 'careervector-*' -mtime "+$((keep_days - 1))" -exec rm -rf {} +
fi
echo "$made"
exit "$status"
