#!/bin/sh
# pg-boss 10.4.2: a handler of `work` that runs longer than expireInSeconds is not stopped: its job fails, and `work` starts the next
# beside it. After `offWork` and `work`, too, two handlers of one process run at once. What the late handler returns is lost.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
const run = async (queue, options, isReplaced) => {
  await boss.createQueue(queue)
  let [active, most] = [0, 0]
  const ids = []
  for (const n of [1, 2]) ids.push(await boss.send(queue, { n }, { retryLimit: 0, ...options }))
  const handler = async () => {
    active += 1
    most = Math.max(most, active)
    await wait(2500)
    active -= 1
    return { at: 'the end' }
  }
  await boss.work(queue, { pollingIntervalSeconds: 0.5 }, handler)
  if (isReplaced) {
    await wait(1000)
    await boss.offWork(queue)
    await boss.work(queue, { pollingIntervalSeconds: 0.5 }, handler)
  }
  await wait(4500)
  const { state, output } = await boss.getJobById(queue, ids[0])
  console.log(most, state, output.message ?? output.at)
}
await run('expiring', { expireInSeconds: 1 }, false)
await run('replaced', {}, true)
PROGRAM
seen 'handlers at once, the first job: expired, replaced' '2 failed handler execution exceeded 1000ms
2 completed the end' "$(cat out)"
