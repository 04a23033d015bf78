import { afterEach, describe, expect, it } from 'vitest'
import { type Profile, profiles } from '../../src/model/connection.ts'
import { startService } from '../support/service.ts'
import { aWorkspace, aWorld, flagsPath, type Workspace } from '../support/workspace.ts'

const seed = aWorld({
  cohorts: [{ id: 4, name: 'Germans', properties: { type: 'AND', values: [is('country', 'DE')] } }],
  persons: [
    { distinct_ids: ['ann'], properties: { country: 'DE', plan: 'free' } },
    { distinct_ids: ['bo'], properties: { country: 'FR', plan: 'pro' } },
  ],
})

function is(key: string, value: string) {
  return { key, type: 'person', value }
}

let desk: Workspace | undefined
afterEach(async () => {
  await desk?.service.close()
  await desk?.remove()
})

async function sitDown(profile: Profile, settings = `{ profile: ${profile} }`): Promise<Workspace> {
  const service = await startService({ profile, seed })
  const files = { 'vexil.yaml': `version: 1\nenvironments: { production: ${settings} }\n` }
  desk = await aWorkspace(service, files)
  return desk
}

/** Who of the two has the flag. */
async function whoHas({ service }: Workspace, key = 'checkout') {
  const values = ['ann', 'bo'].map(async person => {
    const reasons = (await service.get(`${flagsPath}/evaluation_reasons?distinct_id=${person}`)) as Record<
      string,
      { value: unknown }
    >
    return reasons[key]?.value === true ? [person] : []
  })
  return (await Promise.all(values)).flat()
}

const raw = (property: string) => `  checkout: { filters: { groups: [{ properties: [${property}] }] } }`
const notGermans = [
  ['the short form', '  checkout: { release: [{ properties: { cohort: { not_in: 4 } } }] }'],
  ['filters', raw('{ key: id, type: cohort, operator: not_in, value: 4 }')],
] as const

