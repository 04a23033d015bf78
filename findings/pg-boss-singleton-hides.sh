#!/bin/sh
# pg-boss 10.4.2, a queue with the policy `singleton`: while a job of a key is active, a second job of that key that waits hides
# the jobs of other keys behind it. `fetch` gives no jobs, since it tries the oldest and an index refuses it.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
await boss.createQueue('q', { name: 'q', policy: 'singleton' })
const keys = jobs => JSON.stringify(jobs.map(({ data }) => data.key).sort())
for (const key of ['a', 'a', 'b']) await boss.send('q', { key }, { singletonKey: key })
const [first] = await boss.fetch('q')
console.log(keys([first]), keys(await boss.fetch('q')), keys(await boss.fetch('q', { batchSize: 9 })))
await boss.complete('q', first.id)
console.log(keys(await boss.fetch('q', { batchSize: 9 })))
PROGRAM
seen 'the first, the next, nine; nine after the first is done' '["a"] [] []
["a","b"]' "$(cat out)"
