#!/bin/sh
# PostgreSQL 18.4: a statement that waits for an advisory lock and reads a row gives the row as it was before the wait, so without
# the change that the owner of the lock has committed. `now()` is from before the wait too. The next statement sees the change.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
const [owner, next] = [await connect(), await connect()]
await owner.query('create table t as select 1 as n')
const locked = 'with held as materialized (select pg_advisory_xact_lock(5))'
const texts = [
  `${locked} select n, clock_timestamp() - now() > '0.1 s' as late from held, t`,
  'update t set n = n + 10 where pg_advisory_xact_lock(5) is not null returning n',
]
for (const text of texts) {
  await owner.query('begin')
  await owner.query('select pg_advisory_xact_lock(5)')
  await owner.query('update t set n = n + 1')
  const read = next.query(text)
  await wait(500)
  await owner.query('commit')
  console.log(JSON.stringify((await read).rows[0]), JSON.stringify((await next.query('select n from t')).rows[0]))
}
PROGRAM
seen 'a select, the next; an update, the next' '{"n":1,"late":true} {"n":2}
{"n":13} {"n":13}' "$(cat out)"
