import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { type Consumer, installedExample, synthesized } from '../support/consumer.ts'
import { type Service, startService } from '../support/service.ts'
import { useProvider } from './support/attached.ts'
import { terraform } from './support/binary.ts'
import { openStack } from './support/stack.ts'

describe.skipIf(!terraform)('examples/cdktf with Terraform', () => {
  const provider = useProvider()
  let service: Service
  let consumer: Consumer
  let stacks: string

  beforeAll(async () => {
    service = await startService({ seed: sampleWorld })
    consumer = await installedExample()
    stacks = await synthesized(consumer)
  })
  afterAll(async () => {
    await service?.close()
    await consumer?.remove()
  })

  it.each([
    ['organization', 1],
    ['staging', 9],
    ['production', 10],
  ])('applies the stack %s, and plans nothing after it', async (name, count) => {
    // Project and organization come from the example itself.
    const { VEXIL_BASE_URL = '', VEXIL_API_KEY = '' } = service.env
    const stack = await openStack({}, provider({ VEXIL_BASE_URL, VEXIL_API_KEY }))
    try {
      await cp(join(stacks, name), stack.directory, { recursive: true })
      await stack.succeed('init', '-no-color', '-input=false')
      expect(await stack.apply()).toContain(`Resources: ${count} added, 0 changed, 0 destroyed`)
      expect(await stack.plan()).toEqual({})
    } finally {
      await stack.remove()
    }
  })

  it.each([
    [1, 25],
    [2, 100],
  ])('leaves in project %d what the code says', async (project, share) => {
    const { results } = (await service.get(`/api/projects/${project}/feature_flags`)) as {
      results: { key: string; filters: unknown }[]
    }
    expect(results.find(({ key }) => key === 'checkout_v2')?.filters).toMatchObject({
      groups: [{ variant: 'one_page' }, { rollout_percentage: share }, { rollout_percentage: 5 }],
    })
  })
})
