#!/bin/sh
# dclint 3.1.0 checks the schema of Compose, not what names mean: it accepts volumes, networks, secrets and services that are not
# declared, `restart: sometimes` and an interval of "soon". An unknown key is reported at 1:1, without its name.
. "$(dirname "$0")/lib.sh"
npm_packages dclint@3.1.0
cat > docker-compose.yml <<'COMPOSE'
name: a
services:
  worker:
    image: w:1
    depends_on:
      - nobody
    volumes:
      - nowhere:/data
    secrets:
      - nothing
    networks:
      - nowhere
    restart: sometimes
    healthcheck:
      test: ['CMD', 'true']
      interval: soon
COMPOSE
code=0
npx dclint docker-compose.yml > report.log 2>&1 || code=$?
seen 'exit code, report' '0 ' "$code $(cat report.log)"
sed 's/restart: sometimes/restarts: always/' docker-compose.yml > compose.yml
npx dclint -f unix compose.yml > report.log 2>&1 || code=$?
seen 'exit code, place, name' '1 1 0' "$code $(grep -c '1:1 ' report.log) $(grep -c restarts report.log || true)"
