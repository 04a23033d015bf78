#!/bin/sh
# pg 8.23.1 warns that version 9 will not queue queries of a client, but only at a third query: one that runs and one that waits
# give no warning. It warns once for each process, so the first place hides the others. `pool.query` never warns.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import pg from 'pg'
const warnings = []
process.on('warning', ({ name, message }) => warnings.push(`${name} ${message.includes('already executing')}`))
const together = async (of, count) => {
  await Promise.all(Array.from({ length: count }, () => of.query('select 1')))
  await wait(20)
  return warnings.splice(0).join() || 'none'
}
const pool = new pg.Pool({ connectionString: address, max: 1 })
console.log(await together(pool, 9))
const client = await pool.connect()
console.log(await together(client, 2))
console.log(await together(client, 3))
console.log(await together(await connect(), 3))
PROGRAM
seen 'nine of a pool; two, three of a client; three of another' 'none
none
DeprecationWarning true
none' "$(cat out)"
