import { describe, expect, it } from 'vitest'
import { supportRole } from '../../support/builders.ts'
import { desiredOf, load, problemsOf } from '../load.ts'

const F = 'vexil_feature_flag'
const off = { active: false }
const organization = '01900000-0000-0000-0000-000000000001'
const flag = (key: string, more: object = {}) => ({ [key]: { key, ...off, ...more } })
const plugin = (name: string, more: object = {}) => ({ [name]: { name, ...more } })
const grantOf = (name: string) => ({
  vexil_feature_flag_role_access: {
    grant: { feature_flag_id: `\${${F}.${name}.id}`, role_id: supportRole },
  },
})

/** A stack with these configurations of the provider, flags, and other resources. */
const stackOf = (vexil: readonly object[], flags: object, more: object = {}) => ({
  ...(vexil.length > 0 ? { provider: { vexil } } : {}),
  resource: { [F]: flags, ...more },
})
const bare = { hasProvider: false }
const one = { project_id: '1' }
const elsewhere = 'take a value that the stack sets itself, or run this stack with Terraform'

/** One flag for each of two places. */
const twoPlaces = (more: object = {}) =>
  stackOf(
    [
      { project_id: '1', base_url: 'https://us.example.com', organization_id: organization },
      { alias: 'eu', project_id: '2', base_url: 'https://eu.example.com' },
    ],
    { ...flag('here'), ...flag('there', { provider: 'vexil.eu' }) },
    more,
  )

describe('the provider block', () => {
  it('says where the stack goes', async () => {
    const block = {
      base_url: 'https://flags.example.com',
      api_key: '${var.key}',
      project_id: '7',
      organization_id: organization,
      profile: 'posthog',
      parallelism: 4,
      retry_attempts: 2,
    }
    const variable = { key: { type: 'string', sensitive: true } }
    const stack = { variable, ...stackOf([block], flag('flag'), { vexil_plugin: plugin('p') }) }
    const { connection } = await load(stack, { env: { TF_VAR_key: 'hunter2' } })
    expect(connection).toEqual({
      baseUrl: 'https://flags.example.com',
      apiKey: 'hunter2',
      project: '7',
      organization,
      profile: 'posthog',
      parallelism: 4,
    })
  })

  it.each([
    ['not be there', []],
    ['say nothing', [{}]],
  ])('may %s', async (_, blocks) => {
    expect((await load(stackOf(blocks, flag('flag')), bare)).connection).toEqual({})
  })

  it.each<[string, object, string]>([
    [
      'hangs on what only the service knows',
      stackOf([one, { alias: 'eu', project_id: `\${${F}.flag.id}` }], {
        ...flag('flag'),
        ...flag('other', { provider: 'vexil.eu' }),
      }),
      `provider.vexil.eu: project_id comes from ${F}.flag.id, which only the service knows; ${elsewhere}`,
    ],
    [
      'has a setting that it does not know',
      stackOf([{ project: '1' }], flag('flag')),
      'provider.vexil.project: this attribute does not exist; did you mean "project_id"?',
    ],
  ])('is refused if it %s', async (_, stack, line) => {
    expect(await problemsOf(stack)).toEqual([line])
  })

  it('lets everything past the guards that it allows', async () => {
    const a = flag('a', { allow: ['survey', 'trail_unreadable'] })
    const desired = await desiredOf(
      stackOf([{ ...one, allow: ['trail_unreadable'] }], { ...a, ...flag('b') }),
    )
    expect(desired.map(({ identity, allow }) => [identity, allow])).toEqual([
      ['a', ['survey', 'trail_unreadable']],
      ['b', ['trail_unreadable']],
    ])
  })

  it('gives its labels to flags and events, beside their own', async () => {
    const desired = await desiredOf(
      stackOf(
        [{ ...one, default_tags: ['iac', 'team'] }],
        { ...flag('a', { tags: ['own'] }), ...flag('b') },
        { vexil_event_definition: plugin('c'), vexil_plugin: plugin('d'), ...grantOf('a') },
      ),
    )
    expect(desired.map(({ kind, tags: labels, fields }) => [kind, labels, fields.tags])).toEqual([
      ['feature_flag', ['iac', 'team'], ['own']],
      ['feature_flag', ['iac', 'team'], undefined],
      ['event_definition', ['iac', 'team'], undefined],
      ['plugin', undefined, undefined],
      ['feature_flag_role_access', undefined, undefined],
    ])
  })
})

