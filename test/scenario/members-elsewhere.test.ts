import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { aWorkspace, flagsPath, type Workspace } from '../support/workspace.ts'

const at = (rollout_percentage: number) => ({ groups: [{ properties: [], rollout_percentage }] })
const short = (percent: number, more = '') =>
  `  checkout: { active: true, rollout_percentage: ${percent}${more} }`

/** What other parts of the product write, by the service that has it; `later` is one that nobody knows yet. */
const written = [
  ['posthog', 'super_groups', [{ properties: [], rollout_percentage: 100 }]],
  ['posthog', 'later', { any: true }],
  ['posthog-2026', 'feature_enrollment', true],
  ['posthog-2026', 'holdout', { id: 7, exclusion_percentage: 10 }],
  ['posthog-2026', 'later', { any: true }],
] as const

describe.each(written)('on %s, %s', (profile, member, value) => {
  let desk: Workspace
  const members = { [member]: value }
  beforeEach(async () => {
    const service = await startService({ profile })
    desk = await aWorkspace(service, {
      'vexil.yaml': `version: 1\nenvironments: { production: { profile: ${profile} } }\n`,
    })
  })
  afterEach(async () => {
    await desk.service.close()
    await desk.remove()
  })
  const vexil = async (line: string) => {
    const result = await desk.vexil(line)
    expect(result.code, `${line}: ${result.stdout}${result.stderr}`).toBe(0)
    return result.stdout
  }
  const filters = async () => (await desk.flag('checkout')).filters

  it('stays when a declaration says nothing of it, and is not exported', async () => {
    await desk.service.send('POST', `${flagsPath}/`, { key: 'checkout', filters: { ...at(10), ...members } })
    expect(await vexil('export')).not.toContain(member)
    await desk.declareFlags(short(20))
    await vexil('apply --auto-approve')
    expect(await filters()).toMatchObject({ groups: [{ rollout_percentage: 20 }], ...members })
    await vexil('plan --detailed-exitcode')
    expect(await vexil('drift')).not.toContain(member)
  })

  it('that comes after an apply holds nothing, and pull leaves the short form', async () => {
    await desk.declareFlags(short(10))
    await vexil('apply --auto-approve')
    await desk.edit('checkout', { filters: { ...at(10), ...members } })
    await vexil('plan --detailed-exitcode')
    await vexil('pull')
    expect(await desk.read('flags.yaml')).toContain(short(10))
    await desk.declareFlags(short(30))
    await vexil('apply --auto-approve')
    expect(await filters()).toMatchObject({ groups: [{ rollout_percentage: 30 }], ...members })
  })

  it('that comes with a click is pulled without it', async () => {
    await desk.declareFlags(short(10))
    await vexil('apply --auto-approve')
    await desk.edit('checkout', { filters: { ...at(15), ...members } })
    await vexil('pull')
    expect(await desk.read('flags.yaml')).toContain(short(15))
  })

  it('goes where a declaration says that there is none', async () => {
    await desk.service.send('POST', `${flagsPath}/`, { key: 'checkout', filters: { ...at(10), ...members } })
    await desk.declareFlags(
      `  checkout: { active: true, filters: { groups: [{ rollout_percentage: 10 }], ${member}: null } }`,
    )
    await vexil('apply --auto-approve')
    expect((await filters()) as object).not.toMatchObject(members)
  })
})
