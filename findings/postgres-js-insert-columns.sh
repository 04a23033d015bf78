#!/bin/sh
# postgres 3.4.9 (postgres.js), `insert into t ${sql(rows)}`: the columns are those of the first row. A column that only a later row
# has is dropped without an error. kysely 0.29.9 takes the columns of all rows.
. "$(dirname "$0")/lib.sh"
in_postgres postgres@3.4.9 kysely@0.29.9 <<'PROGRAM'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import postgres from 'postgres'
const sql = postgres(address)
await sql`create table flags (key text, owner text)`
const rows = [{ key: 'a' }, { key: 'b', owner: 'Ann' }]
console.log(JSON.stringify(await sql`insert into flags ${sql(rows)} returning *`))
const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: address }) }) })
console.log(JSON.stringify(await db.insertInto('flags').values(rows).returningAll().execute()))
await sql.end()
PROGRAM
seen 'by postgres.js, by kysely' '[{"key":"a","owner":null},{"key":"b","owner":null}]
[{"key":"a","owner":null},{"key":"b","owner":"Ann"}]' "$(cat out)"
