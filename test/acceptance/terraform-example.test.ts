import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { type Service, startService } from '../support/service.ts'
import { useProvider } from './support/attached.ts'
import { isOlderThan, run, terraform } from './support/binary.ts'
import { openStack, type Stack } from './support/stack.ts'

const examples = join(import.meta.dirname, '../../examples/terraform')

const provider = useProvider()
let service: Service
let stack: Stack

// Whoever reads the run must see at once whether this folder did anything
console.log(
  terraform
    ? `acceptance tests with terraform ${terraform.version}: run`
    : 'acceptance tests with the real terraform: skipped, since there is none on the PATH',
)

// It calls functions of the provider.
describe.skipIf(!terraform || isOlderThan('1.8'))('examples/terraform', () => {
  beforeAll(async () => {
    service = await startService({ seed: sampleWorld })
    // The project and the organization come from the example itself.
    const { VEXIL_BASE_URL = '', VEXIL_API_KEY = '' } = service.env
    stack = await openStack({}, provider({ VEXIL_BASE_URL, VEXIL_API_KEY }))
    await cp(examples, stack.directory, { recursive: true })
    await stack.succeed('init', '-no-color', '-input=false')
  })
  afterAll(async () => {
    await stack?.remove()
    await service?.close()
  })

  it('is written as terraform fmt writes it, and valid', async () => {
    expect(await run('terraform', ['fmt', '-check', '-recursive', examples], stack)).toEqual({
      code: 0,
      output: '',
    })
    await stack.succeed('validate')
  })

  it('is applied, planned to nothing, changed, and destroyed', async () => {
    const before = await held(service)
    await stack.apply()
    expect(await stack.outputs()).toMatchObject({
      by_hand: ['dark-mode', 'gift-wrapping'],
      checkout: { max_percentage: 100, everyone: false },
      checkout_of_ada: { undecided: false },
    })
    expect(await stack.succeed('plan', '-no-color', '-detailed-exitcode')).toContain('No changes')

    const more = '-var=shares={ fast_search = 20, gift_message = 50 }'
    expect(await stack.plan(more)).toEqual({
      'vexil_feature_flag.share["fast_search"]': 'update',
      'vexil_feature_flag.share["wish_list"]': 'delete',
    })
    await stack.apply('made.plan')
    expect(await stack.plan(more)).toEqual({})

    await stack.destroy()
    expect(await stack.state()).toEqual({})
    expect(await held(service)).toEqual(before)
  })

  it('passes its own tests in staging, and leaves nothing there', async () => {
    expect(await stack.succeed('test', '-no-color')).toContain('Success! 3 passed, 0 failed.')
    expect(await service.get('/api/projects/2/feature_flags')).toMatchObject({ count: 0 })
  })
})

/** What the service holds of everything that the example touches. */
async function held({ get }: Service): Promise<unknown> {
  const keysOf = async (path: string, fields: readonly string[]) => {
    const { results } = (await get(path)) as { results: Record<string, unknown>[] }
    return results.map(each => fields.map(field => each[field]))
  }
  return [
    await keysOf('/api/projects/1/feature_flags', ['key', 'filters', 'tags']),
    await keysOf('/api/projects/1/event_definitions', ['name', 'tags']),
    await keysOf('/api/organizations/01900000-0000-0000-0000-000000000001/plugins', ['name']),
  ]
}
