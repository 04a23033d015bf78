import { TerraformStack } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { Flag, VexilProvider, When } from '../../src/constructs/index.ts'
import type { Profile } from '../../src/model/connection.ts'
import { startSandbox } from '../../src/testing/index.ts'
import { anApp } from '../constructs/a-stack.ts'
import { anEventStack, aShop, aSmallStack, growth, templated } from './shop.ts'

const inCohort = (value: number) => ({ key: 'id', type: 'cohort', value })

describe('a sandbox of a test', () => {
  it('is a service with one project', async () => {
    await using sandbox = await startSandbox()
    expect(sandbox.project).toBe('1')
    expect(sandbox.env).toEqual({
      VEXIL_BASE_URL: sandbox.url,
      VEXIL_API_KEY: sandbox.apiKey,
      VEXIL_PROJECT_ID: '1',
      VEXIL_ORGANIZATION_ID: sandbox.organization,
      VEXIL_PROFILE: 'documented',
    })
    const response = await fetch(`${sandbox.url}/api/projects/1/feature_flags/`, {
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
    })
    expect(await response.json()).toMatchObject({ count: 0, results: [] })
  })

  it('applies a stack, and tells what somebody gets', async () => {
    await using sandbox = await startSandbox({ roles: [growth] })
    const { changes, blocked, drift, unchanged, text } = await sandbox.apply(aShop())
    expect(changes.map(({ address, action }) => [address, action])).toEqual([
      ['feature_flag.checkout_v2', 'create'],
      ['feature_flag_role_access.checkout_v2:growth team', 'create'],
    ])
    expect({ blocked, drift, unchanged }).toEqual({ blocked: [], drift: [], unchanged: [] })
    expect(text).toContain('2 to create')
    expect(await sandbox.flag('checkout_v2')).toMatchObject({ name: templated, active: true })
    expect(await sandbox.flag('checkout')).toBeUndefined()
    await sandbox.apply(aSmallStack())
    expect(await sandbox.evaluate('dark_mode', { distinctId: 'ada' })).toBe(true)
    expect(await sandbox.evaluate('checkout_v2', { distinctId: 'ada', properties: { country: 'FR' } })).toBe(
      false,
    )
    await expect(sandbox.evaluate('checkout', { distinctId: 'ada' })).rejects.toThrow('no flag "checkout"')
  })

  it('says who gives what where SDKs of today and the service do not agree', async () => {
    const old = { key: 'age', type: 'person', operator: 'gt', value: '5' }
    const feature_flags = [{ key: 'old', filters: { groups: [{ properties: [old] }] } }]
    const world = { organizations: [{ name: 'A', projects: [{ id: 1, name: 'B', feature_flags }] }] }
    await using today = await startSandbox({ profile: 'posthog-2026', world })
    const [text, number] = [{ age: '10' }, { age: 10 }].map(properties => ({ distinctId: 'ada', properties }))
    expect(await today.evaluate('old', number!)).toBe(true)
    await expect(today.evaluate('old', text!)).rejects.toThrow(
      'flag "old" differs for "ada": the service gives true, posthog-server 2.3.3 false',
    )
    expect(await today.evaluate('old', text!, { by: 'the service' })).toBe(true)
    expect(await today.evaluate('old', text!, { by: 'posthog-server 2.3.3' })).toBe(false)
    await expect(today.evaluate('old', text!, { by: 'posthog-php' })).rejects.toThrow(
      '"posthog-php" does not evaluate flags here, only the service, posthog-node 5.70.0, posthog-python 7.91.1, posthog-go 1.5.2, posthog-rs 0.30.0, posthog-server 2.3.3',
    )
    await using then = await startSandbox({ profile: 'posthog', world })
    expect(await then.evaluate('old', text!)).toBe(false)
  })

  it('tells what a flag says that asks another one', async () => {
    await using sandbox = await startSandbox()
    const path = '/api/projects/1/feature_flags/'
    await sandbox.send('POST', path, { key: 'base', filters: { groups: [{ rollout_percentage: 100 }] } })
    const base = { key: 'base', type: 'flag', operator: 'flag_evaluates_to', value: true }
    await sandbox.send('POST', path, { key: 'next', filters: { groups: [{ properties: [base] }] } })
    expect(await sandbox.evaluate('next', { distinctId: 'ada' })).toBe(true)
    const { id } = (await sandbox.flag('base')) ?? {}
    await sandbox.send('PATCH', `${path}${id}/`, { filters: { groups: [{ rollout_percentage: 0 }] } })
    expect(await sandbox.evaluate('next', { distinctId: 'ada' })).toBe(false)
  })

  it('knows the groups, cohorts and people of its world', async () => {
    await using sandbox = await startSandbox({
      world: {
        organizations: [
          {
            name: 'Shop',
            projects: [
              {
                name: 'Here',
                group_types: ['company'],
                groups: [{ type: 'company', key: 'acme', properties: { plan: 'pro' } }],
                persons: [{ distinct_ids: ['ann'], properties: { country: 'DE' } }],
                cohorts: [
                  {
                    id: 4,
                    name: 'Germans',
                    properties: { type: 'AND', values: [{ key: 'country', type: 'person', value: 'DE' }] },
                  },
                  { id: 5, name: 'Testers', persons: ['ann'] },
                ],
                feature_flags: [
                  {
                    key: 'for_pro',
                    filters: {
                      aggregation_group_type_index: 0,
                      groups: [
                        { properties: [{ key: 'plan', type: 'group', group_type_index: 0, value: 'pro' }] },
                      ],
                    },
                  },
                  { key: 'for_germans', filters: { groups: [{ properties: [inCohort(4)] }] } },
                  { key: 'for_testers', filters: { groups: [{ properties: [inCohort(5)] }] } },
                ],
              },
            ],
          },
        ],
      },
    })
    const values = async (person: Parameters<typeof sandbox.evaluate>[1]) => [
      await sandbox.evaluate('for_pro', person),
      await sandbox.evaluate('for_germans', person),
      await sandbox.evaluate('for_testers', person),
    ]
    expect(await values({ distinctId: 'ann' })).toEqual([false, true, true])
    expect(await values({ distinctId: 'ann', groups: { company: 'acme' } })).toEqual([true, true, true])
    const elsewhere = { groupProperties: { company: { plan: 'free' } }, properties: { country: 'FR' } }
    expect(await values({ distinctId: 'ann', groups: { company: 'acme' }, ...elsewhere })).toEqual([
      false,
      false,
      true,
    ])
    expect(await values({ distinctId: 'bo', properties: { country: 'DE' } })).toEqual([false, true, false])
  })

  it('plans and applies a condition on a cohort of its world', async () => {
    const projects = [
      {
        name: 'Here',
        cohorts: [
          { id: 4, name: 'Germans', properties: { type: 'AND', values: [{ key: 'country', value: 'DE' }] } },
        ],
      },
    ]
    await using sandbox = await startSandbox({ world: { organizations: [{ name: 'Shop', projects }] } })
    const stack = new TerraformStack(anApp(), 'cohorts')
    new Flag(stack, 'Germans', { key: 'for_germans', active: true, release: [When.cohort(4).at(100)] })
    await sandbox.apply(stack)
    expect(await sandbox.plan(stack)).toMatchObject({ changes: [], drift: [] })
    expect(await sandbox.evaluate('for_germans', { distinctId: 'bo', properties: { country: 'DE' } })).toBe(
      true,
    )
    expect(await sandbox.evaluate('for_germans', { distinctId: 'bo' })).toBe(false)
    const gone = new TerraformStack(anApp(), 'gone')
    new Flag(gone, 'Others', { key: 'for_others', active: true, release: [When.cohort(9).at(100)] })
    await expect(sandbox.apply(gone)).rejects.toThrow('Cohort with id 9 does not exist')
  })

  it('never says false where it cannot tell', async () => {
    await using sandbox = await startSandbox()
    const property = { key: 'country', type: 'person', operator: 'regex', value: '(?=D)' }
    const filters = { groups: [{ properties: [property] }] }
    await sandbox.send('POST', '/api/projects/1/feature_flags/', { key: 'odd', filters })
    await expect(
      sandbox.evaluate('odd', { distinctId: 'bo', properties: { country: 'DE' } }),
    ).rejects.toThrow(
      'flag "odd" is undecided for "bo": only the service evaluates the pattern "(?=D)": it looks ahead or behind',
    )
    expect(await sandbox.evaluate('odd', { distinctId: 'bo' })).toBe(false)
  })

  it('tells whom SDKs have to name', async () => {
    await using sandbox = await startSandbox()
    const response = await fetch(`${sandbox.url}/flags/?v=2`, {
      method: 'POST',
      body: JSON.stringify({ token: sandbox.projectToken, distinct_id: 'ann' }),
    })
    expect(await response.json()).toMatchObject({ flags: {}, errorsWhileComputingFlags: false })
  })

  it('plans without writing', async () => {
    await using sandbox = await startSandbox()
    sandbox.resetRequests()
    await sandbox.plan(aSmallStack())
    expect(sandbox.requests().map(line => line.split(' ')[0])).not.toContain('POST')
    expect(await sandbox.flag('dark_mode')).toBeUndefined()
  })

  it('begins with the world that it is given', async () => {
    const organizations = [
      {
        name: 'Shop',
        projects: [
          { id: 7, name: 'Here', event_definitions: [{ name: 'paid' }] },
          { id: 8, name: 'There', feature_flags: [{ key: 'old' }] },
        ],
      },
    ]
    await using sandbox = await startSandbox({ world: { organizations } })
    expect(sandbox.project).toBe('7')
    await sandbox.apply(anEventStack())
    expect(await sandbox.get('/api/projects/7/event_definitions/')).toMatchObject({
      results: [{ name: 'paid', tags: ['payments'] }],
    })
    await using other = await startSandbox({
      world: 'organizations: [{name: A, projects: [{id: 4, name: B}]}]',
    })
    expect(other.project).toBe('4')
    await expect(startSandbox({ world: 'organizations: []' })).rejects.toThrow('world.yaml')
  })

  it('goes to the project that a stack names, where there is one', async () => {
    const projects = [
      { id: 1, name: 'One' },
      { id: 7, name: 'Seven' },
    ]
    await using sandbox = await startSandbox({
      world: { organizations: [{ name: 'A', projects }] },
      roles: [growth],
    })
    await sandbox.apply(aShop())
    expect(await sandbox.get('/api/projects/7/feature_flags/')).toMatchObject({ count: 1 })
    expect(await sandbox.get('/api/projects/1/feature_flags/')).toMatchObject({ count: 0 })
  })

  it('says what was not applied, and does the rest', async () => {
    await using sandbox = await startSandbox({ roles: [growth] })
    sandbox.fail('POST /feature_flags/*/role_access status=403')
    await expect(sandbox.apply(aShop())).rejects.toThrow(
      /^the stack was not completely applied\n {2}feature_flag_role_access\.checkout_v2:/,
    )
    sandbox.fail()
    expect((await sandbox.plan(aShop())).changes.map(({ kind }) => kind)).toEqual([
      'feature_flag_role_access',
    ])
  })

  it('behaves as it is told', async () => {
    await using sandbox = await startSandbox({
      profile: 'posthog',
      faults: ['GET /feature_flags nth=1 status=400'],
    })
    expect(sandbox.env.VEXIL_PROFILE).toBe('posthog')
    await expect(sandbox.get('/api/projects/1/feature_flags/')).rejects.toThrow('400')
    await expect(sandbox.get('/api/projects/1/feature_flags/')).resolves.toMatchObject({ count: 0 })
    await expect(startSandbox({ quirks: ['nonsense=1'] })).rejects.toThrow('"nonsense" is not a quirk')
  })
})

