#!/bin/sh
# dclint 3.1.0: `--fix` deletes comments above the first key of a service when it sorts services, so a reason for a setting is lost.
# Comments at the end of a line stay. "8080:80" in double quotes is reported as not enclosed in quotes: it wants single ones.
. "$(dirname "$0")/lib.sh"
npm_packages dclint@3.1.0
cat > docker-compose.yml <<'COMPOSE'
# The file.
name: a
services:
  # The worker.
  worker:
    # Version 2 loses jobs.
    image: w:1 # pinned
  api:
    # Only for the office.
    image: a:1
    ports:
      - "127.0.0.1:8080:80"
COMPOSE
npx dclint docker-compose.yml > report.log 2>&1 || true
seen 'the report of quotes' 'enclosed in quotes' "$(grep -o 'enclosed in quotes' report.log)"
npx dclint --fix docker-compose.yml > fix.log 2>&1 || true
seen 'the file' "# The file.
name: a
services:
  api:
    image: a:1
    ports:
      - '127.0.0.1:8080:80'
  worker:
    image: w:1 # pinned" "$(cat docker-compose.yml)"
