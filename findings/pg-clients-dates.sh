#!/bin/sh
# Beside one database and in New York: pg 8.23.1 writes a Date into `timestamp` and `date` columns as the local time, postgres 3.4.9
# (postgres.js) and drizzle-orm 0.45.0 as that of UTC. A `date` is read as midnight here by pg, and of UTC by the others.
. "$(dirname "$0")/lib.sh"
in_postgres postgres@3.4.9 drizzle-orm@0.45.0 <<'PROGRAM'
import { drizzle } from 'drizzle-orm/node-postgres'
import { date, pgTable, timestamp } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
process.env.TZ = 'America/New_York'
const client = await connect()
const sql = postgres(address)
await client.query('create table plans (at timestamp, day date)')
const plans = pgTable('plans', { at: timestamp('at'), day: date('day', { mode: 'date' }) })
const db = drizzle(address)
const time = new Date('2026-01-01T00:00:00Z')
const ways = {
  pg: [() => client.query('insert into plans values ($1, $2)', [time, time]), async () => (await client.query('select * from plans')).rows],
  'postgres.js': [() => sql`insert into plans values (${time}, ${time})`, () => sql`select * from plans`],
  drizzle: [() => db.insert(plans).values({ at: time, day: time }), () => db.select().from(plans)],
}
for (const [name, [write]] of Object.entries(ways)) {
  await client.query('delete from plans')
  await write()
  const { rows } = await client.query('select at::text, day::text from plans')
  console.log(name, rows[0].at, rows[0].day)
}
for (const [name, [, read]] of Object.entries(ways)) {
  const [{ at, day }] = await read()
  console.log(name, at.toISOString(), day.toISOString())
}
await sql.end()
PROGRAM
seen 'written; read of 2026-01-01' 'pg 2025-12-31 19:00:00 2025-12-31
postgres.js 2026-01-01 00:00:00 2026-01-01
drizzle 2026-01-01 00:00:00 2026-01-01
pg 2026-01-01T05:00:00.000Z 2026-01-01T05:00:00.000Z
postgres.js 2026-01-01T05:00:00.000Z 2026-01-01T00:00:00.000Z
drizzle 2026-01-01T00:00:00.000Z 2026-01-01T00:00:00.000Z' "$(cat out)"
