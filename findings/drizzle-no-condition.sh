#!/bin/sh
# drizzle-orm 0.45.0: `or()` of no conditions deletes all rows, though `inArray` of an empty list deletes none. A condition of
# undefined beside others is dropped. `limit(-1)` gives all rows; PostgreSQL refuses that.
. "$(dirname "$0")/lib.sh"
in_postgres drizzle-orm@0.45.0 <<'PROGRAM'
import { eq, inArray, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
const client = await connect()
await client.query('create table flags (key text)')
const flags = pgTable('flags', { key: text('key') })
const db = drizzle(address)
const left = async where => {
  await db.delete(flags)
  await db.insert(flags).values([{ key: 'a' }, { key: 'b' }])
  await db.delete(flags).where(where)
  return (await db.select().from(flags)).map(({ key }) => key).join() || 'none'
}
const keys = []
console.log(await left(or(...keys.map(key => eq(flags.key, key)))), await left(inArray(flags.key, keys)))
console.log(await left(or(undefined, eq(flags.key, 'a'))))
console.log((await db.select().from(flags).limit(-1)).length)
PROGRAM
seen 'left after or(), after inArray; of an or with undefined; rows of limit(-1)' 'none a,b
b
1' "$(cat out)"
