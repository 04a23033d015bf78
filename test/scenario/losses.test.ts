import { afterEach, describe, expect, it } from 'vitest'
import type { Profile } from '../../src/model/connection.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, flagsPath, type Workspace } from '../support/workspace.ts'

let desk: Workspace | undefined
afterEach(async () => {
  await desk?.service.close()
  await desk?.remove()
})

/** A live flag at 50%, with what uses it. */
async function sitDown(flag: object, profile: Profile = 'posthog-2026'): Promise<Workspace> {
  const feature_flags = [{ key: 'checkout', name: 'Checkout', filters: half, ...flag }]
  const projects = [{ id: 1, name: 'Shop', group_types: ['company'], feature_flags }]
  const service = await startService({ profile, seed: { organizations: [{ name: 'Shop', projects }] } })
  desk = await aWorkspace(service, {
    'vexil.yaml': `version: 1\nenvironments: { production: { profile: ${profile} } }\n`,
  })
  return desk
}

const half = { groups: [{ properties: [], rollout_percentage: 50 }] }
const enrolling = { ...half, feature_enrollment: true }
const used = { experiment_set: [4], surveys: [{ id: 's', name: 'NPS' }] }
const renamed = '  pay: { name: Checkout, active: true, rollout_percentage: 50 }'
const drawn = 'people are assigned anew to percentages and variants'

describe('a rename', () => {
  it('names in one line who loses what', async () => {
    const { vexil, declareFlags } = await sitDown({ filters: enrolling, ...used })
    await declareFlags(renamed)
    const { stdout } = await vexil('plan')
    expect(stdout).toContain(
      `lost under another key: the enrollment of people who have opted in, experiment "Experiment 4", survey "NPS"; ${drawn}`,
    )
    expect(stdout).toContain('if this is a rename')
  })

  it.each([
    ['an experiment that has ended', { ...used, surveys: [], experiments_stopped: true }],
    ['no experiment', {}],
  ])('loses nothing but places by %s', async (_, flag) => {
    const { vexil, declareFlags } = await sitDown(flag)
    await declareFlags(renamed)
    const { stdout } = await vexil('plan')
    expect(stdout).toContain(`under another key ${drawn}`)
    expect(stdout).not.toMatch(/lost|experiment/i)
  })
})

describe('a deletion', () => {
  it('names in one line who loses what', async () => {
    const { vexil, declareFlags } = await sitDown({ filters: enrolling, ...used })
    await declareFlags('  checkout: { ensure: absent }')
    const { stdout } = await vexil('plan --allow experiment --allow survey')
    expect(stdout).toContain(
      'lost with it: the enrollment of people who have opted in, experiment "Experiment 4", survey "NPS"',
    )
  })

  it('is not held back by an experiment that has ended', async () => {
    const { vexil, declareFlags } = await sitDown({ experiment_set: [4], experiments_stopped: true })
    await declareFlags('  checkout: { ensure: absent }')
    const { code, stdout } = await vexil('apply --auto-approve')
    expect(code, stdout).toBe(0)
    expect(stdout).not.toContain('experiment')
  })

  it('is held back by an experiment that runs, or of which nobody can tell', async () => {
    for (const [profile, flag] of [
      ['posthog-2026', { experiment_set: [4] }],
      ['posthog', { experiment_set: [4], experiments_stopped: true }],
    ] as const) {
      const { vexil, declareFlags, service, remove } = await sitDown(flag, profile)
      await declareFlags('  checkout: { ensure: absent }')
      expect((await vexil('plan')).stdout).toContain('an experiment runs on it')
      await Promise.all([service.close(), remove()])
    }
    desk = undefined
  })
})

describe('a flag with an early access feature', () => {
  const grouped =
    '  checkout: { filters: { aggregation_group_type_index: 0, groups: [{ rollout_percentage: 50 }] } }'

  it('is not made one of groups, which the service refuses', async () => {
    const { vexil, declareFlags, service } = await sitDown({ features: [{ id: 'f', name: 'Beta' }] })
    await declareFlags(grouped)
    const { stdout } = await vexil('plan')
    expect(stdout).toContain('it belongs to an early access feature, which needs a flag for persons')
    const body = { filters: { ...half, aggregation_group_type_index: 0 } }
    await expect(service.send('PATCH', `${flagsPath}/1/`, body)).rejects.toThrow(/Early Access Feature/)
  })

  it('is none without the feature', async () => {
    const { vexil, declareFlags } = await sitDown({})
    await declareFlags(grouped)
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
  })
})

describe('a promoted flag', () => {
  it('names the flags that it depends on and that are not declared there', async () => {
    const { vexil, write, service } = await sitDown({})
    const place = `base_url: "${service.url}", organization: 01900000-0000-0000-0000-000000000001`
    await write({
      'vexil.yaml': `version: 1\nenvironments: { staging: { ${place}, project: "2" }, production: { ${place}, project: "1" } }\n`,
      'flags.yaml': `feature_flags:
  base: { active: true, only: [staging], rollout_percentage: 50 }
  pay:
    active: true
    rollout_percentage: 10
    environments: { staging: { rollout_percentage: null, release: [ { properties: [ { key: base, type: flag, operator: flag_evaluates_to, value: true } ] } ] } }
`,
    })
    const { code, stdout, stderr } = await vexil('promote pay --from staging --to production')
    expect(code, stdout + stderr).toBe(0)
    expect(stdout + stderr).toContain('depends on the flag base, which is not declared for production')
  })
})