describe('the profile of a sandbox', () => {
  const ofToday = (profile?: Profile) => {
    const stack = new TerraformStack(anApp(), 'flags')
    new VexilProvider(stack, 'vexil', { projectId: '1', ...(profile ? { profile } : {}) })
    new Flag(stack, 'One', { key: 'one', active: false, release: [], evaluationRuntime: 'server' })
    return stack
  }

  it('is that for which a stack is planned that names none', async () => {
    await using then = await startSandbox({ profile: 'posthog' })
    await expect(then.plan(ofToday())).rejects.toThrow(
      '"evaluation_runtime" is declared, but this service does not have this field',
    )
    await using today = await startSandbox({ profile: 'posthog-2026' })
    expect((await today.plan(ofToday())).changes).toHaveLength(1)
  })

  it('has to be the one that the stack names', async () => {
    await using then = await startSandbox()
    await expect(then.plan(ofToday('posthog-2026'))).rejects.toThrow(
      `the stack is for a service with profile "posthog-2026", but the sandbox has profile "documented": startSandbox({ profile: 'posthog-2026' })`,
    )
    await expect(then.apply(ofToday('posthog-2026'))).rejects.toThrow('startSandbox')
    await using today = await startSandbox({ profile: 'posthog-2026' })
    expect((await today.plan(ofToday('posthog-2026'))).changes).toHaveLength(1)
  })
})
