import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../src/model/json/json.ts'
import type { WorldFile } from '../../src/sandbox/index.ts'
import { isWrite, organization, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

const support = '01900000-0000-0000-0000-0000000000aa'

const asks = (key: string, value: Json): JsonObject => ({ key, type: 'person', operator: 'exact', value })
const staff = { properties: [asks('email', 'a@example.com')] }
const of = (country: Json) => ({ properties: [asks('country', country)], rollout_percentage: 25 })
const flag = (key: string, groups: readonly Json[], more: JsonObject = {}) => ({
  key,
  active: true,
  filters: { groups },
  ...more,
})

const world: WorldFile = {
  organizations: [
    {
      id: organization,
      name: 'Example',
      roles: [{ id: support, name: 'Support Team' }],
      plugins: [{ name: 'Geo', plugin_type: 'source', source: { 'index.ts': 'export {}\n' } }],
      projects: [
        {
          id: 1,
          name: 'Production',
          event_definitions: [{ name: 'paid', tags: ['money'] }],
          feature_flags: [
            flag('checkout', [staff, of(['DE', 'AT']), { rollout_percentage: 5 }], {
              name: 'Checkout',
              tags: ['shop'],
              role_access: ['Support Team'],
            }),
            flag('moved', [staff, of('DE')]),
            flag('old', [{ rollout_percentage: 100 }]),
            flag('same', [{ rollout_percentage: 5 }]),
            flag('raw', [{ rollout_percentage: 5, sort_key: 'a' }]),
          ],
        },
        {
          id: 2,
          name: 'Staging',
          event_definitions: [{ name: 'paid', tags: ['money'] }],
          feature_flags: [
            flag('checkout', [staff, of(['DE']), { rollout_percentage: 100 }]),
            flag('moved', [of('DE'), staff]),
            flag('new', []),
            flag('same', [{ rollout_percentage: 5 }]),
            flag('raw', [{ rollout_percentage: 9 }]),
          ],
        },
      ],
    },
  ],
}

const both = '-e staging -e production'
const workspace = useWorkspace({ 'empty/vexil.yaml': 'version: 1\n' }, { seed: world })

describe('vexil export of several environments', () => {
  it('says what they share once, what differs as overrides, and what one alone has for it only', async () => {
    const { vexil, service } = workspace()
    const env = await writeTwoEnvironments(workspace())
    const { result, requests } = await service.watch(() => vexil(`export ${both}`, { env }))
    expect(requests.filter(isWrite)).toEqual([])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(parse(result.stdout)).toEqual({
      feature_flags: {
        checkout: {
          name: 'Checkout',
          release: {
            email: { properties: { email: 'a@example.com' } },
            country: { properties: { country: ['DE', 'AT'] }, rollout_percentage: 25 },
            rest: { rollout_percentage: 5 },
          },
          active: true,
          tags: ['shop'],
          role_access: ['support'],
          environments: {
            staging: {
              name: '',
              release: {
                country: { properties: { country: ['DE'] } },
                rest: { rollout_percentage: 100 },
              },
              tags: [],
              role_access: [],
            },
          },
        },
        moved: {
          release: {
            email: { properties: { email: 'a@example.com' } },
            country_de: { properties: { country: 'DE' }, rollout_percentage: 25 },
          },
          active: true,
          environments: {
            staging: {
              release: [
                { properties: { country: 'DE' }, rollout_percentage: 25 },
                { properties: { email: 'a@example.com' } },
              ],
            },
          },
        },
        new: { only: ['staging'], release: [], active: true },
        old: { only: ['production'], rollout_percentage: 100, active: true },
        raw: {
          filters: { groups: [{ rollout_percentage: 5, sort_key: 'a' }] },
          active: true,
          environments: { staging: { filters: { groups: [{ rollout_percentage: 9 }] } } },
        },
        same: { rollout_percentage: 5, active: true },
      },
      plugins: { Geo: { plugin_type: 'source', source: { 'index.ts': 'export {}\n' } } },
      event_definitions: { paid: { tags: ['money'] } },
    })
  })

  it('writes files that plan nothing in any of them, and nothing once more', async () => {
    const { vexil } = workspace()
    const env = await writeTwoEnvironments(workspace())
    expect(await vexil(`export -d flags ${both}`, { env })).toMatchObject({
      code: 0,
      stderr: '4 files written; run vexil plan\n',
    })
    for (const environment of ['staging', 'production'])
      expect(await vexil(`plan --detailed-exitcode --prune all -e ${environment}`, { env })).toMatchObject({
        code: 0,
      })
    expect(await vexil(`export -d flags ${both}`, { env })).toMatchObject({
      stdout: '',
      stderr: 'nothing to write: all 14 live objects are declared already\n',
    })
  })

  it('shares what the environment says that was named last', async () => {
    const { vexil } = workspace()
    const env = await writeTwoEnvironments(workspace())
    const { stdout } = await vexil('export -e production -e staging -e production', { env })
    expect(parse(stdout).feature_flags.checkout.environments).toEqual({
      production: expect.objectContaining({ name: 'Checkout', tags: ['shop'], role_access: ['support'] }),
    })
  })

  it('limits everything to those that were asked for', async () => {
    const { vexil, read, write } = workspace()
    const env = await writeTwoEnvironments(workspace())
    const settings = await read('vexil.yaml')
    await write({ 'vexil.yaml': settings.replace('staging:', 'test: { project: "9" }, staging:') })
    const { stdout } = await vexil(`export ${both}`, { env })
    expect(parse(stdout).feature_flags.same.only).toEqual(['staging', 'production'])
  })

  it('reads each with its own key', async () => {
    const { vexil, service, read, write } = workspace()
    const { VEXIL_API_KEY: key } = await writeTwoEnvironments(workspace())
    const settings = (await read('vexil.yaml')).replace(
      'project: "2"',
      'api_key_env: STAGING_KEY, project: "2"',
    )
    await write({ 'vexil.yaml': settings })
    const with2 = (STAGING_KEY: string) => ({ env: { VEXIL_API_KEY: key, STAGING_KEY } })
    expect((await vexil(`export ${both}`, with2(key ?? ''))).code).toBe(0)
    expect((await vexil(`export ${both}`, with2('another'))).code).not.toBe(0)
    expect(service.env.VEXIL_API_KEY).toBe(key)
  })

  it('tells of each what is left out', async () => {
    const { vexil, service } = workspace()
    const env = await writeTwoEnvironments(workspace())
    await service.send('POST', '/api/projects/2/feature_flags/', {
      key: 'constructor',
      filters: { groups: [] },
    })
    const { stderr } = await vexil(`export ${both}`, { env })
    expect(stderr).toMatch(
      /^staging: left out: flag "constructor" \(id \d+\): "constructor" cannot be a name in a declaration\n$/,
    )
  })

  it('withholds in one of them what is the key of another', async () => {
    const { vexil, service } = workspace()
    const env = await writeTwoEnvironments(workspace())
    await service.send('PATCH', '/api/projects/2/feature_flags/6/', {
      name: `of ${service.env.VEXIL_API_KEY}`,
    })
    const { code, stdout, stderr } = await vexil(`export ${both}`, { env })
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/^left out: /) })
    expect(parse(stdout).feature_flags.checkout.only).toEqual(['production'])
  })

  it('gives the objects of each with --json', async () => {
    const { vexil } = workspace()
    const env = await writeTwoEnvironments(workspace())
    const { objects } = JSON.parse((await vexil(`export ${both} --json`, { env })).stdout)
    const places = objects.map(
      ({ environment, identity }: Record<string, string>) => `${environment} ${identity}`,
    )
    expect(places).toHaveLength(14)
    expect(places).toContain('staging new')
    expect(places).toContain('production Geo')
  })

  it.each([
    [
      '--project 5',
      '--project means one place; with several environments, vexil.yaml says where each of them is',
    ],
    [
      '--sandbox',
      '--sandbox means one place; with several environments, vexil.yaml says where each of them is',
    ],
  ])('refuses %s', async (option, message) => {
    const { vexil } = workspace()
    const env = await writeTwoEnvironments(workspace())
    expect(await vexil(`export ${both} ${option}`, { env })).toEqual({
      code: 64,
      stdout: '',
      stderr: `vexil: ${message}\n`,
    })
  })

  it('refuses a variable that leads all of them to one place', async () => {
    const { vexil, service } = workspace()
    const env = await writeTwoEnvironments(workspace())
    const { result, requests } = await service.watch(() =>
      vexil(`export ${both}`, { env: { ...env, VEXIL_PROJECT_ID: '1' } }),
    )
    expect(requests).toEqual([])
    expect(result).toMatchObject({ code: 3, stdout: '' })
    expect(result.stderr).toContain(
      'vexil: staging: an environment variable gives another project than vexil.yaml; unset it to export several environments\n',
    )
  })
})

describe('vexil export of environments with the same conditions in another order', () => {
  const project = (id: number, groups: readonly Json[]) => ({
    id,
    name: `Project ${id}`,
    feature_flags: [flag('checkout', groups)],
  })
  const projects = [project(1, [of('AT'), of('FR')]), project(2, [of('FR'), of('AT')])]
  const workspace = useWorkspace(
    {},
    { seed: { organizations: [{ id: organization, name: 'Example', projects }] } },
  )

  it('gives no name of a condition to another one', async () => {
    const { vexil } = workspace()
    const env = await writeTwoEnvironments(workspace())
    const { checkout } = parse((await vexil(`export ${both}`, { env })).stdout).feature_flags
    const country = (value: string) => ({ properties: { country: value }, rollout_percentage: 25 })
    expect(checkout).toEqual({
      active: true,
      release: { country_at: country('AT'), country_fr: country('FR') },
      environments: { staging: { release: [country('FR'), country('AT')] } },
    })
    expect((await vexil('export -d flags -e staging -e production', { env })).code).toBe(0)
    for (const environment of ['staging', 'production'])
      expect((await vexil(`plan --env ${environment}`, { env })).stdout).toContain('1 unchanged')
  })
})
