#!/bin/bash
# Run once, when the primary's data are made: lets replicas of the same network stream, with the password.
set -euo pipefail
echo 'host replication all samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"
