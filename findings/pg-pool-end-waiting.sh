#!/bin/sh
# pg-pool 3.14.0: `end` while a query waits for a connection: `end` resolves when the other clients are released, but the query is
# never settled. With `connectionTimeoutMillis` it rejects after that time.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import pg from 'pg'
for (const connectionTimeoutMillis of [0, 300]) {
  const pool = new pg.Pool({ connectionString: address, max: 1, connectionTimeoutMillis })
  const client = await pool.connect()
  let [query, end] = ['never settled', 'waits']
  pool.query('select 1').then(() => (query = 'answered'), ({ message }) => (query = message))
  pool.end().then(() => (end = 'ended'))
  await wait(50)
  const before = end
  client.release()
  await wait(1000)
  console.log(before, end, pool.waitingCount, query)
}
PROGRAM
seen 'end before and after the release, waiting queries, the query' 'waits ended 1 never settled
waits ended 0 timeout exceeded when trying to connect' "$(cat out)"
