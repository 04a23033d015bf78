#!/bin/sh
# postgres 3.4.9 (postgres.js) reads a NULL in a list of texts as the text "NULL": it cannot be told from a real one, and is written
# back as one. In a list of numbers it is null. pg 8.23.1 gives null for both.
. "$(dirname "$0")/lib.sh"
in_postgres postgres@3.4.9 <<'PROGRAM'
import postgres from 'postgres'
const client = await connect()
const sql = postgres(address)
await client.query('create table owners (names text[], numbers int[])')
await client.query(`insert into owners values (array['a', null, 'NULL'], array[1, null])`)
const { rows } = await client.query('select * from owners')
const [row] = await sql`select * from owners`
console.log(`${JSON.stringify(rows[0])}\n${JSON.stringify(row)}`)
await sql`update owners set names = ${row.names}`
const after = await client.query('select names[2] is null as absent from owners')
console.log(after.rows[0].absent)
await sql.end()
PROGRAM
seen 'by pg, by postgres.js; is it still NULL after it was written back' '{"names":["a",null,"NULL"],"numbers":[1,null]}
{"names":["a","NULL","NULL"],"numbers":[1,null]}
false' "$(cat out)"
