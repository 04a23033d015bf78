import { afterAll, beforeAll, expect, it } from 'vitest'
import { FleetUnderLoad } from './fleet-under-load.ts'

/** Four replicas of the built program, killed at any request. `soak.ts` does the same for an hour, at random. */

let fleet: FleetUnderLoad
beforeAll(async () => {
  fleet = await FleetUnderLoad.start({
    ...{ environments: 40, organizations: 4, keys: 8, flags: 2 },
    ...{ replicas: 4, every: '5s', jobs: 2 },
  })
}, 60_000)
afterAll(() => fleet.close())

const limitMs = 150_000

it('lose and double nothing if replicas are killed and the database crashes while they write', async () => {
  fleet.startReplicas()
  await fleet.afterWrites(20)
  await fleet.kill(0)
  await fleet.afterWrites(10)
  await fleet.kill(1)
  fleet.startReplicas()
  await fleet.afterWrites(10)
  await fleet.crashDatabase(0)
  expect(await fleet.settled(limitMs)).toEqual([])
  await fleet.edit('held', 3, 2)
  await fleet.edit('reverted', 4, 1)
  await fleet.edit('undeclared', 5, 0)
  await fleet.commit()
  await fleet.afterWrites(20)
  await fleet.kill(2)
  expect(await fleet.stop(3)).toBe(0)
  fleet.startReplicas()
  expect(await fleet.settled(limitMs)).toEqual([])
  expect(await fleet.judge()).toMatchObject({
    ...{ lost: [], doubled: [], holdsBroken: [], unrecorded: [], keyInStore: false },
  })
  expect(fleet.done).toEqual({ kills: 3, stops: 1, databaseCrashes: 1, edits: 3, commits: 1 })
  // A replica that starts while the database is down ends in 1, and its supervisor starts it again.
  expect(fleet.lines.filter(line => /Warning|ended in (?!1$)|\bat \w+ \(/.test(line))).toEqual([])
}, 400_000)
