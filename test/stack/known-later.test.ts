import { Fn, TerraformCount, TerraformIterator, type TerraformStack, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { Flag, FlagSet, Plugin, Role, Variants, When } from '../../src/constructs/own-constructs.ts'
import { growthRole, supportRole } from '../acceptance/support/configurations.ts'
import { desiredOf, fieldsOf } from './load.ts'

const support = Role.fromId(supportRole, 'support')

function variable(stack: TerraformStack, name: string, type: string, value: unknown) {
  return new TerraformVariable(stack, name, { type, default: value }).value
}

describe('what is known only in a plan arrives', () => {
  it.each([
    ['a value of a variable', (stack: TerraformStack) => variable(stack, 'n', 'number', 5)],
    ['one of two values', () => Fn.conditional(true, 5, 100)],
    ['a member of a map', () => Fn.lookup({ a: 5 }, 'a', 100)],
    ['the first that can be worked out', () => Fn.try([5, 100])],
    ['a value of any type', () => Token.asAny('${2 + 3}')],
    ['a text that is a number', (stack: TerraformStack) => variable(stack, 'n', 'string', '5')],
  ])('as a percentage: %s', async (_, percent) => {
    const fields = await fieldsOf(stack => {
      new Flag(stack, 'X', { key: 'x', active: true, release: [When.everyone().at(percent(stack))] })
    })
    expect(fields).toEqual({ active: true, filters: { groups: [{ rollout_percentage: 5 }] } })
  })

  it('in every part of a flag, from variables of no type of their own', async () => {
    const fields = await fieldsOf(stack => {
      const text = (value: string) => variable(stack, `v${value.replace(/\W/g, '')}`, 'string', value)
      new Flag(stack, 'X', {
        key: text('x'),
        name: text('Name'),
        active: variable(stack, 'on', 'bool', true),
        tags: variable(stack, 'tags', 'list(string)', ['b', 'a']),
        variants: Variants.of({ bold: variable(stack, 'share', 'number', 40), plain: 60 }),
        payloads: { bold: variable(stack, 'payload', 'object({ a = number })', { a: 1 }) },
        release: [
          When.person(text('joined')).before(text('2024-01-31')).serve(text('bold')).because(text('why')),
          When.person('plan').is(text('pro')),
        ],
      })
    })
    expect(fields).toEqual({
      name: 'Name',
      active: true,
      tags: ['a', 'b'],
      filters: {
        groups: [
          {
            properties: [{ key: 'joined', type: 'person', operator: 'is_date_before', value: '2024-01-31' }],
            variant: 'bold',
            description: 'why',
          },
          { properties: [{ key: 'plan', type: 'person', value: ['pro'] }] },
        ],
        multivariate: {
          variants: [
            { key: 'bold', rollout_percentage: 40 },
            { key: 'plain', rollout_percentage: 60 },
          ],
        },
        payloads: { bold: '{"a":1}' },
      },
    })
  })

  it('in a set of flags, whose common tags may be a list that is known later', async () => {
    const desired = await desiredOf(stack => {
      const tags = variable(stack, 'tags', 'list(string)', ['team'])
      FlagSet.of(stack, { a: { active: false, tags: ['own'] }, b: { active: false } }, { tags })
    })
    expect(desired.map(({ identity, fields }) => [identity, fields.tags])).toEqual([
      ['a', ['own', 'team']],
      ['b', ['team']],
    ])
  })

  it('as the names of plugins that one construct stands for', async () => {
    const desired = await desiredOf(stack => {
      const each = TerraformIterator.fromList(['one', 'two'])
      new Plugin(stack, 'P', { forEach: each, name: each.value, description: each.value })
    })
    expect(desired.map(({ identity, fields }) => [identity, fields.description])).toEqual([
      ['one', 'one'],
      ['two', 'two'],
    ])
  })
})

describe('a construct that stands for several flags grants each of them', () => {
  it('by a map, in which the roles are as well', async () => {
    const desired = await desiredOf(stack => {
      const each = TerraformIterator.fromMap({
        north: { share: 3, role: supportRole },
        south: { share: 99, role: growthRole },
      })
      const flag = new Flag(stack, 'X', {
        forEach: each,
        key: each.key,
        active: true,
        release: [When.everyone().at(each.getNumber('share'))],
      })
      flag.grants.edit(Role.fromId(each.getString('role'), 'owner'))
    })
    expect(desired.map(({ address, identity, parent }) => [address, identity, parent])).toEqual([
      ['feature_flag.north', 'north', undefined],
      ['feature_flag.south', 'south', undefined],
      ['feature_flag_role_access.north:owner', supportRole, { key: 'north' }],
      ['feature_flag_role_access.south:owner', growthRole, { key: 'south' }],
    ])
  })

  it.each([
    ['a number', 2],
    ['a count', TerraformCount.of(2)],
  ])('by %s', async (_, count) => {
    const desired = await desiredOf(stack => {
      new Flag(stack, 'X', {
        count,
        key: `k-${Token.asString(Token.asAny('${count.index}'))}`,
        active: false,
        editors: [support],
      })
    })
    expect(desired.map(({ address }) => address)).toEqual([
      'feature_flag.k-0',
      'feature_flag.k-1',
      'feature_flag_role_access.k-0:support',
      'feature_flag_role_access.k-1:support',
    ])
  })

  it('and has no key of its own', async () => {
    const message = await desiredOf(stack => {
      const each = TerraformIterator.fromList(['a', 'b'])
      const flag = new Flag(stack, 'X', { forEach: each, key: each.value, active: false })
      new Flag(stack, 'Y', { key: 'y', active: true, release: [When.flag(flag).isOn()] })
    }).catch(String)
    expect(message).toBe(
      'Error: "flags/X" stands for several objects because of its forEach, so it has no key; ' +
        'use that of one of them: `\\${${flag.resource.fqn}["KEY"].key}`',
    )
  })
})
