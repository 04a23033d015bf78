import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { before, defaultTags, writeWholeStack } from '../stack/whole-stack.ts'
import { cli } from '../support/cli.ts'
import { inFolder } from '../support/folder.ts'
import { noRecords } from '../support/live-edits.ts'
import { type Service, startService } from '../support/service.ts'
import { type Attached, providerBlock, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'

const open = useTerraform()

/** Applies the stack with Vexil to a service of its own, twice, and tells what is live then. */
async function applyWithVexil(): Promise<unknown> {
  const service = await startService({ seed: before })
  try {
    return await inFolder({}, async directory => {
      writeWholeStack(directory)
      const given = { directory, env: service.env }
      const first = await cli('apply --stack stacks/whole --auto-approve', given)
      // Engines read one of its conditions each in their own way.
      const warned = '1 warning: vexil validate --stack stacks/whole shows it\n'
      expect(first.stderr).toMatch(noRecords)
      expect([first.code, first.stderr.replace(noRecords, '')]).toEqual([0, warned])
      const again = await cli('plan --stack stacks/whole --detailed-exitcode', given)
      expect([again.code, again.stderr]).toEqual([0, warned])
      return await liveState(service)
    })
  } finally {
    await service.close()
  }
}

// Engines read one of its conditions each in their own way.
const planWarned = '1 warning: vexil validate --plan-json plan.json shows it\n'

/** The stack as Terraform reads it. */
function synthesized(): Promise<Record<string, unknown>> {
  return inFolder({}, async directory => {
    writeWholeStack(directory)
    return JSON.parse(await readFile(join(directory, 'stacks/whole/cdk.tf.json'), 'utf8'))
  })
}

/** Everything that is live, without what differs from run to run. */
async function liveState(service: Service): Promise<unknown> {
  const project = '/api/projects/1'
  const organization = `/api/organizations/${service.env.VEXIL_ORGANIZATION_ID}`
  const flags = await rows(service, `${project}/feature_flags`)
  const plugins = await rows(service, `${organization}/plugins`)
  return {
    flags: await Promise.all(
      flags.map(async ({ id, ...flag }) => {
        const grants = await rows(service, `${project}/feature_flags/${id}/role_access`)
        return { ...lasting(flag), roles: grants.map(({ role }) => (role as { name: string }).name).sort() }
      }),
    ),
    plugins: await Promise.all(
      plugins.map(async ({ id, ...plugin }) => ({
        ...lasting(plugin),
        source: await service.get(`${organization}/plugins/${id}/source`),
      })),
    ),
    events: (await rows(service, `${project}/event_definitions`)).map(lasting),
  }
}

async function expectRecorded(state: unknown): Promise<void> {
  await expect(`${JSON.stringify(state, null, 2)}\n`).toMatchFileSnapshot(
    './__snapshots__/whole-stack.json.snap',
  )
}

function grantsIn({ resource }: Record<string, unknown>) {
  // What the constructs have synthesized.
  return (resource as { vexil_feature_flag_role_access: Record<string, Record<string, unknown>> })
    .vexil_feature_flag_role_access
}

/** The percentages of a flag, condition by condition. */
function percentagesOf(state: unknown, key: string): (number | undefined)[] {
  // What `liveState` gives.
  const { flags } = state as {
    flags: { key: string; filters: { groups: { rollout_percentage?: number }[] } }[]
  }
  const groups = flags.find(flag => flag.key === key)?.filters.groups ?? []
  return groups.map(({ rollout_percentage: percent }) => percent)
}

type Row = Readonly<Record<string, unknown>>

async function rows(service: Service, path: string): Promise<Row[]> {
  const { results } = (await service.get(path)) as { results: Row[] }
  return results.toSorted((one, other) =>
    String(one.key ?? one.name).localeCompare(String(other.key ?? other.name)),
  )
}

/** Labels are a set, and a dashboard is made for each flag in turn. */
function lasting(row: Row): Row {
  const passing = new Set(['id', 'created_by', 'usage_dashboard'])
  const kept = Object.entries(row).filter(([name]) => !passing.has(name) && !name.endsWith('_at'))
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'tags' && Array.isArray(value) ? value.toSorted() : value]),
  )
}

