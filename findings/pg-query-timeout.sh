#!/bin/sh
# pg 8.23.1, `query_timeout`: the promise rejects, but the statement goes on and what it writes is kept. A pool of one connection
# opens the next beside it, so the server has more than `max`. A statement that waits in the client counts its waiting too.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import pg from 'pg'
const observer = await connect()
await observer.query('create table t (v text)')
const stored = async () => (await observer.query('select v from t order by v')).rows.map(({ v }) => v).join(' ')
const pool = new pg.Pool({ connectionString: address, max: 1, query_timeout: 500, application_name: 'limited' })
const insert = `insert into t select 'slow' from pg_sleep(2)`
console.log(await pool.query(insert).catch(({ message }) => message))
await pool.query(`insert into t values ('next')`)
const { rows } = await observer.query(`select count(*)::int as n from pg_stat_activity where application_name = 'limited'`)
console.log(await stored(), pool.totalCount, rows[0].n)
await wait(2200)
console.log(await stored())
const client = await connect({ query_timeout: 1000 })
const asked = [client.query('select pg_sleep(0.5)'), client.query(`insert into t select 'queued' from pg_sleep(1)`)]
asked.push(client.query(`insert into t values ('last')`))
console.log((await Promise.allSettled(asked)).map(({ status }) => status).join(' '))
await wait(1500)
console.log(await stored())
PROGRAM
seen 'rejected; stored, clients, connections; stored later; three in a row; stored' 'Query read timeout
next 1 2
next slow
fulfilled rejected rejected
next queued slow' "$(cat out)"
