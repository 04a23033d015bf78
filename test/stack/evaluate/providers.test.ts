import { TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { EventDefinition } from '../../../src/constructs/generated/event-definition/index.ts'
import { FeatureFlag } from '../../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../../src/constructs/generated/feature-flag-role-access/index.ts'
import { Plugin } from '../../../src/constructs/generated/plugin/index.ts'
import { VexilProvider } from '../../../src/constructs/generated/provider/index.ts'
import { supportRole } from '../../support/builders.ts'
import { desiredOf, load, problemsOf } from '../load.ts'

type Stack = ConstructorParameters<typeof FeatureFlag>[0]
const off = { active: false }
const bare = { hasProvider: false }
const organization = '01900000-0000-0000-0000-000000000001'

/** One flag for each of two places. */
function twoPlaces(stack: Stack) {
  new VexilProvider(stack, 'us', {
    projectId: '1',
    baseUrl: 'https://us.example.com',
    organizationId: organization,
  })
  const eu = new VexilProvider(stack, 'eu', {
    alias: 'eu',
    projectId: '2',
    baseUrl: 'https://eu.example.com',
  })
  new FeatureFlag(stack, 'here', { key: 'here', ...off })
  return { eu, there: new FeatureFlag(stack, 'there', { key: 'there', provider: eu, ...off }) }
}

describe('the provider block', () => {
  it('says where the stack goes', async () => {
    const { connection } = await load(
      stack => {
        const key = new TerraformVariable(stack, 'key', { type: 'string', sensitive: true })
        new VexilProvider(stack, 'vexil', {
          baseUrl: 'https://flags.example.com',
          apiKey: key.stringValue,
          projectId: '7',
          organizationId: organization,
          profile: 'posthog',
          parallelism: 4,
          retryAttempts: 2,
        })
        new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
        new Plugin(stack, 'plugin', { name: 'p' })
      },
      { ...bare, env: { TF_VAR_key: 'hunter2' } },
    )
    expect(connection).toEqual({
      baseUrl: 'https://flags.example.com',
      apiKey: 'hunter2',
      project: '7',
      organization,
      profile: 'posthog',
      parallelism: 4,
    })
  })

  it('may say nothing, or not be there', async () => {
    const build = (stack: Stack) => {
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
    }
    expect((await load(build, bare)).connection).toEqual({})
    expect(
      (
        await load(stack => {
          new VexilProvider(stack, 'vexil', {})
          build(stack)
        }, bare)
      ).connection,
    ).toEqual({})
  })

  it('is refused where it hangs on what only the service knows', async () => {
    const problems = await problemsOf(stack => {
      const eu = new VexilProvider(stack, 'eu', { alias: 'eu', projectId: '${vexil_feature_flag.flag.id}' })
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
      new FeatureFlag(stack, 'other', { key: 'other', provider: eu, ...off })
    })
    expect(problems).toEqual([
      'provider.vexil.eu: project_id comes from vexil_feature_flag.flag.id, which only the service knows; take a value that the stack sets itself, or run this stack with Terraform',
    ])
  })

  it('with a setting that it does not know is refused', async () => {
    const problems = await problemsOf(stack => {
      new VexilProvider(stack, 'vexil', {}).addOverride('project', '1')
      new FeatureFlag(stack, 'flag', { key: 'flag', ...off })
    }, bare)
    expect(problems).toEqual([
      'provider.vexil.project: there is no such attribute; did you mean "project_id"?',
    ])
  })

  it('lets everything past the guards that it allows', async () => {
    const desired = await desiredOf(stack => {
      new VexilProvider(stack, 'vexil', { projectId: '1', allow: ['trail_unreadable'] })
      new FeatureFlag(stack, 'a', { key: 'a', allow: ['survey', 'trail_unreadable'], ...off })
      new FeatureFlag(stack, 'b', { key: 'b', ...off })
    }, bare)
    expect(desired.map(({ identity, allow }) => [identity, allow])).toEqual([
      ['a', ['survey', 'trail_unreadable']],
      ['b', ['trail_unreadable']],
    ])
  })

  it('gives its labels to flags and events, beside their own', async () => {
    const desired = await desiredOf(stack => {
      new VexilProvider(stack, 'vexil', { projectId: '1', defaultTags: ['iac', 'team'] })
      const flag = new FeatureFlag(stack, 'a', { key: 'a', tags: ['own'], ...off })
      new FeatureFlag(stack, 'b', { key: 'b', ...off })
      new EventDefinition(stack, 'c', { name: 'c' })
      new Plugin(stack, 'd', { name: 'd' })
      new FeatureFlagRoleAccess(stack, 'e', { featureFlagId: flag.id, roleId: supportRole })
    }, bare)
    expect(desired.map(({ kind, tags: labels, fields }) => [kind, labels, fields.tags])).toEqual([
      ['event_definition', ['iac', 'team'], undefined],
      ['feature_flag', ['iac', 'team'], ['own']],
      ['feature_flag', ['iac', 'team'], undefined],
      ['feature_flag_role_access', undefined, undefined],
      ['plugin', undefined, undefined],
    ])
  })
})

describe('a stack for two places', () => {
  it('asks which one is meant', async () => {
    const { problems, declarations } = await load(twoPlaces, bare)
    expect(declarations.desired).toEqual([])
    expect(problems).toMatchObject([
      {
        code: 'several-targets',
        message:
          'the stack is for several places: vexil (project 1, https://us.example.com), vexil.eu (project 2, https://eu.example.com)',
        hint: 'choose one with --provider: vexil, vexil.eu',
      },
    ])
  })

  it.each([
    ['vexil', 'here', { baseUrl: 'https://us.example.com', project: '1', organization }],
    ['eu', 'there', { baseUrl: 'https://eu.example.com', project: '2' }],
    ['vexil.eu', 'there', { baseUrl: 'https://eu.example.com', project: '2' }],
  ])('is applied to that of %s', async (provider, identity, connection) => {
    const loaded = await load(twoPlaces, { ...bare, provider })
    expect(loaded.problems).toEqual([])
    expect(loaded.declarations.desired.map(each => each.identity)).toEqual([identity])
    expect(loaded.connection).toEqual(connection)
  })

  it('knows its providers by name', async () => {
    expect(await problemsOf(twoPlaces, { ...bare, provider: 'asia' })).toEqual([
      'the stack has no provider "asia"; there are vexil, vexil.eu',
    ])
    expect(
      await problemsOf(stack => {
        new FeatureFlag(stack, 'flag', { key: 'flag', ...off }).addOverride('provider', 'vexil.asia')
      }),
    ).toEqual([
      'vexil_feature_flag.flag.provider: there is no such configuration of the provider; there are vexil',
    ])
  })

  it('grants no flag of the other one', async () => {
    const problems = await problemsOf(
      stack => {
        const { there } = twoPlaces(stack)
        new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId: there.id, roleId: supportRole })
      },
      { ...bare, provider: 'vexil' },
    )
    expect(problems).toEqual([
      'vexil_feature_flag_role_access.grant.feature_flag_id: vexil_feature_flag.there.id is a flag of another project or service; take the provider that declares the flag',
    ])
  })

  it('that turn out to be one place is for that place', async () => {
    const { declarations, problems } = await load(stack => {
      const also = new VexilProvider(stack, 'also', { alias: 'also', projectId: '1', defaultTags: ['also'] })
      const flag = new FeatureFlag(stack, 'a', { key: 'a', provider: also, ...off })
      new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId: flag.id, roleId: supportRole })
    })
    expect(problems).toEqual([])
    expect(declarations.desired.map(({ identity, tags: labels }) => [identity, labels])).toEqual([
      ['a', ['also']],
      [supportRole, undefined],
    ])
  })

  it('leaves what another configuration declares for the same place alone', async () => {
    const { declarations } = await load(
      stack => {
        const also = new VexilProvider(stack, 'also', { alias: 'also', projectId: '1' })
        new FeatureFlag(stack, 'a', { key: 'a', provider: also, ...off })
        new FeatureFlag(stack, 'b', { key: 'b', ...off })
      },
      { provider: 'vexil' },
    )
    expect(declarations.desired.map(({ address }) => address)).toEqual(['feature_flag.b'])
    expect(declarations.skipped?.map(({ address }) => address)).toEqual(['feature_flag.a'])
  })

  it('leaves alone what belongs to the organization that neither names, beside another project', async () => {
    const { declarations } = await load(
      stack => {
        const also = new VexilProvider(stack, 'also', { alias: 'also', projectId: '2' })
        new Plugin(stack, 'a', { name: 'a', provider: also })
        new FeatureFlag(stack, 'b', { key: 'b', provider: also, ...off })
        new FeatureFlag(stack, 'c', { key: 'c', ...off })
        new Plugin(stack, 'd', { name: 'd' })
      },
      { provider: 'vexil' },
    )
    expect(declarations.desired.map(({ address }) => address)).toEqual(['feature_flag.c', 'plugin.d'])
    expect(declarations.skipped?.map(({ address }) => address)).toEqual(['plugin.a'])
  })
})

