#!/bin/sh
# @electric-sql/pglite 0.5.16: `listen('Changes')` hears the channel `changes`, and not "Changes", on which `pg_notify('Changes',
# ...)` sends. postgres 3.4.9 (postgres.js) listens to the channel of exactly that name.
. "$(dirname "$0")/lib.sh"
in_postgres @electric-sql/pglite@0.5.16 postgres@3.4.9 <<'PROGRAM'
import { PGlite } from '@electric-sql/pglite'
import postgres from 'postgres'
const sql = postgres(address)
const lite = await PGlite.create()
for (const [db, query] of [[sql, text => sql.unsafe(text)], [lite, text => lite.query(text)]]) {
  const heard = []
  await db.listen('Changes', payload => heard.push(payload))
  for (const name of ['Changes', 'changes']) await query(`select pg_notify('${name}', 'on ${name}')`)
  await wait(300)
  console.log(heard.join(' '))
}
await sql.end()
PROGRAM
seen 'postgres.js, then PGlite' 'on Changes
on changes' "$(cat out)"
