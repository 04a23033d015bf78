#!/bin/sh
# pg-boss 10.4.2: `schedule` accepts a time zone that does not exist (a wrong cron is refused). From then on no schedule of any
# queue runs: each check emits an error that names neither the queue nor the zone.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
for (const tz of ['Europe/Berlin', 'Europe/Berlinn']) {
  const options = { cronMonitorIntervalSeconds: 1, cronWorkerIntervalSeconds: 1 }
  const boss = new PgBoss({ connectionString: address, schema: `boss_${tz.length}`, supervise: false, ...options })
  const errors = new Set()
  boss.on('error', ({ message }) => errors.add(message))
  await boss.start()
  for (const queue of ['each-minute', 'zoned']) await boss.createQueue(queue)
  await boss.schedule('each-minute', '* * * * *')
  const answer = await boss.schedule('zoned', '* * * * *', {}, { tz }).then(() => 'accepted', () => 'refused')
  for (let n = 0; n < 16 && (await boss.getQueueSize('each-minute')) === 0; n += 1) await wait(500)
  console.log(answer, await boss.getQueueSize('each-minute'), [...errors].join())
  if (errors.size > 0) console.log(await boss.schedule('zoned', '61 * * * *').then(() => 'accepted', () => 'refused'))
  await boss.stop({ graceful: false })
}
PROGRAM
seen 'the zone, jobs of the other queue, errors; a wrong cron' 'accepted 1 
accepted 0 CronDate: unhandled timestamp: null
refused' "$(cat out)"
