import { describe, expect, it, onTestFinished } from 'vitest'
import { profiles } from '../../src/model/connection.ts'
import { isFull } from '../suites.ts'
import { flagsPath, startWithDeleted } from '../support/deleted-flags.ts'
import { startService } from '../support/service.ts'
import { playTerraform } from '../terraform/resources/play.ts'
import { type WayName, wayNames, ways } from './ways.ts'

const sizes = [
  { count: 12, newerRows: 0 },
  { count: 40, newerRows: 0 },
  { count: 1, newerRows: 10 },
  { count: 12, newerRows: 1500 },
]
// Each way meets every service, and so does each size; all of them together do in a full run.
const cases = wayNames.flatMap((way, at) =>
  sizes.flatMap((size, row) =>
    profiles
      .filter((_, index) => isFull() || index === (at + row) % profiles.length)
      .map(profile => ({ way, profile, ...size })),
  ),
)

/** What a plan says of flags that it restores. */
const saysOf: Readonly<Record<WayName, (keys: readonly string[]) => readonly string[]>> = {
  YAML: keys => [`${keys.length} to restore`, ...keys],
  'a stack': keys => [`${keys.length} to restore`, ...keys],
  'the provider': keys => keys.map(key => `flag "${key}" will be restored`),
}

describe('flags that were deleted in the product and are declared again', () => {
  it.each(cases)(
    'come back with their ids and grants through $way: $count deleted, $newerRows newer rows, $profile',
    async ({ way, profile, count, newerRows }) => {
      const flags = await startWithDeleted({ count, profile, newerRows })
      onTestFinished(() => flags.service.close())
      const keys = flags.before.map(({ key }) => key)
      const person = await ways[way]({ service: flags.service, keys, profile })
      const { isDone, said } = await person.plan()
      expect(isDone).toBe(true)
      for (const words of saysOf[way](keys)) expect(said).toContain(words)
      await flags.expectKept(true)
      expect(await person.applyPlanned()).toMatchObject({ isDone: true })
      await flags.expectKept(false)
    },
  )

  it('come back where one run of Terraform has read the trail, destroys them, and creates them again', async () => {
    const service = await startService()
    onTestFinished(() => service.close())
    const terraform = await playTerraform(service)
    const config = { key: 'checkout', active: true }
    const first = await terraform.apply('feature_flag', config)
    expect(await terraform.destroy('feature_flag', first)).toEqual([])
    const second = await terraform.apply('feature_flag', config)
    expect(second.state.id).toBe(first.state.id)
    expect(await service.get(`${flagsPath}/${first.state.id}/`)).toMatchObject({ deleted: false })
  })
})