describe('one stack', () => {
  it('applied by Vexil ends in the state that was recorded of Terraform', async () => {
    const live = await applyWithVexil()
    expect(percentagesOf(live, 'later')).toEqual([undefined, 5, 5, 5, 7, 12, 21.5, 33, 5])
    await expectRecorded(live)
  })

  describe.skipIf(!terraform)('with the real Terraform', () => {
    /** Lets Terraform plan, and keeps what it says of the plan beside the stack. */
    async function keepPlan(stack: Attached): Promise<void> {
      await stack.succeed('plan', '-out=tfplan', '-no-color')
      await stack.write({ 'plan.json': await stack.succeed('show', '-json', 'tfplan') })
    }

    it('planned by Terraform is applied by Vexil, but for what only the apply would tell', async () => {
      const stack = await open('', { seed: before })
      const { provider: _provider, terraform: _terraform, ...rest } = await synthesized()
      await stack.write({
        'cdk.tf.json': JSON.stringify(rest),
        'provider.tf': providerBlock(stack.service, `default_tags = ${JSON.stringify(defaultTags)}`),
      })
      await keepPlan(stack)
      const given = { directory: stack.directory, env: stack.service.env }
      const refused = await cli('plan --plan-json plan.json', given)
      // Grants of one flag among several that are new: no plan says which.
      expect([
        refused.code,
        refused.stderr.match(/\]: feature_flag_id: the plan does not contain the flag/g)?.length,
      ]).toEqual([1, 6])
      const grants = Object.entries(grantsIn(rest)).filter(([, { count, for_each: each }]) => !count && !each)
      const resources = {
        ...(rest.resource as object),
        vexil_feature_flag_role_access: Object.fromEntries(grants),
      }
      await stack.write({ 'cdk.tf.json': JSON.stringify({ ...rest, resource: resources }) })
      await keepPlan(stack)
      const applied = await cli('apply --plan-json plan.json --auto-approve', given)
      expect([applied.code, applied.stderr.replace(noRecords, '')]).toEqual([0, planWarned])
      const again = await cli('plan --plan-json plan.json --detailed-exitcode', given)
      expect([again.code, again.stderr]).toEqual([0, planWarned])
    })

    it('with half a character is the same to Terraform and to Vexil', async () => {
      const stack = await open('')
      const flag = { key: 'half', name: 'a\ud800b', active: false, tags: ['\udc00t'] }
      await stack.write({
        'cdk.tf.json': JSON.stringify({ resource: { vexil_feature_flag: { half: flag } } }),
      })
      await stack.apply()
      await Promise.all(['main.tf', 'provider.tf'].map(name => rm(join(stack.directory, name))))
      const given = { directory: stack.directory, env: stack.service.env }
      const planned = await cli('plan --stack . --detailed-exitcode', given)
      expect(planned.code, planned.stdout + planned.stderr).toBe(0)
    })

    it('applied by either ends in the same state, and then there is nothing to do', async () => {
      const stack = await open('', { seed: before })
      const { provider: _provider, terraform: _terraform, ...rest } = await synthesized()
      await stack.write({
        'cdk.tf.json': JSON.stringify(rest),
        'provider.tf': providerBlock(stack.service, `default_tags = ${JSON.stringify(defaultTags)}`),
      })
      await stack.apply()
      expect(await stack.plan()).toEqual({})
      await keepPlan(stack)
      const given = { directory: stack.directory, env: stack.service.env }
      // The plan knows all ids now.
      const planned = await cli('plan --plan-json plan.json --detailed-exitcode', given)
      expect([planned.code, planned.stderr]).toEqual([0, planWarned])
      const live = await liveState(stack.service)
      expect(live).toEqual(await applyWithVexil())
      expect(percentagesOf(live, 'later')).toEqual([undefined, 5, 5, 5, 7, 12, 21.5, 33, 5])
      await expectRecorded(live)
    })
  })
})
