#!/bin/sh
# pg-boss 10.4.2, a queue with the policy `stately`: a job that fails for the first time is failed for good, with retries
# remaining, if another job of the queue waits for its retry.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
await boss.createQueue('q', { name: 'q', policy: 'stately' })
const ids = []
for (const n of [1, 2]) {
  const id = await boss.send('q', { n }, { retryLimit: 5, retryDelay: 60 })
  await boss.fetch('q')
  await boss.fail('q', id)
  ids.push(id)
}
for (const id of ids) {
  const { state, retryCount, retryLimit } = await boss.getJobById('q', id)
  console.log(state, retryCount, retryLimit)
}
PROGRAM
seen 'the first, the second' 'retry 0 5
failed 0 5' "$(cat out)"
