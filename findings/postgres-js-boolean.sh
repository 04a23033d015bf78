#!/bin/sh
# postgres 3.4.9 (postgres.js): a parameter that the server knows as a boolean is true only if it is the value true. The texts
# 'true', 't' and 'on' and the number 1, which PostgreSQL and pg 8.23.1 read as true, are stored as false without an error.
. "$(dirname "$0")/lib.sh"
in_postgres postgres@3.4.9 <<'PROGRAM'
import postgres from 'postgres'
const client = await connect()
const sql = postgres(address)
await client.query('create table flags (active boolean)')
for (const value of [true, 'true', 't', 'on', 1]) {
  const { rows } = await client.query('insert into flags values ($1) returning active', [value])
  const [row] = await sql`insert into flags values (${value}) returning active`
  console.log(JSON.stringify(value), rows[0].active, row.active)
}
await sql.end()
PROGRAM
seen 'the value, stored by pg, by postgres.js' 'true true true
"true" true false
"t" true false
"on" true false
1 true false' "$(cat out)"
