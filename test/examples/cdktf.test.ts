import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { cli } from '../support/cli.ts'
import { type Consumer, installedExample, synthesized } from '../support/consumer.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let consumer: Consumer

beforeAll(async () => {
  service = await startService({ seed: sampleWorld })
  consumer = await installedExample()
})

afterAll(async () => {
  await consumer?.remove()
  await service?.close()
})

// Project and organization come from the example itself.
const vexil = (line: string) => {
  const { VEXIL_API_KEY, VEXIL_BASE_URL } = service.env
  return cli(line, { directory: consumer.directory, env: { VEXIL_API_KEY, VEXIL_BASE_URL } })
}

describe('examples/cdktf', () => {
  it('type-checks as somebody has it who installed the package', async () => {
    expect(await consumer.compile('tsconfig.json')).toBe('')
  })

  it('has tests of its own, which pass', async () => {
    const vitest = join(consumer.directory, 'node_modules/vitest/vitest.mjs')
    const said = await consumer.node(vitest, 'run', '--reporter=json')
    expect(JSON.parse(said.slice(said.indexOf('{'))), said).toMatchObject({
      numPassedTests: 4,
      numFailedTests: 0,
    })
  })

  it('is synthesized for each environment', async () => {
    await expect(synthesized(consumer)).resolves.toContain('cdktf.out')
  })

  it.each([
    ['organization', 1],
    ['staging', 9],
    ['production', 10],
  ])('is applied by Vexil: %s, and plans nothing after it', async (name, count) => {
    const applied = await vexil(`apply --auto-approve --stack ${name}`)
    expect(applied, applied.stdout + applied.stderr).toMatchObject({ code: 0 })
    expect(applied.stdout).toContain(`${count} change${count === 1 ? '' : 's'} applied`)
    const again = await vexil(`plan --detailed-exitcode --stack cdktf.out/stacks/${name}`)
    expect(again, again.stdout + again.stderr).toMatchObject({ code: 0 })
  })

  it('leaves in the service what the code says', async () => {
    const { results } = (await service.get('/api/projects/1/feature_flags')) as {
      results: { key: string; filters: unknown }[]
    }
    expect(results.find(({ key }) => key === 'checkout_v2')?.filters).toMatchObject({
      groups: [{ variant: 'one_page' }, { rollout_percentage: 25 }, { rollout_percentage: 5 }],
      payloads: { one_page: expect.stringContaining('1') },
    })
  })
})
