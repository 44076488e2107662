#!/bin/bash
# Runs once, when the primary's data directory is created: allows replicas in the same network to stream, with the password.
set -euo pipefail
echo 'host replication all samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"
