#!/bin/bash
# A replica that streams from the Postgres at PRIMARY_HOST: copies it at the first start, then follows it.
set -euo pipefail

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  PGPASSWORD="$POSTGRES_PASSWORD" gosu postgres pg_basebackup \
    --host="$PRIMARY_HOST" --username="$POSTGRES_USER" --pgdata="$PGDATA" --wal-method=stream --write-recovery-conf --checkpoint=fast
fi
exec gosu postgres postgres
