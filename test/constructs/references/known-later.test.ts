import { type TerraformStack, TerraformVariable, Token } from 'cdktf'
import { beforeEach, describe, expect, it } from 'vitest'
import { Flag, Role, Variants, When } from '../../../src/constructs/own-constructs.ts'
import { annotationsOf, aStack, synthesized } from '../a-stack.ts'

let stack: TerraformStack
let text: string
let number: number
let list: string[]

beforeEach(() => {
  stack = aStack()
  text = new TerraformVariable(stack, 't', { type: 'string' }).stringValue
  number = new TerraformVariable(stack, 'n', { type: 'number' }).numberValue
  list = new TerraformVariable(stack, 'l', { type: 'list(string)' }).listValue
})

function checkout() {
  return synthesized(stack).resource.vexil_feature_flag.checkout
}

describe('what is not known only in a plan', () => {
  it('goes through wherever a value can stand', () => {
    const release = [
      When.person('country').is(text, number).at(number),
      When.person('plan').is(...list),
      When.person('age').gt(number).serve(text),
      When.person('joined').before(text),
      When.cohort(number),
      When.cohort(text),
    ]
    const variants = Variants.inOrder({ key: text, share: number }, { key: 'b', share: 40, name: text })
    new Flag(stack, 'Checkout', { key: 'checkout', name: text, active: true, variants, release, tags: list })
    expect(checkout()).toEqual({
      key: 'checkout',
      name: '${var.t}',
      active: true,
      tags: '${var.l}',
      variants: [
        { key: '${var.t}', rollout_percentage: '${var.n}' },
        { key: 'b', rollout_percentage: 40, name: '${var.t}' },
      ],
      release: [
        {
          properties: [{ key: 'country', values: ['${var.t}', '${var.n}'] }],
          rollout_percentage: '${var.n}',
        },
        { properties: [{ key: 'plan', values: '${var.l}' }] },
        { properties: [{ key: 'age', operator: 'gt', value: '${var.n}' }], variant: '${var.t}' },
        { properties: [{ key: 'joined', operator: 'is_date_before', value: '${var.t}' }] },
        { properties: [{ key: 'id', type: 'cohort', value: '${var.n}' }] },
        { properties: [{ key: 'id', type: 'cohort', value: '${var.t}' }] },
      ],
    })
    expect(annotationsOf(stack)).toEqual([])
  })

  it('goes through inside of payloads, where its JSON is written', () => {
    const other = new Flag(stack, 'Other', { key: 'other', active: false })
    const payload = { text, number, list, on: other.resource.active, mixed: `a "${text}" b`, [text]: [text] }
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, release: [], payload })
    expect(checkout().payload).toBe(
      '{"text":${jsonencode(var.t)},"number":${jsonencode(var.n)},"list":${jsonencode(var.l)},' +
        `"on":\${jsonencode(vexil_feature_flag.other.active)},"mixed":\${jsonencode("a \\"\${var.t}\\" b")},` +
        '${jsonencode(tostring(var.t))}:[${jsonencode(var.t)}]}',
    )
  })

  it('does not hide what is wrong all the same', () => {
    const variants = Variants.inOrder({ key: 'a', share: number }, { key: 'b', share: 140 })
    const release = [When.person('country').is(text).at(300), When.everyone().at(number).serve('c')]
    expect(() => new Flag(stack, 'Checkout', { key: 'checkout', variants, release })).toThrow(
      'flag "checkout" at "flags/Checkout": condition 1: 300 is not a percentage (write a number from 0 to 100); ' +
        'condition 2: "c" is not a variant of this flag (the variants are "a", "b"); ' +
        'variant "b": 140 is not a percentage (write a number from 0 to 100)',
    )
  })

  it('keeps a payload for a variant whose key is unknown', () => {
    const variants = Variants.inOrder({ key: text, share: 100 })
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, variants, release: [], payloads: { a: 1 } })
    expect(checkout().filters).toBe(
      '{"groups":[],"multivariate":{"variants":[{"key":${jsonencode(var.t)},"rollout_percentage":100}]},"payloads":{"a":1}}',
    )
  })

  it('may be a whole member of the filters, or the key', () => {
    const filters = { groups: list, multivariate: { variants: list } }
    new Flag(stack, 'Checkout', { key: text, active: true, filters })
    expect(Object.values(synthesized(stack).resource.vexil_feature_flag)).toEqual([
      {
        key: '${var.t}',
        active: true,
        filters: '{"groups":${jsonencode(var.l)},"multivariate":{"variants":${jsonencode(var.l)}}}',
      },
    ])
  })

  it.each([
    ['a property', (map: unknown) => ({ groups: [{ properties: [map] }] })],
    ['all properties', (map: unknown) => ({ groups: [{ properties: map }] })],
    ['a value', (map: unknown) => ({ groups: [{ properties: [{ key: 'a', type: 'person', value: map }] }] })],
    ['a condition', (map: unknown) => ({ groups: [map] })],
    ['all conditions', (map: unknown) => ({ groups: map })],
    ['a variant', (map: unknown) => ({ groups: [], multivariate: { variants: [map] } })],
    ['all variants', (map: unknown) => ({ groups: [], multivariate: { variants: map } })],
    ['what holds the variants', (map: unknown) => ({ groups: [], multivariate: map })],
  ])('may be a map in the place of %s', (_, filters) => {
    const map = Token.asStringMap(new TerraformVariable(stack, 'm', { type: 'map(string)' }).value)
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, filters: filters(map) })
    expect(checkout().filters).toContain('${jsonencode(var.m)}')
    expect(annotationsOf(stack)).toEqual([])
  })

  it('may be the name of a member, of which nothing is said then', () => {
    new Flag(stack, 'Checkout', { key: 'checkout', active: true, filters: { groups: [], [text]: 1 } })
    expect(checkout().filters).toBe('{"groups":[],${jsonencode(tostring(var.t))}:1}')
    expect(annotationsOf(stack)).toEqual([])
  })

  it('may be the id of a role that has a name', () => {
    const flag = new Flag(stack, 'Checkout', { key: 'checkout', active: false })
    flag.grants.edit(Role.fromId(text, 'support'))
    expect(synthesized(stack).resource.vexil_feature_flag_role_access).toEqual({
      'checkout--support': { feature_flag_id: '${vexil_feature_flag.checkout.id}', role_id: '${var.t}' },
    })
    expect(() => flag.grants.edit(Role.fromId(text))).toThrow(
      `flag "checkout": the name of a role is not known yet, so its grant has no name; write Role.fromId(id, 'support'), or ` +
        `Role.fromName(scope, name, { label: 'support' })`,
    )
  })
})
