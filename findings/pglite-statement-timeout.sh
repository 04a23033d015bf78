#!/bin/sh
# @electric-sql/pglite 0.5.16 accepts `statement_timeout`, also shows it, and never ends a statement. PostgreSQL 18.4 does. So a
# test on PGlite does not see what a timeout of the store does.
. "$(dirname "$0")/lib.sh"
in_postgres @electric-sql/pglite@0.5.16 <<'PROGRAM'
import { PGlite } from '@electric-sql/pglite'
for (const db of [await connect(), await PGlite.create()]) {
  await db.query(`set statement_timeout = '100ms'`)
  const shown = (await db.query('show statement_timeout')).rows[0].statement_timeout
  console.log(shown, await db.query('select pg_sleep(1)').then(() => 'finished', ({ code }) => code))
}
PROGRAM
seen 'PostgreSQL, then PGlite' '100ms 57014
100ms finished' "$(cat out)"
