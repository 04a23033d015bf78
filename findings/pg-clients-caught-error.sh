#!/bin/sh
# A statement in a transaction fails, the program catches that and returns. PostgreSQL rolls back. The transactions of drizzle-orm
# 0.45.0 and pg-promise 12.7.1 resolve all the same; those of kysely 0.29.9 and postgres 3.4.9 (postgres.js) reject.
. "$(dirname "$0")/lib.sh"
in_postgres postgres@3.4.9 pg-promise@12.7.1 kysely@0.29.9 drizzle-orm@0.45.0 <<'PROGRAM'
import { sql as text } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Kysely, PostgresDialect, sql as raw } from 'kysely'
import pg from 'pg'
import pgPromise from 'pg-promise'
import postgres from 'postgres'
const client = await connect()
await client.query('create table flags (key text)')
const sql = postgres(address)
const body = async query => {
  await query(`insert into flags values ('a')`)
  await query('select 1 / 0').catch(() => {})
  return 'resolved'
}
const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: address }) }) })
const ways = {
  drizzle: () => drizzle(address).transaction(tx => body(statement => tx.execute(text.raw(statement)))),
  'pg-promise': () => pgPromise({ noWarnings: true })(address).tx(tx => body(statement => tx.any(statement))),
  kysely: () => db.transaction().execute(tx => body(statement => raw.raw(statement).execute(tx))),
  'postgres.js': () => sql.begin(tx => body(statement => tx.unsafe(statement))),
}
for (const [name, run] of Object.entries(ways)) {
  const answer = await run().catch(({ message }) => message)
  const { rows } = await client.query('select count(*)::int as n from flags')
  console.log(`${name}: ${answer}, ${rows[0].n} rows`)
}
await sql.end()
PROGRAM
seen 'the answer and what is stored' 'drizzle: resolved, 0 rows
pg-promise: resolved, 0 rows
kysely: Transaction was rolled back instead of committed, 0 rows
postgres.js: division by zero, 0 rows' "$(cat out)"
