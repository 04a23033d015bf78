#!/bin/sh
# pg-boss 10.4.2 loses jobs without an error: `send` to a queue that does not exist gives null, as for a duplicate, `insert` drops
# such jobs and keeps the others, and `publish` resolves if a queue of the event has refused the job.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
await boss.createQueue('q')
console.log(await boss.send('queue', {}))
console.log(await boss.insert([{ name: 'q' }, { name: 'queue' }]), await boss.getQueueSize('q'))
await boss.subscribe('event', 'q')
const data = { count: 1n }
console.log(await boss.publish('event', data), await boss.getQueueSize('q'), await boss.send('q', data).catch(({ name }) => name))
PROGRAM
seen 'send; insert, jobs; publish, jobs, send' 'null
null 1
undefined 1 TypeError' "$(cat out)"
