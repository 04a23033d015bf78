#!/bin/sh
# @electric-sql/pglite 0.5.16: an int8 is a number if it is safe, and a BigInt if not, row by row, so that a sum of ids throws on
# one of them and JSON.stringify too. pg 8.23.1 gives a text for each, as does postgres 3.4.9 (postgres.js).
. "$(dirname "$0")/lib.sh"
in_postgres @electric-sql/pglite@0.5.16 postgres@3.4.9 <<'PROGRAM'
import { PGlite } from '@electric-sql/pglite'
import postgres from 'postgres'
const text = 'select id from (values (5::int8), (9007199254740993::int8)) v (id)'
const sql = postgres(address)
for (const rows of [(await (await connect()).query(text)).rows, await sql.unsafe(text), (await (await PGlite.create()).query(text)).rows]) {
  let json
  try {
    json = JSON.stringify(rows)
  } catch ({ name }) {
    json = name
  }
  console.log(rows.map(({ id }) => typeof id).join(), json)
}
await sql.end()
PROGRAM
seen 'pg, postgres.js, PGlite' 'string,string [{"id":"5"},{"id":"9007199254740993"}]
string,string [{"id":"5"},{"id":"9007199254740993"}]
number,bigint TypeError' "$(cat out)"
