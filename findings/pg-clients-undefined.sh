#!/bin/sh
# A row with `owner: undefined`, and a default for the column: pg 8.23.1 and pg-promise 12.7.1 store NULL, kysely 0.29.9 and
# drizzle-orm 0.45.0 the default. postgres 3.4.9 (postgres.js) refuses it.
. "$(dirname "$0")/lib.sh"
in_postgres postgres@3.4.9 pg-promise@12.7.1 kysely@0.29.9 drizzle-orm@0.45.0 <<'PROGRAM'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import pgPromise from 'pg-promise'
import postgres from 'postgres'
const client = await connect()
await client.query(`create table flags (key text, owner text default 'nobody')`)
const sql = postgres(address)
const pgp = pgPromise({ noWarnings: true })
const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: address }) }) })
const flags = pgTable('flags', { key: text('key'), owner: text('owner').default('nobody') })
const row = { key: 'a', owner: undefined }
const ways = {
  pg: () => client.query('insert into flags values ($1, $2)', [row.key, row.owner]),
  'pg-promise': () => pgp(address).none(pgp.helpers.insert(row, null, 'flags')),
  kysely: () => db.insertInto('flags').values(row).execute(),
  drizzle: () => drizzle(address).insert(flags).values(row),
  'postgres.js': () => sql`insert into flags ${sql(row)}`,
}
for (const [name, insert] of Object.entries(ways)) {
  await client.query('delete from flags')
  const error = await insert().then(() => '', ({ code }) => code)
  const { rows } = await client.query('select owner from flags')
  console.log(name, error || rows[0].owner)
}
await sql.end()
PROGRAM
seen 'the owner' 'pg null
pg-promise null
kysely nobody
drizzle nobody
postgres.js UNDEFINED_VALUE' "$(cat out)"
