#!/bin/sh
# pg-boss 10.4.2: `deleteQueue` rejects while the queue has jobs, also completed ones, with an error of PostgreSQL. `purgeQueue`
# deletes those that wait, but neither active nor completed ones.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
await boss.createQueue('q')
const remove = () => boss.deleteQueue('q').then(() => 'deleted', ({ code }) => code)
for (const n of [1, 2, 3]) await boss.send('q', { n })
const [first] = await boss.fetch('q')
await boss.complete('q', first.id)
const [second] = await boss.fetch('q')
await boss.purgeQueue('q')
for (const { id } of [first, second]) console.log((await boss.getJobById('q', id)).state)
console.log(await boss.getQueueSize('q'), await remove())
await boss.complete('q', second.id)
console.log(await remove())
for (const { id } of [first, second]) await boss.deleteJob('q', id)
console.log(await remove())
PROGRAM
seen 'after the purge, all completed, all deleted' 'completed
active
0 23001
23001
deleted' "$(cat out)"
