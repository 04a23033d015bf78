#!/bin/sh
# pg-listen 1.7.0 parses each payload as JSON: a plain text of `notify` is not delivered, but emitted as an error that does not
# name the channel, and `5` becomes a number. postgres 3.4.9 (postgres.js) gives the text. What is sent while it connects again is
# lost.
. "$(dirname "$0")/lib.sh"
in_postgres pg-listen@1.7.0 postgres@3.4.9 <<'PROGRAM'
import createSubscriber from 'pg-listen'
import postgres from 'postgres'
const client = await connect()
const sql = postgres(address)
const heard = []
await sql.listen('changes', payload => heard.push(payload))
const { default: create = createSubscriber } = createSubscriber
const subscriber = create({ connectionString: address, application_name: 'listener' }, { retryInterval: 200 })
const own = []
subscriber.events.on('error', ({ message }) => own.push(`an error, ${message.includes('changes') ? 'named' : 'not named'}`))
subscriber.notifications.on('changes', payload => own.push(`${typeof payload} ${payload}`))
await subscriber.connect()
await subscriber.listenTo('changes')
for (const payload of ['dark-mode', '5']) await client.query(`select pg_notify('changes', $1)`, [payload])
await wait(300)
await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener'`)
await client.query(`notify changes, '"lost"'`)
await wait(1500)
await client.query(`notify changes, '"last"'`)
await wait(300)
console.log(heard.join(', '))
console.log(own.join(', '))
await subscriber.close()
await sql.end()
PROGRAM
seen 'heard by postgres.js; by pg-listen' 'dark-mode, 5, "lost", "last"
an error, not named, number 5, string last' "$(cat out)"
