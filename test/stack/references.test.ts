import { TerraformLocal, TerraformOutput, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { DataVexilFeatureFlag } from '../../src/constructs/generated/data-vexil-feature-flag/index.ts'
import { FeatureFlag } from '../../src/constructs/generated/feature-flag/index.ts'
import { FeatureFlagRoleAccess } from '../../src/constructs/generated/feature-flag-role-access/index.ts'
import { Flag, Role } from '../../src/constructs/own-constructs.ts'
import { supportRole } from '../support/builders.ts'
import { desiredOf, load, problemsOf } from './load.ts'

const off = { active: false }

describe('a reference', () => {
  it('to what another resource is configured with is its value', async () => {
    const desired = await desiredOf(stack => {
      const first = new FeatureFlag(stack, 'first', { key: 'first', name: 'One', tags: ['a'], ...off })
      new FeatureFlag(stack, 'second', {
        key: `${first.key}-too`,
        name: `after ${first.name}`,
        tags: first.tags,
        ...off,
      })
    })
    expect(desired.map(({ identity, fields }) => [identity, fields])).toEqual([
      ['first', { name: 'One', tags: ['a'], active: false }],
      ['first-too', { name: 'after One', tags: ['a'], active: false }],
    ])
  })

  it('is worked out before what refers to it, in whichever order they stand', async () => {
    const desired = await desiredOf(stack => {
      const variable = new TerraformVariable(stack, 'prefix', { type: 'string', default: 'p' })
      const last = new FeatureFlag(stack, 'a_last', { key: 'x', ...off })
      const middle = new TerraformLocal(stack, 'middle', `${variable.stringValue}-m`)
      const first = new FeatureFlag(stack, 'z_first', { key: middle.asString, ...off })
      last.key = `${first.key}-l`
    })
    expect(desired.map(({ identity }) => identity).sort()).toEqual(['p-m', 'p-m-l'])
  })

  it.each([
    ['${try(var.share, 50)}', 'var.share, which is not declared; did you mean var.shares?'],
    ['${can(local.share) ? 50 : 20}', 'local.share, which is not declared; declare it in this stack'],
    ['${true ? 50 : var.share}', 'var.share, which is not declared; did you mean var.shares?'],
  ])('to what is not declared is refused, also where %s has something in its place', async (text, words) => {
    const problems = await problemsOf(stack => {
      new TerraformVariable(stack, 'shares', { type: 'number', default: 10 })
      const flag = new FeatureFlag(stack, 'flag', { key: 'x', active: true })
      flag.addOverride('rollout_percentage', text)
    })
    expect(problems).toEqual([expect.stringMatching(/rollout_percentage: /)])
    expect(problems[0]).toContain(`it refers to ${words}`)
  })

  it('to the id of a flag that is declared here is the relation of its grant', async () => {
    const desired = await desiredOf(stack => {
      const flag = new Flag(stack, 'flag', { key: 'checkout', ...off })
      flag.grants.edit(Role.fromId(supportRole, 'support'))
    })
    expect(desired).toEqual([
      {
        address: 'feature_flag.checkout',
        kind: 'feature_flag',
        identity: 'checkout',
        ensure: 'present',
        fields: off,
      },
      {
        address: 'feature_flag_role_access.checkout:support',
        kind: 'feature_flag_role_access',
        identity: supportRole,
        parent: { key: 'checkout' },
        label: 'support',
        ensure: 'present',
        fields: {},
      },
    ])
  })

  it.each([
    ['calls a role by what the constructs call it', {}, 'support'],
    ['takes the name of the settings first', { helpers: supportRole }, 'helpers'],
    ['gives no role the name of another', { support: '01900000-0000-0000-0000-0000000000cc' }, supportRole],
  ])('%s', async (_, roles, label) => {
    const [grant] = await desiredOf(
      stack => Flag.fromKey(stack, 'flag', 'legacy').grants.edit(Role.fromId(supportRole, 'support')),
      { roles },
    )
    expect(grant).toMatchObject({ address: `feature_flag_role_access.legacy:${label}`, label })
  })

  it('calls a role by the name that the settings give it', async () => {
    const [grant] = await desiredOf(
      stack => {
        const flag = Flag.fromKey(stack, 'flag', 'legacy')
        flag.grants.edit(Role.fromId(supportRole.toUpperCase()))
      },
      { roles: { support: supportRole } },
    )
    expect(grant).toEqual({
      address: 'feature_flag_role_access.legacy:support',
      kind: 'feature_flag_role_access',
      identity: supportRole,
      parent: { key: 'legacy' },
      label: 'support',
      ensure: 'present',
      fields: {},
    })
  })

  it('to the id of a flag that is declared elsewhere names that flag by its key', async () => {
    const desired = await desiredOf(stack => {
      const legacy = new DataVexilFeatureFlag(stack, 'legacy', { key: ' legacy ' })
      const local = new TerraformLocal(stack, 'id', legacy.id)
      new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId: local.asString, roleId: supportRole })
    })
    expect(desired.map(({ parent }) => parent)).toEqual([{ key: 'legacy' }])
  })

  it.each([
    [
      'a number',
      '7',
      'vexil_feature_flag_role_access.grant.feature_flag_id: it names the flag by its id "7", and Vexil finds flags by their keys; refer to the flag: flag.id, or Flag.fromKey(...) for one that is declared elsewhere',
    ],
    [
      'a text around it',
      '${vexil_feature_flag.flag.id}!',
      'vexil_feature_flag_role_access.grant.feature_flag_id: it comes from vexil_feature_flag.flag.id, which only the service knows; take a value that the stack sets itself, or run this stack with Terraform',
    ],
  ])('to a flag by %s is refused', async (_, featureFlagId, line) => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'flag', { key: 'checkout', ...off })
      new FeatureFlagRoleAccess(stack, 'grant', { featureFlagId, roleId: supportRole })
    })
    expect(problems).toEqual([line])
  })

  it('to what only the service knows is refused where it has to be known', async () => {
    const problems = await problemsOf(stack => {
      const flag = new FeatureFlag(stack, 'flag', { key: 'checkout', ...off })
      const looked = new DataVexilFeatureFlag(stack, 'looked', { key: 'other' })
      new FeatureFlag(stack, 'by_id', { key: 'a', name: `after ${flag.id}`, ...off })
      new FeatureFlag(stack, 'by_name', { key: 'b', name: flag.name, ...off })
      new FeatureFlag(stack, 'by_lookup', { key: 'c', active: looked.active })
      new FeatureFlag(stack, 'by_key', { key: flag.createdAt, ...off })
    })
    const remedy =
      'which only the service knows; take a value that the stack sets itself, or run this stack with Terraform'
    expect(problems.sort()).toEqual([
      `vexil_feature_flag.by_id.name: it comes from vexil_feature_flag.flag.id, ${remedy}`,
      `vexil_feature_flag.by_key.key: key comes from vexil_feature_flag.flag.created_at, ${remedy}`,
      `vexil_feature_flag.by_lookup.active: it comes from data.vexil_feature_flag.looked.active, ${remedy}`,
      `vexil_feature_flag.by_name.name: it comes from vexil_feature_flag.flag.name, ${remedy}`,
    ])
  })

  it('to something that is refused itself says nothing more', async () => {
    const problems = await problemsOf(stack => {
      const bad = new FeatureFlag(stack, 'bad', { key: '${timestamp()}', ...off })
      new FeatureFlag(stack, 'follows', { key: bad.key, ...off })
      new TerraformOutput(stack, 'too', { value: bad.name })
    })
    expect(problems).toEqual([
      'vexil_feature_flag.bad.key: function timestamp(): is impure: it gives another time at every run; give the time as a variable',
    ])
  })

  it('that goes round in a circle is named with its way', async () => {
    const problems = await problemsOf(stack => {
      const a = new FeatureFlag(stack, 'a', { key: 'a', ...off })
      const b = new FeatureFlag(stack, 'b', { key: 'b', name: a.key, ...off })
      a.name = b.key
      const own = new FeatureFlag(stack, 'own', { key: 'own', ...off })
      own.name = own.key
    })
    expect(problems).toEqual([
      'vexil_feature_flag.a: cycle vexil_feature_flag.a -> vexil_feature_flag.b -> vexil_feature_flag.a; let one of them name a value instead of the other',
      'vexil_feature_flag.own: cycle vexil_feature_flag.own -> vexil_feature_flag.own; let one of them name a value instead of the other',
    ])
  })

  it('to something that is not there is refused, with what may have been meant', async () => {
    const problems = await problemsOf(stack => {
      new FeatureFlag(stack, 'a', { key: 'a', name: '${vexil_feature_flag.bb.key}', ...off })
      new FeatureFlag(stack, 'b', { key: 'b', name: '${var.nobody}', ...off })
      new FeatureFlag(stack, 'c', { key: 'c', name: '${vexil_feature_flag.a.title}', ...off })
      new FeatureFlag(stack, 'f', { key: 'f', name: '${each.key}', ...off })
    })
    expect(problems.sort()).toEqual([
      'vexil_feature_flag.a.name: it refers to vexil_feature_flag.bb, which is not declared; did you mean vexil_feature_flag.b?',
      'vexil_feature_flag.b.name: it refers to var.nobody, which is not declared; declare it in this stack',
      expect.stringMatching(
        /^vexil_feature_flag.c.name: vexil_feature_flag.a has no attribute "title"; there are id, /,
      ),
      'vexil_feature_flag.f.name: each.key means nothing here; use it where there is a for_each',
    ])
  })

  it('in an output is worked out too, though nothing is done with it', async () => {
    const { problems } = await load(stack => {
      const flag = new FeatureFlag(stack, 'a', { key: 'a', ...off })
      new TerraformOutput(stack, 'id', { value: flag.id })
      new TerraformOutput(stack, 'made', { value: Token.asString('${uuid()}') })
    })
    expect(problems.map(({ message }) => message)).toEqual([
      'output.made.value: function uuid(): is impure: it gives something else at every run',
    ])
  })
})
