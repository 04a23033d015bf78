#!/bin/sh
# One statement with one text as the parameter of a jsonb column: pg 8.23.1 stores the JSON in it, postgres 3.4.9 (postgres.js) a
# JSON string of it, also with `::jsonb` in the statement. `sql.json(null)` is NULL, not a JSON null.
. "$(dirname "$0")/lib.sh"
in_postgres postgres@3.4.9 <<'PROGRAM'
import postgres from 'postgres'
const client = await connect()
const sql = postgres(address)
await client.query('create table flags (id serial, payload jsonb)')
const stored = async () => {
  const { rows } = await client.query('select jsonb_typeof(payload) as type from flags order by id desc limit 1')
  return rows[0].type
}
for (const text of ['{"a":1}', '5', 'null']) {
  const types = []
  for (const insert of ['insert into flags (payload) values ($1)', 'insert into flags (payload) values ($1::jsonb)'])
    for (const send of [() => client.query(insert, [text]), () => sql.unsafe(insert, [text])]) {
      await send()
      types.push(await stored())
    }
  console.log(text, ...types)
}
await sql`insert into flags (payload) values (${sql.json(null)})`
console.log(await stored())
await sql.end()
PROGRAM
seen 'the text, stored by pg, by postgres.js, with ::jsonb by pg, by postgres.js; sql.json(null)' '{"a":1} object string object string
5 number string number string
null null string null string
null' "$(cat out)"
