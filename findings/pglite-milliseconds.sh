#!/bin/sh
# Times of @electric-sql/pglite 0.5.16 have milliseconds, those of PostgreSQL 18.4 microseconds. So a row is found again with the
# Date that was read of it in PGlite, and not in PostgreSQL; and rows of one millisecond have one time.
. "$(dirname "$0")/lib.sh"
in_postgres @electric-sql/pglite@0.5.16 <<'PROGRAM'
import { PGlite } from '@electric-sql/pglite'
for (const db of [await connect(), await PGlite.create()]) {
  await db.query('create table changes (at timestamptz default clock_timestamp(), n int)')
  await db.query('insert into changes (n) select * from generate_series(1, 50)')
  const { rows } = await db.query('select at from changes')
  let found = 0
  for (const { at } of rows) found += (await db.query('select 1 from changes where at = $1', [at])).rows.length > 0 ? 1 : 0
  const { rows: times } = await db.query('select count(distinct at)::int as n from changes')
  console.log(found === 50 ? 'all found' : 'not all found', times[0].n > 25 ? 'distinct' : 'equal')
}
PROGRAM
seen 'PostgreSQL, then PGlite' 'not all found distinct
all found equal' "$(cat out)"
