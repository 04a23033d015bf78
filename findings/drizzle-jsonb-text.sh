#!/bin/sh
# drizzle-orm 0.45.0 with pg 8.23.1, a `jsonb` column: a text is stored as a JSON string, but parsed once more when it is read, so
# "5" comes back as the number 5, and "null" as null. A text that is no JSON comes back as it was.
. "$(dirname "$0")/lib.sh"
in_postgres drizzle-orm@0.45.0 <<'PROGRAM'
import { drizzle } from 'drizzle-orm/node-postgres'
import { jsonb, pgTable } from 'drizzle-orm/pg-core'
const client = await connect()
await client.query('create table flags (payload jsonb)')
const flags = pgTable('flags', { payload: jsonb('payload') })
const db = drizzle(address)
for (const payload of ['5', 'null', '{"a":1}', '"x"', 'x']) {
  await db.delete(flags)
  await db.insert(flags).values({ payload })
  const { rows } = await client.query('select payload::text from flags')
  const [row] = await db.select().from(flags)
  console.log(payload, rows[0].payload, JSON.stringify(row.payload))
}
PROGRAM
seen 'the text, what is stored, the JSON of what is read' '5 "5" 5
null "null" null
{"a":1} "{\"a\":1}" {"a":1}
"x" "\"x\"" "x"
x "x" "x"' "$(cat out)"
