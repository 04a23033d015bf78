import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../src/model/text/json.ts'
import { anOrganization, isWrite, useWorkspace, writeTwoEnvironments } from '../support/workspace.ts'

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

const world = anOrganization({
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
})

const both = '-e staging -e production'
const workspace = useWorkspace({ 'empty/vexil.yaml': 'version: 1\n' }, { seed: world })
const { vexil, service, write, read } = workspace

describe('vexil export of several environments', () => {
  it('says what they share once, what differs as overrides, and what one alone has for it only', async () => {
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

  it('shares what the environment says that was named last', async () => {
    const env = await writeTwoEnvironments(workspace())
    const { stdout } = await vexil('export -e production -e staging -e production', { env })
    expect(parse(stdout).feature_flags.checkout.environments).toEqual({
      production: expect.objectContaining({ name: 'Checkout', tags: ['shop'], role_access: ['support'] }),
    })
  })

  it('limits everything to those that were asked for', async () => {
    const env = await writeTwoEnvironments(workspace())
    const settings = await read('vexil.yaml')
    await write({ 'vexil.yaml': settings.replace('staging:', 'test: { project: "9" }, staging:') })
    const { stdout } = await vexil(`export ${both}`, { env })
    expect(parse(stdout).feature_flags.same.only).toEqual(['staging', 'production'])
  })

  it('tells of each what is left out', async () => {
    const env = await writeTwoEnvironments(workspace())
    await service.send('POST', '/api/projects/2/feature_flags/', {
      key: 'constructor',
      filters: { groups: [] },
    })
    const { stderr } = await vexil(`export ${both}`, { env })
    expect(stderr).toMatch(
      /^staging: not exported: flag "constructor" \(id \d+\): "constructor" cannot be used as a name in a declaration\n$/,
    )
  })

  it('withholds in one of them what is the key of another', async () => {
    const env = await writeTwoEnvironments(workspace())
    await service.send('PATCH', '/api/projects/2/feature_flags/6/', {
      name: `of ${service.env.VEXIL_API_KEY}`,
    })
    const { code, stdout, stderr } = await vexil(`export ${both}`, { env })
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/^not exported: /) })
    expect(parse(stdout).feature_flags.checkout.only).toEqual(['production'])
  })

  it('gives the objects of each with --json', async () => {
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
      '--project sets one place; for several environments, set the place of each in vexil.yaml',
    ],
    ['--sandbox', '--sandbox sets one place; for several environments, set the place of each in vexil.yaml'],
  ])('refuses %s', async (option, message) => {
    const env = await writeTwoEnvironments(workspace())
    expect(await vexil(`export ${both} ${option}`, { env })).toEqual({
      code: 64,
      stdout: '',
      stderr: `vexil: ${message}\n`,
    })
  })

  it('refuses a variable that leads all of them to one place', async () => {
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
