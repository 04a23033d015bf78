import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { shadowFinder } from '../../src/core/read/find-soft-deleted.ts'
import { kinds } from '../../src/kinds/index.ts'
import { type Profile, profiles } from '../../src/model/connection.ts'
import { cli, folderWith } from '../support/cli.ts'
import { flagsPath } from '../support/deleted-flags.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'
import { testRuntime } from '../support/test-runtime.ts'

/** The service of 2026 takes no dots in a new key. */
const keysFor = (profile: Profile) => [
  'a',
  'b',
  'A',
  profile === 'posthog-2026' ? 'with-hyphen' : 'with.dots',
]
const key = fc.nat({ max: 3 })
const flag = fc.nat({ max: 5 })

/** What people do in the product. Which flag is meant is counted among those that there are then. */
const deed = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('create' as const), key }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('delete' as const), flag }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('rename' as const), flag, key }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restore' as const), flag }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('edit' as const), flag, name: fc.string() }) },
)
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never

interface Flag {
  readonly id: number
  readonly key: string
  readonly deleted: boolean
}

/** Does it, as far as the service lets it. */
async function carryOut(
  service: Service,
  one: Deed,
  all: readonly Flag[],
  keys: readonly string[],
): Promise<void> {
  const send = (...given: Parameters<Service['send']>) => service.send(...given).catch(() => undefined)
  if (one.does === 'create') return void (await send('POST', `${flagsPath}/`, { key: keys[one.key] }))
  const meant = all[one.flag % Math.max(1, all.length)]
  if (!meant) return
  const path = `${flagsPath}/${meant.id}/`
  switch (one.does) {
    case 'delete':
      return void (await send('PATCH', path, { deleted: true }))
    case 'rename':
      return void (await send('PATCH', path, { key: keys[one.key] }))
    case 'restore':
      return void (await send('PATCH', path, { deleted: false }))
    case 'edit':
      return void (await send('PATCH', path, { name: one.name }))
  }
}

/** Every flag that the service holds, deleted or not, read by its id. */
async function heldBy(service: Service): Promise<readonly Flag[]> {
  const ids = Array.from({ length: 30 }, (_, index) => index + 1)
  const read = await Promise.all(
    ids.map(id => service.get(`${flagsPath}/${id}/`).catch(() => undefined) as Promise<Flag | undefined>),
  )
  return read.flatMap(one => (one ? [{ id: one.id, key: one.key, deleted: one.deleted }] : []))
}

describe.each(profiles)('whatever people did in the product (%s)', profile => {
  const keys = keysFor(profile)
  it('what is told behind each key is what the service holds there, and no apply destroys anything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 15 }), async deeds => {
        const service = await startService({ profile })
        const flags = keys.map(one => `  "${one}": { active: true }\n`).join('')
        const folder = await folderWith({
          'vexil.yaml': 'version: 1\n',
          'f.yaml': `feature_flags:\n${flags}`,
        })
        try {
          for (const one of deeds) await carryOut(service, one, await heldBy(service), keys)
          const held = await heldBy(service)

          const { VEXIL_API_KEY = '', VEXIL_PROJECT_ID = '' } = service.env
          const runtime = testRuntime()
          const client = createClient({
            baseUrl: service.url,
            apiKey: VEXIL_API_KEY,
            projectId: VEXIL_PROJECT_ID,
            profile,
            runtime,
          })
          const find = shadowFinder({ client })
          const told = await Promise.all(
            keys.map(async one => {
              const behind = await find(kinds.feature_flag, one)
              return behind?.is === 'unknown' ? behind.reason : behind?.live.id
            }),
          )
          await client.close()
          const deleted = (one: string) => held.find(each => each.key === one && each.deleted)?.id
          expect(told).toEqual(keys.map(one => deleted(one) && String(deleted(one))))

          const line = `apply --auto-approve --profile ${profile}`
          const { code, stdout } = await cli(line, { directory: folder.path, env: service.env })
          expect([code, stdout]).toEqual([0, expect.any(String)])
          const after = await heldBy(service)
          const isDeclared = (one: Flag) => keys.includes(one.key)
          expect(after.slice(0, held.length)).toEqual(
            held.map(one => (isDeclared(one) ? { ...one, deleted: false } : one)),
          )
          expect(
            after
              .filter(({ deleted: isDeleted }) => !isDeleted)
              .map(one => one.key)
              .sort(),
          ).toEqual([...keys].sort())
        } finally {
          await service.close()
          await folder.remove()
        }
      }),
      { numRuns: rounds(20) },
    )
  })
})