describe('a resource that names its own project', () => {
  it('goes there when all do', async () => {
    const { connection, problems } = await load(stack => {
      new FeatureFlag(stack, 'a', { key: 'a', projectId: '5', ...off })
    })
    expect(problems).toEqual([])
    expect(connection).toEqual({ project: '5' })
  })

  it('is refused beside one of another project', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'a', { key: 'a', projectId: '5', ...off })
      new FeatureFlag(stack, 'b', { key: 'b', ...off })
    })
    expect(problems).toEqual([
      'the stack is for several places: vexil (project 5), vexil (project 1); give each project a provider of its own, with an alias, and choose one with --provider',
    ])
  })

  it('is refused beside one that names none', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'a', { key: 'a', projectId: '5', ...off })
      new FeatureFlag(stack, 'b', { key: 'b', ...off })
    }, bare)
    expect(problems).toEqual([
      'the stack is for several places: vexil (project 5), vexil (no project named); give each project a provider of its own, with an alias, and choose one with --provider',
    ])
  })

  it('that only the service knows is refused', async () => {
    const problems = await problemsOf(stack => {
      const a = new FeatureFlag(stack, 'a', { key: 'a', ...off })
      new FeatureFlag(stack, 'b', { key: 'b', projectId: a.createdAt, ...off })
    })
    expect(problems).toEqual([
      'vexil_feature_flag.b.project_id: it comes from vexil_feature_flag.a.created_at, which only the service knows; take a value that the stack sets itself, or run this stack with Terraform',
    ])
  })
})
