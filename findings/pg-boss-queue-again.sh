#!/bin/sh
# pg-boss 10.4.2: `createQueue` of a queue that exists ignores the new options without an error. `updateQueue` changes the policy
# that `getQueue` shows, but jobs that wait keep the old one.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
const show = async () => {
  const { policy, retryLimit } = await boss.getQueue('q')
  console.log(policy, retryLimit)
}
await boss.createQueue('q', { name: 'q', policy: 'singleton', retryLimit: 1 })
await boss.createQueue('q', { name: 'q', policy: 'standard', retryLimit: 9 })
await show()
for (const n of [1, 2]) await boss.send('q', { n }, { retryLimit: 2 })
await boss.updateQueue('q', { policy: 'standard', retryLimit: 9 })
await show()
const [first] = await boss.fetch('q')
console.log(first !== undefined, (await boss.fetch('q')).length)
await boss.complete('q', first.id)
console.log((await boss.fetch('q')).length)
PROGRAM
seen 'created again; updated; a job, another beside it, one after it' 'singleton 1
standard 9
true 0
1' "$(cat out)"
