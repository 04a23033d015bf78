#!/bin/sh
# A migration 2 is added after 9 and 10 have run: postgrator 8.0.0 leaves it out without an error, umzug 3.8.3 runs it,
# node-pg-migrate 9.0.0 refuses. umzug runs 10 before 9, as texts. postgrator, told to go back to 1 without files to undo, stays
# at 10 without an error.
. "$(dirname "$0")/lib.sh"
in_postgres postgrator@8.0.0 umzug@3.8.3 node-pg-migrate@9.0.0 <<'PROGRAM'
import { mkdirSync, writeFileSync } from 'node:fs'
import { runner } from 'node-pg-migrate'
import Postgrator from 'postgrator'
import { memoryStorage, Umzug } from 'umzug'
for (const folder of ['postgrator', 'umzug', 'runner']) mkdirSync(folder)
const add = n => {
  writeFileSync(`postgrator/${n}.do.sql`, 'select 1;')
  writeFileSync(`umzug/${n}.sql`, 'select 1;')
  writeFileSync(`runner/${n}_.sql`, 'select 1;')
}
const client = await connect()
const execQuery = text => client.query(text)
const postgrator = () => new Postgrator({ migrationPattern: 'postgrator/*', driver: 'pg', database: 'postgres', execQuery })
const resolve = ({ name }) => ({ name, up: async () => {} })
const storage = memoryStorage()
const umzug = () => new Umzug({ migrations: { glob: 'umzug/*.sql', resolve }, storage })
const options = { databaseUrl: address, dir: 'runner', direction: 'up', migrationsTable: 'ran', log: () => {} }
const ways = {
  postgrator: async () => (await postgrator().migrate()).map(({ version }) => version),
  umzug: async () => (await umzug().up()).map(({ name }) => parseInt(name, 10)),
  'node-pg-migrate': async () => (await runner(options)).map(({ name }) => parseInt(name, 10)),
}
for (const numbers of [[9, 10], [2]]) {
  numbers.forEach(add)
  for (const [name, run] of Object.entries(ways))
    console.log(name, JSON.stringify(await run().catch(({ message }) => message)))
}
console.log(JSON.stringify(await postgrator().migrate('1')), await postgrator().getDatabaseVersion())
PROGRAM
seen 'what ran of 9 and 10, then of 2; postgrator back to 1' 'postgrator [9,10]
umzug [10,9]
node-pg-migrate [9,10]
postgrator []
umzug [2]
node-pg-migrate "Not run migration 2_ is preceding already run migration 9_"
[] 10' "$(cat out)"
