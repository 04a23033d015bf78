#!/bin/sh
# PostgreSQL 18.4 with pg 8.23.1: an advisory lock that one session takes twice is granted twice, and free after two unlocks. An
# unlock on another connection of the pool gives false with a notice, no error. A closed pool or `discard all` frees it.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import pg from 'pg'
const observer = await connect()
const one = async (client, text) => Object.values((await client.query(text)).rows[0])[0]
const isFree = async () => {
  const isTaken = await one(observer, 'select pg_try_advisory_lock(5)')
  if (isTaken) await observer.query('select pg_advisory_unlock(5)')
  return isTaken
}
const pool = new pg.Pool({ connectionString: address })
const [a, b] = [await pool.connect(), await pool.connect()]
const notices = []
b.on('notice', ({ severity, message }) => notices.push(`${severity}: ${message}`))
console.log(await one(a, 'select pg_try_advisory_lock(5)'), await one(a, 'select pg_try_advisory_lock(5)'))
console.log(await one(b, 'select pg_advisory_unlock(5)'), notices.join())
console.log(await one(a, 'select pg_advisory_unlock(5)'), await isFree(), await one(a, 'select pg_advisory_unlock(5)'), await isFree())
await a.query('select pg_advisory_lock(5)')
a.release()
console.log(await isFree())
const again = await pool.connect()
await again.query('discard all')
console.log(await isFree())
again.release()
b.release()
PROGRAM
seen 'twice; unlock on another; unlocks; client released; discard all' "true true
false WARNING: you don't own a lock of type ExclusiveLock
true false true true
false
true" "$(cat out)"
