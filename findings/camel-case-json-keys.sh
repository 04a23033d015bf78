#!/bin/sh
# `postgres.camel` of postgres 3.4.9 (postgres.js) and the CamelCasePlugin of kysely 0.29.9 also rename the keys inside of jsonb
# values that are read, such as payloads. They are not renamed back when they are written. `maintainNestedObjectKeys` of kysely
# ends it.
. "$(dirname "$0")/lib.sh"
in_postgres postgres@3.4.9 kysely@0.29.9 <<'PROGRAM'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import postgres from 'postgres'
const client = await connect()
await client.query('create table flags (flag_payload jsonb)')
const sql = postgres(address, { transform: postgres.camel })
const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString: address }) })
const kysely = options => new Kysely({ dialect, plugins: [new CamelCasePlugin(options)] })
const through = db => [
  () => db.selectFrom('flags').selectAll().executeTakeFirst(),
  row => db.updateTable('flags').set(row).execute(),
]
const ways = {
  'postgres.js': [async () => (await sql`select * from flags`)[0], row => sql`update flags set ${sql(row)}`],
  kysely: through(kysely()),
  maintained: through(kysely({ maintainNestedObjectKeys: true })),
}
for (const [name, [read, write]] of Object.entries(ways)) {
  await client.query('delete from flags')
  await client.query('insert into flags values ($1)', [{ max_items: 3 }])
  const row = await read()
  await write(row)
  const { rows } = await client.query('select flag_payload::text as stored from flags')
  console.log(name, JSON.stringify(row), rows[0].stored)
}
await sql.end()
PROGRAM
seen 'what is read; what is stored after it was written back' 'postgres.js {"flagPayload":{"maxItems":3}} {"maxItems": 3}
kysely {"flagPayload":{"maxItems":3}} {"maxItems": 3}
maintained {"flagPayload":{"max_items":3}} {"max_items": 3}' "$(cat out)"
