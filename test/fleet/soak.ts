import { argv, exit } from 'node:process'
import { realRuntime } from '../../src/core/real-runtime.ts'
import { FleetUnderLoad } from './fleet-under-load.ts'

/**
 * tsx test/fleet/soak.ts [MINUTES] [SEED]
 *
 * Four replicas keep 40 environments as declared while replicas are killed and stopped, the database crashes, people edit
 * in the product and commits arrive, all at random moments of this seed. In the end nothing may be lost, doubled or
 * unrecorded, and no held field overwritten. Ends in 1 otherwise.
 */
const [minutes, seed] = [Number(argv[2] ?? 60), Number(argv[3] ?? 46)]
let state = seed
const random = (below: number) => {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}
const fleet = await FleetUnderLoad.start({
  ...{ environments: 40, organizations: 4, keys: 8, flags: 10 },
  ...{ replicas: 4, every: '20s', jobs: 2 },
})
const startedAt = Date.now()
const report = (text: string) => console.log(`${((Date.now() - startedAt) / 60_000).toFixed(1)} min  ${text}`)

/** How often each disturbance happens, of a hundred. */
const disturbances: readonly (readonly [of100: number, name: string, run: () => Promise<unknown>])[] = [
  [22, 'kill a replica', () => fleet.kill(random(4))],
  [8, 'stop a replica', () => fleet.stop(random(4))],
  [6, 'crash the database', () => fleet.crashDatabase(random(4_000))],
  [30, 'edit a name', () => fleet.edit('reverted', 1 + random(40), 1 + random(5))],
  [12, 'switch a held flag', () => fleet.edit('held', 1 + random(40), 6 + random(5))],
  [12, 'create a flag', () => fleet.edit('undeclared', 1 + random(40), 0)],
  [10, 'commit', () => fleet.commit()],
]

function chosen(chance: number): readonly [name: string, run: () => Promise<unknown>] {
  const at = disturbances.findIndex((_, index) => {
    const shares = disturbances.slice(0, index + 1).map(([of100]) => of100)
    return chance < shares.reduce((sum, share) => sum + share, 0)
  })
  const [, name, run] = disturbances[at] ?? [0, 'nothing', async () => {}]
  return [name, run]
}

let code = 1
try {
  fleet.startReplicas()
  report(`first apply done, ${(await fleet.settled(240_000)).length} differences`)
  let settledAt = Date.now()
  while (Date.now() - startedAt < minutes * 60_000) {
    await realRuntime.sleep(1_000 + random(9_000))
    const [name, run] = chosen(random(100))
    await run()
    // A supervisor starts what has ended.
    await realRuntime.sleep(random(3_000))
    fleet.startReplicas()
    if (Date.now() - settledAt > 10 * 60_000) {
      report(`${JSON.stringify(fleet.done)}, last: ${name}`)
      const left = await fleet.settled(180_000)
      report(`${left.length} differences after a pause ${left.slice(0, 3).join(', ')}`)
      settledAt = Date.now()
    }
  }
  await fleet.settled(300_000)
  const judgement = await fleet.judge()
  report(JSON.stringify(fleet.done))
  report(JSON.stringify(judgement, null, 2))
  const { lost, doubled, holdsBroken, unrecorded, keyInStore } = judgement
  code = lost.length + doubled.length + holdsBroken.length + unrecorded.length === 0 && !keyInStore ? 0 : 1
} finally {
  const problems = fleet.lines.filter(line => !line.includes('"level":"info"'))
  console.log(
    `${problems.length} lines of warnings and errors, the last ones:\n${problems.slice(-60).join('\n')}`,
  )
  await fleet.close()
}
exit(code)