describe('a stack for two places', () => {
  it('asks which one is meant', async () => {
    const { problems, declarations } = await load(twoPlaces())
    expect(declarations.desired).toEqual([])
    expect(problems).toMatchObject([
      {
        code: 'several-targets',
        message:
          'the stack is for several projects: vexil (project 1, https://us.example.com), vexil.eu (project 2, https://eu.example.com)',
        hint: 'select one with --provider: vexil, vexil.eu',
      },
    ])
  })

  it.each([
    ['vexil', 'here', { baseUrl: 'https://us.example.com', project: '1', organization }],
    ['eu', 'there', { baseUrl: 'https://eu.example.com', project: '2' }],
    ['vexil.eu', 'there', { baseUrl: 'https://eu.example.com', project: '2' }],
  ])('is applied to that of %s', async (provider, identity, connection) => {
    const loaded = await load(twoPlaces(), { provider })
    expect(loaded.problems).toEqual([])
    expect(loaded.declarations.desired.map(each => each.identity)).toEqual([identity])
    expect(loaded.connection).toEqual(connection)
  })

  it.each<[string, object, string | undefined, string]>([
    [
      'knows its providers by name',
      twoPlaces(),
      'asia',
      'the stack does not have the provider "asia"; there are vexil, vexil.eu',
    ],
    [
      'knows those of its resources by name',
      stackOf([one], flag('flag', { provider: 'vexil.asia' })),
      undefined,
      `${F}.flag.provider: the provider does not have this configuration; there are vexil`,
    ],
    [
      'grants no flag of the other one',
      twoPlaces(grantOf('there')),
      'vexil',
      `vexil_feature_flag_role_access.grant.feature_flag_id: ${F}.there.id is a flag of another project or service; use the provider that declares the flag`,
    ],
  ])('%s', async (_, stack, provider, line) => {
    expect(await problemsOf(stack, provider === undefined ? {} : { provider })).toEqual([line])
  })

  const also = { provider: 'vexil.also' }
  const alsoOne = { alias: 'also', project_id: '1' }

  it('that turn out to be one place is for that place', async () => {
    const { declarations, problems } = await load(
      stackOf([one, { ...alsoOne, default_tags: ['also'] }], flag('a', also), grantOf('a')),
    )
    expect(problems).toEqual([])
    expect(declarations.desired.map(({ identity, tags: labels }) => [identity, labels])).toEqual([
      ['a', ['also']],
      [supportRole, undefined],
    ])
  })

  it.each<[string, object, string[], string[]]>([
    [
      'what another configuration declares for the same place',
      stackOf([one, alsoOne], { ...flag('a', also), ...flag('b') }),
      ['feature_flag.b'],
      ['feature_flag.a'],
    ],
    [
      'what belongs to the organization that neither names, beside another project',
      stackOf(
        [one, { alias: 'also', project_id: '2' }],
        { ...flag('b', also), ...flag('c') },
        { vexil_plugin: { ...plugin('a', also), ...plugin('d') } },
      ),
      ['feature_flag.c', 'plugin.d'],
      ['plugin.a'],
    ],
  ])('leaves alone %s', async (_, stack, desired, skipped) => {
    const { declarations } = await load(stack, { provider: 'vexil' })
    expect(declarations.desired.map(({ address }) => address)).toEqual(desired)
    expect(declarations.skipped?.map(({ address }) => address)).toEqual(skipped)
  })
})

describe('a resource that names its own project', () => {
  const a = flag('a', { project_id: '5' })

  it('goes there when all do', async () => {
    const { connection, problems } = await load(stackOf([one], a))
    expect(problems).toEqual([])
    expect(connection).toEqual({ project: '5' })
  })

  it.each<[string, readonly object[], string]>([
    ['is refused beside one of another project', [one], 'vexil (project 1)'],
    ['is refused beside one that names none', [], 'vexil (no project given)'],
  ])('%s', async (_, blocks, other) => {
    expect(await problemsOf(stackOf(blocks, { ...a, ...flag('b') }), bare)).toEqual([
      `the stack is for several projects: vexil (project 5), ${other}; configure a provider with an alias for each project, and select one with --provider`,
    ])
  })

  it('that only the service knows is refused', async () => {
    const b = flag('b', { project_id: `\${${F}.a.created_at}` })
    expect(await problemsOf(stackOf([one], { ...flag('a'), ...b }))).toEqual([
      `${F}.b.project_id: it comes from ${F}.a.created_at, which only the service knows; ${elsewhere}`,
    ])
  })
})
