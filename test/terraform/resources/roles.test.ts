import { afterEach, describe, expect, it } from 'vitest'
import { kinds } from '../../../src/kinds/index.ts'
import type { Profile } from '../../../src/model/connection.ts'
import type { Kind } from '../../../src/model/kind.ts'
import { type Service, startService } from '../../support/service.ts'
import { playTerraform, refusalOf } from './play.ts'

const organization = '01900000-0000-0000-0000-000000000001'
const [support, growth] = ['01900000-0000-0000-0000-0000000000aa', '01900000-0000-0000-0000-0000000000bb']
const seed = {
  organizations: [
    {
      id: organization,
      name: 'Example',
      roles: [
        { id: support, name: 'support' },
        { id: growth, name: 'Growth team' },
      ],
      projects: [{ id: 1, name: 'Production', feature_flags: [{ id: 7, key: 'checkout' }] }],
    },
  ],
}

let service: Service
afterEach(() => service.close())

async function onService(profile: Profile) {
  service = await startService({ seed, profile })
  return playTerraform(service)
}

describe.each(['posthog', 'posthog-2026'] as const)('the roles of an organization, on %s', profile => {
  it('are found by name and by id', async () => {
    const terraform = await onService(profile)
    const found = { id: support, name: 'support' }
    expect(await terraform.data('role', { name: 'support' })).toMatchObject(found)
    expect(await terraform.data('role', { id: support })).toMatchObject(found)
    expect(await terraform.data('role', { id: support.toUpperCase() })).toMatchObject({ name: 'support' })
  })

  it('are found by a name in letters of any case, as in the service', async () => {
    const terraform = await onService(profile)
    const found = { id: support, name: ' SUPPORT ' }
    expect(await terraform.data('role', { name: ' SUPPORT ' })).toMatchObject(found)
    expect(await terraform.data('role', found)).toMatchObject(found)
  })

  it('are listed, all of them or those that a text is in', async () => {
    const terraform = await onService(profile)
    const names = async (asked: { search?: string }) =>
      (await terraform.data('roles', asked)).roles?.valueOf() as readonly { id: string; name: string }[]
    expect((await names({})).map(({ name }) => name)).toEqual(['Growth team', 'support'])
    expect((await names({ search: 'TEAM' })).map(({ id }) => id)).toEqual([growth])
  })

  it('are granted by the id that was found', async () => {
    const terraform = await onService(profile)
    const { id } = await terraform.data('role', { name: 'support' })
    const grant = { feature_flag_id: '7', role_id: id ?? null }
    const kept = await terraform.apply('feature_flag_role_access', grant)
    expect(kept.state).toMatchObject({ role_id: support })
    expect(await terraform.replan('feature_flag_role_access', grant, kept)).toEqual([])
  })

  it('are an error where there is none of a name or of an id', async () => {
    const terraform = await onService(profile)
    expect(await refusalOf(() => terraform.data('role', { name: 'nobody' }))).toMatch(
      /^error \[name\]: there is no role "nobody" \| /,
    )
    expect(await refusalOf(() => terraform.data('role', { id: organization }))).toMatch(
      /^error \[id\]: there is no role with the id /,
    )
    expect(await refusalOf(() => terraform.data('role', {}))).toMatch(
      /^error \[name\]: neither `id` nor `name` is set/,
    )
    expect(await refusalOf(() => terraform.data('role', { id: growth, name: 'support' }))).toMatch(
      /^error \[name\]: the role with the id .* has the name "Growth team", not "support"/,
    )
  })
})

describe('a service without a list of roles', () => {
  it('says so', async () => {
    const terraform = await onService('documented')
    for (const [source, asked] of [
      ['role', { name: 'support' }],
      ['roles', {}],
    ] as const)
      expect(await refusalOf(() => terraform.data(source, asked))).toContain(
        'Check `organization_id`. If it is correct, this service has no list of roles. Write the id of the role itself.',
      )
  })
})

describe('what is only read', () => {
  it('is a data source and nothing that can be declared', async () => {
    const terraform = await onService('posthog')
    const onlyRead = Object.values<Kind>(kinds).filter(kind => kind.onlyRead)
    expect(onlyRead.length).toBeGreaterThan(0)
    for (const { name, section } of onlyRead) {
      expect(Object.keys(terraform.provider.resources)).not.toContain(`vexil_${name}`)
      expect(Object.keys(terraform.provider.dataSources)).toEqual(
        expect.arrayContaining([`vexil_${name}`, `vexil_${section}`]),
      )
    }
  })
})
