#!/bin/sh
# pg-boss 10.4.2: `fetch` with a batchSize picks the jobs by priority and age, but does not return them in that order. Jobs of one
# `insert` have one time, so their order is that of their random ids, even if they are fetched one by one.
. "$(dirname "$0")/lib.sh"
in_postgres <<'PROGRAM'
import PgBoss from 'pg-boss'
const boss = new PgBoss({ connectionString: address, schedule: false, supervise: false })
await boss.start()
const numbers = Array.from({ length: 20 }, (_, n) => n)
const isSorted = list => list.every((n, at) => at === 0 || list[at - 1] < n)
const take = async (queue, batchSize) => (await boss.fetch(queue, { batchSize })).map(({ data }) => data.n)
const oneByOne = async queue => {
  const list = []
  while (list.length < 20) list.push(...(await take(queue, 1)))
  return list
}
for (const queue of ['sent', 'sent-again', 'inserted']) await boss.createQueue(queue)
for (const n of numbers) await boss.send('sent', { n }, { priority: 20 - n })
for (const n of numbers) await boss.send('sent-again', { n })
await boss.insert(numbers.map(n => ({ name: 'inserted', data: { n } })))
const batch = await take('sent', 10)
console.log(isSorted(batch), Math.max(...batch))
console.log(isSorted(await oneByOne('sent-again')), isSorted(await oneByOne('inserted')))
PROGRAM
seen 'a batch is in order, its last; one by one: sent, inserted' 'false 9
true false' "$(cat out)"
