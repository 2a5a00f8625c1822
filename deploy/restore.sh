#!/usr/bin/env bash
# Puts a backup in the place of the database: restore.sh [--replace] [--erased FILE] BACKUP
#
# BACKUP is a folder that backup.sh made (open a sealed one first: "… --decrypt FILE | tar -x -C FOLDER"). Stop web,
# worker and beat before; start them when this has ended well. In this order: sums, database, migrations, audit chains
# against the backup's heads, erasures that came after the backup, every document against its log, new epochs (so that
# pages that saw more than the backup has reload instead of mixing it in).
#
# A database that is not empty is replaced only with --replace; an SQLite file is kept beside it as
# db.sqlite3.replaced-TIME until you delete it. Erasures that the current database knows and the backup does not are
# done again; where the current one is lost, --erased FILE names their workspaces, one a line.
set -euo pipefail
umask 077
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
python="${PYTHON:-$here/.venv/bin/python}"
data="${CAREERVECTOR_DATA:-$here/.data}"
replace=
erased=

fail() { echo "error: $*" >&2; exit 2; }
manage() { "$python" "$here/manage.py" "$@"; }
while [ $# -gt 1 ]; do
    case "$1" in
        --replace) replace=yes; shift ;;
        --erased) erased="$2"; shift 2 ;;
        *) fail "unknown option $1" ;;
    esac
done
[ $# = 1 ] && [ -d "$1" ] || fail "usage: restore.sh [--replace] [--erased FILE] BACKUP"
backup="$(cd "$1" && pwd)"
[ -z "$erased" ] || [ -r "$erased" ] || fail "cannot read $erased"
(cd "$backup" && sha256sum --quiet --check SHA256SUMS) || fail "the backup is damaged"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if [ -n "$erased" ]; then cp "$erased" "$work/erased"; else : > "$work/erased"; fi
tombstones="SELECT id FROM workspaces_workspace WHERE erased_at IS NOT NULL"
unknown="note: the current database cannot say what was erased"

mkdir -p "$data"
if [ -f "$backup/keys.tar" ]; then
    tar -C "$work" -xf "$backup/keys.tar"
    if [ -f "$data/keys/audit" ] && ! cmp -s "$data/keys/audit" "$work/keys/audit"; then
        fail "the audit key in $data/keys is another one than the backup's: its chains would not hold"
    fi
    mkdir -p -m 0700 "$data/keys"
    for key in "$work"/keys/*; do [ -e "$data/keys/$(basename "$key")" ] || cp -p "$key" "$data/keys/"; done
fi

if [ -f "$backup/db.dump" ]; then
    case "${DATABASE_URL:-}" in postgres*) ;; *) fail "the backup is of PostgreSQL; set DATABASE_URL" ;; esac
    settings="$("$python" "$here/deploy/connection.py")"
    eval "$settings"
    psql() { "${PSQL:-psql}" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@"; }
    mine="datname = current_database() AND pid <> pg_backend_pid()"
    others="$(psql -c "SELECT count(*) FROM pg_stat_activity WHERE $mine AND backend_type = 'client backend'")"
    [ "$others" = 0 ] || fail "something is connected to the database ($others connections): stop web, worker and beat"
    if [ "$(psql -c "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")" != 0 ]; then
        [ -n "$replace" ] || fail "the database is not empty; --replace takes the backup in its place"
        psql -c "$tombstones" >> "$work/erased" 2>/dev/null || echo "$unknown"
        psql -c "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
    fi
    "${PG_RESTORE:-pg_restore}" --single-transaction --exit-on-error --no-owner --no-privileges --dbname="$PGDATABASE" \
        "$backup/db.dump"
else
    case "${DATABASE_URL:-}" in
        postgres*) fail "the backup is of SQLite; DATABASE_URL names PostgreSQL" ;;
        sqlite:///*) file="${DATABASE_URL#sqlite:///}" ;;
        *) file="$data/db.sqlite3" ;;
    esac
    if [ -e "$data/run/lock" ] && ! flock --nonblock --shared "$data/run/lock" true; then
        fail "CareerVector is running on $data: stop it first"
    fi
    if [ -s "$file" ]; then
        [ -n "$replace" ] || fail "there is a database already; --replace takes the backup in its place"
        "$python" - "$file" "$tombstones" >> "$work/erased" 2>/dev/null <<'PYTHON' || echo "$unknown"
import sqlite3
import sys

with sqlite3.connect(sys.argv[1], timeout=60) as database:
    rows = database.execute(sys.argv[2]).fetchall()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
print("".join(f"{row[0]}\n" for row in rows), end="")
PYTHON
        mv "$file" "$file.replaced-$(date -u +%Y%m%dT%H%M%SZ)"
    fi
    rm -f "$file" "$file-wal" "$file-shm"
    cp "$backup/db.sqlite3" "$file.restoring"
    sync "$file.restoring"
    mv "$file.restoring" "$file"
fi

manage migrate --no-input --verbosity 0
# Checked before anything is written: an erasure empties reasons, but the chain holds.
if [ -f "$backup/heads.json" ]; then manage verify_audit --head "$backup/heads.json"; else manage verify_audit; fi
sort -u "$work/erased" | while read -r workspace; do
    [ -n "$workspace" ] || continue
    manage erase_workspace "$workspace" --yes </dev/null || echo "note: the backup does not know $workspace"
done
manage check_documents
manage renew_epochs
echo "restored $backup; start web, worker and beat"
