import { describe, expect, it } from 'vitest'
import { Flag, Role } from '../../src/constructs/own-constructs.ts'
import { supportRole } from '../support/builders.ts'
import { desiredOf, problemsOf } from './load.ts'

const F = 'vexil_feature_flag'
const off = { active: false }

/** Flags that are off, each with its name as its key where it has no other. */
const flagsOf = (flags: Readonly<Record<string, object>>, more: object = {}, resource: object = {}) => ({
  ...more,
  resource: {
    [F]: Object.fromEntries(
      Object.entries(flags).map(([name, flag]) => [name, { key: name, ...off, ...flag }]),
    ),
    ...resource,
  },
})
const grantOf = (id: string) => ({
  vexil_feature_flag_role_access: { grant: { feature_flag_id: id, role_id: supportRole } },
})
const onlyThere =
  'which only the service knows; take a value that the stack sets itself, or run this stack with Terraform'

describe('a reference', () => {
  it('to what another resource is configured with is its value', async () => {
    const second = {
      key: `\${${F}.first.key}-too`,
      name: `after \${${F}.first.name}`,
      tags: `\${${F}.first.tags}`,
    }
    const desired = await desiredOf(flagsOf({ first: { name: 'One', tags: ['a'] }, second }))
    expect(desired.map(({ identity, fields }) => [identity, fields])).toEqual([
      ['first', { name: 'One', tags: ['a'], active: false }],
      ['first-too', { name: 'after One', tags: ['a'], active: false }],
    ])
  })

  it('is worked out before what refers to it, in whichever order they stand', async () => {
    const desired = await desiredOf(
      flagsOf(
        { a_last: { key: `\${${F}.z_first.key}-l` }, z_first: { key: '${local.middle}' } },
        { locals: { middle: '${var.prefix}-m' }, variable: { prefix: { default: 'p' } } },
      ),
    )
    expect(desired.map(({ identity }) => identity).sort()).toEqual(['p-m', 'p-m-l'])
  })

  it.each([
    ['${try(var.share, 50)}', 'var.share, which is not declared; did you mean var.shares?'],
    ['${can(local.share) ? 50 : 20}', 'local.share, which is not declared; declare it in this stack'],
    ['${true ? 50 : var.share}', 'var.share, which is not declared; did you mean var.shares?'],
  ])('to what is not declared is refused, also where %s has something in its place', async (share, words) => {
    const variable = { shares: { type: 'number', default: 10 } }
    expect(await problemsOf(flagsOf({ flag: { rollout_percentage: share } }, { variable }))).toEqual([
      `${F}.flag.rollout_percentage: it refers to ${words}`,
    ])
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

  const unnamed = Role.fromId(supportRole.toUpperCase())
  it.each([
    ['by what the constructs call it', {}, Role.fromId(supportRole, 'support'), 'support'],
    [
      'by the name of the settings first',
      { helpers: supportRole },
      Role.fromId(supportRole, 'support'),
      'helpers',
    ],
    [
      'by no name of another one',
      { support: '01900000-0000-0000-0000-0000000000cc' },
      Role.fromId(supportRole, 'support'),
      supportRole,
    ],
    ['by the name of the settings alone', { support: supportRole }, unnamed, 'support'],
  ])('calls a role %s', async (_, roles, role, label) => {
    const [grant] = await desiredOf(stack => Flag.fromKey(stack, 'flag', 'legacy').grants.edit(role), {
      roles,
    })
    const address = `feature_flag_role_access.legacy:${label}`
    expect(grant).toMatchObject({ address, label, identity: supportRole, parent: { key: 'legacy' } })
  })

  it('to the id of a flag that is declared elsewhere names that flag by its key', async () => {
    const data = { [F]: { legacy: { key: ' legacy ' } } }
    const locals = { id: `\${data.${F}.legacy.id}` }
    const desired = await desiredOf({ data, locals, resource: grantOf('${local.id}') })
    expect(desired.map(({ parent }) => parent)).toEqual([{ key: 'legacy' }])
  })

  it.each([
    [
      'a number',
      '7',
      'it refers to the flag by its id "7", but Vexil finds flags by their keys; refer to the flag: flag.id, or Flag.fromKey(...) for a flag that is declared elsewhere',
    ],
    ['a text around it', `\${${F}.flag.id}!`, `it comes from ${F}.flag.id, ${onlyThere}`],
  ])('to a flag by %s is refused', async (_, id, line) => {
    expect(await problemsOf(flagsOf({ flag: {} }, {}, grantOf(id)))).toEqual([
      `vexil_feature_flag_role_access.grant.feature_flag_id: ${line}`,
    ])
  })

  it.each([
    ['name', `after \${${F}.flag.id}`, `it comes from ${F}.flag.id`],
    ['name', `\${${F}.flag.name}`, `it comes from ${F}.flag.name`],
    ['active', `\${data.${F}.looked.active}`, `it comes from data.${F}.looked.active`],
    ['key', `\${${F}.flag.created_at}`, `key comes from ${F}.flag.created_at`],
  ])(
    'to what only the service knows is refused where it has to be known: %s = %s',
    async (name, text, line) => {
      const data = { [F]: { looked: { key: 'other' } } }
      expect(await problemsOf(flagsOf({ flag: {}, by: { [name]: text } }, { data }))).toEqual([
        `${F}.by.${name}: ${line}, ${onlyThere}`,
      ])
    },
  )

  it('to something that is refused itself says nothing more', async () => {
    const flags = { bad: { key: '${timestamp()}' }, follows: { key: `\${${F}.bad.key}` } }
    const output = { too: { value: `\${${F}.bad.name}` } }
    expect(await problemsOf(flagsOf(flags, { output }))).toEqual([
      `${F}.bad.key: function timestamp(): is impure: it gives another time at every run; give the time as a variable`,
    ])
  })

  it('that goes round in a circle is named with its way', async () => {
    const named = (name: string) => ({ name: `\${${F}.${name}.key}` })
    const problems = await problemsOf(
      flagsOf({ a: { name: `\${${F}.b.key}` }, b: named('a'), own: named('own') }),
    )
    const remedy = 'replace one of these references by a value'
    expect(problems).toEqual([
      `${F}.a: cycle ${F}.a -> ${F}.b -> ${F}.a; ${remedy}`,
      `${F}.own: cycle ${F}.own -> ${F}.own; ${remedy}`,
    ])
  })

  it.each([
    [`${F}.bb.key`, `it refers to ${F}.bb, which is not declared; did you mean ${F}.b?`],
    ['var.nobody', 'it refers to var.nobody, which is not declared; declare it in this stack'],
    ['each.key', 'each.key is not available here; use it only with a for_each'],
  ])('to something that is not there is refused, with what may have been meant: %s', async (text, line) => {
    expect(await problemsOf(flagsOf({ a: { name: `\${${text}}` }, b: {} }))).toEqual([`${F}.a.name: ${line}`])
  })

  it('in an output is worked out too, though nothing is done with it', async () => {
    const output = { id: { value: `\${${F}.a.id}` }, made: { value: '${uuid()}' } }
    expect(await problemsOf(flagsOf({ a: {} }, { output }))).toEqual([
      'output.made.value: function uuid(): is impure: it gives something else at every run; give the value as a variable',
    ])
  })
})
