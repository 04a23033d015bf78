import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/testing/index.ts'
import { anEventStack, aShop, aSmallStack, growth, templated } from './shop.ts'

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
    const { changes, withheld, drift, unchanged, text } = await sandbox.apply(aShop())
    expect(changes.map(({ address, action }) => [address, action])).toEqual([
      ['feature_flag.checkout_v2', 'create'],
      ['feature_flag_role_access.checkout_v2:growth team', 'create'],
    ])
    expect({ withheld, drift, unchanged }).toEqual({ withheld: [], drift: [], unchanged: [] })
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
      /^the stack was not applied whole\n {2}feature_flag_role_access\.checkout_v2:/,
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
