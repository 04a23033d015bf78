#!/bin/sh
# node-pg-migrate 9.0.0: if a migration fails, the command takes back those that ran before it, as all are one transaction. `runner`
# in a program, with the same folder, keeps them: `singleTransaction` is true for the command alone.
. "$(dirname "$0")/lib.sh"
mkdir migrations
echo 'create table one (n int);' > migrations/1_one.sql
echo 'select 1 / 0;' > migrations/2_fails.sql
in_postgres node-pg-migrate@9.0.0 <<'PROGRAM'
import { spawnSync } from 'node:child_process'
import { runner } from 'node-pg-migrate'
const client = await connect()
const stored = async () => (await client.query(`select to_regclass('one')::text as name`)).rows[0].name
const env = { ...process.env, DATABASE_URL: address }
const { status } = spawnSync('node_modules/.bin/node-pg-migrate', ['up'], { env })
console.log(status, await stored())
const options = { databaseUrl: address, dir: 'migrations', direction: 'up', migrationsTable: 'pgmigrations', log: () => {} }
console.log(await runner(options).catch(({ message }) => message), await stored())
PROGRAM
seen 'the command; runner' '1 null
division by zero one' "$(cat out)"