describe.each(profiles)('a cohort that a flag is kept from, on the service %s', profile => {
  it.each(notGermans)('does not get it, in %s, and is told so', async (_, declared) => {
    const { vexil, declareFlags } = await sitDown(profile)
    await declareFlags(declared)
    expect((await vexil('plan')).stdout).toContain('not in cohort 4')
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    expect(await whoHas(desk as Workspace)).toEqual(['bo'])
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
    expect((await vexil('validate')).stderr).toMatch(/posthog-node before 5.38.8.*posthog-go/)
  })

  it('does not get it either where nobody has said which service it is', async () => {
    const { vexil, declareFlags } = await sitDown(profile, '{}')
    await declareFlags(notGermans[0][1])
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    expect(await whoHas(desk as Workspace)).toEqual(['bo'])
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('is exported as it is meant', async () => {
    const { vexil, service, write } = await sitDown(profile)
    const property = { key: 'id', type: 'cohort', operator: 'not_in', value: 4 }
    const negation = profile === 'posthog-2026' ? {} : { negation: true }
    const filters = { groups: [{ properties: [{ ...property, ...negation }] }] }
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', filters })
    const { stdout } = await vexil('export')
    expect(stdout).toMatch(/not_in: 4/)
    await write({ 'flags.yaml': stdout })
    expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
  })
})

describe('a service that reads what is live otherwise than it looks', () => {
  it('gives a flag to a cohort in spite of not_in, which the plan says, and takes back', async () => {
    const { vexil, declareFlags, service } = await sitDown('posthog')
    const property = { key: 'id', type: 'cohort', operator: 'not_in', value: 4 }
    await service.send('POST', `${flagsPath}/`, {
      key: 'checkout',
      filters: { groups: [{ properties: [property] }] },
    })
    expect(await whoHas(desk as Workspace)).toEqual(['ann'])
    await declareFlags(notGermans[0][1])
    expect((await vexil('plan')).stdout).toContain('in cohort 4 -> not in cohort 4')
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    expect(await whoHas(desk as Workspace)).toEqual(['bo'])
  })

  it('ignores a negation, which the plan leaves out', async () => {
    const { vexil, declareFlags, service } = await sitDown('posthog-2026')
    const filters = { groups: [{ properties: [{ ...is('plan', 'free'), negation: true }] }] }
    await service.send('POST', `${flagsPath}/`, { key: 'checkout', filters })
    expect(await whoHas(desk as Workspace)).toEqual(['ann'])
    await declareFlags('  checkout: { release: [{ properties: { plan: free }, rollout_percentage: 50 }] }')
    expect((await vexil('plan')).stdout).toContain('condition 1  plan is free  100% -> 50%')
  })
})

describe('an exclusion that a service ignores or refuses', () => {
  const negated = '{ key: plan, type: person, value: free, negation: true }'

  const inList = '  checkout: { release: [{ properties: { plan: { in: [pro, team] } } }] }'

  it.each([
    ['a negation', raw(negated), 'operator: is_not'],
    [
      'a negation of a part',
      raw(negated.replace('value', 'operator: icontains, value')),
      'operator: not_icontains',
    ],
    [
      'a negation of a cohort',
      raw('{ key: id, type: cohort, value: 4, negation: true }'),
      'operator: not_in',
    ],
    ['a list of texts', inList, 'plan: [pro, team]'],
  ])('is an error on the service of today, with what to write instead: %s', async (_, declared, hint) => {
    const { vexil, declareFlags, service } = await sitDown('posthog-2026')
    await declareFlags(declared)
    const { code, stderr } = await vexil('validate')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(hint) })
    const { requests } = await service.watch(() => vexil('apply --auto-approve'))
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
  })

  it.each([
    ['a list of texts', inList, 'plan: [pro, team]'],
    [
      'a part of a cohort',
      raw('{ key: id, type: cohort, value: 4, operator: icontains }'),
      'use in or not_in',
    ],
    [
      'a flag that is a property',
      raw('{ key: plan, type: person, value: true, operator: flag_evaluates_to }'),
      'type: flag',
    ],
  ])('is an error on a service that keeps it, unless it is live: %s', async (_, declared, hint) => {
    const { vexil, declareFlags, service } = await sitDown('posthog')
    await declareFlags(declared)
    expect(await vexil('validate')).toMatchObject({ code: 0, stderr: expect.stringContaining(hint) })
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve'))
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(hint) })
    expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
  })

  it('is an error as soon as that service answers, where nobody says which it is', async () => {
    const { vexil, declareFlags, service } = await sitDown('posthog-2026', '{}')
    await service.send('POST', `${flagsPath}/`, { key: 'other', filters: { groups: [{ properties: [] }] } })
    await declareFlags(raw(negated))
    expect(await vexil('validate')).toMatchObject({ code: 0 })
    const { code, stderr } = await vexil('apply --auto-approve')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('operator: is_not') })
  })

  it('is a warning where it may be that service, and none where it is not', async () => {
    const { vexil, declareFlags, write } = await sitDown('posthog', '{}')
    await declareFlags(raw(negated))
    const why = 'would get the flag (profile posthog-2026); write operator: is_not instead'
    expect((await vexil('validate')).stderr).toContain(why)
    await write({ 'vexil.yaml': 'version: 1\nenvironments: { production: { profile: posthog } }\n' })
    expect((await vexil('validate')).stderr).not.toContain('ignores "negation"')
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0 })
    expect(await whoHas(desk as Workspace)).toEqual(['bo'])
  })

  it.each(['in', 'not_in'])('is refused by the service of today: %s', async operator => {
    const { service } = await sitDown('posthog-2026')
    const properties = [{ key: 'plan', type: 'person', operator, value: ['pro'] }]
    const body = { key: 'checkout', filters: { groups: [{ properties }] } }
    await expect(service.send('POST', `${flagsPath}/`, body)).rejects.toThrow(/invalid_operator/)
  })
})
