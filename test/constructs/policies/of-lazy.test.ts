import { Lazy, TerraformVariable, Token } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { MaxRollout, NamePattern, RequireOwnerTag, When } from '../../../src/constructs/own-constructs.ts'
import { usePolicedStack } from './policed-stack.ts'

const { stack, under, flag, generated } = usePolicedStack()

/** Something that is a constant once the engine has asked for it. */
const late = {
  number: (value: number) => Lazy.numberValue({ produce: () => value }),
  text: (value: string) => Lazy.stringValue({ produce: () => value }),
  list: (value: string[]) => Lazy.listValue({ produce: () => value }),
  any: (value: unknown) => Lazy.anyValue({ produce: () => value }),
}

const reference = () => new TerraformVariable(stack(), 'v', { default: 'x' })
const checkout = '[production/Checkout] error: flag "checkout"'

describe('a constant that a Lazy produces', () => {
  const tooFar = 'condition 1 (everyone) goes to 90%; the ceiling is 50%'

  it.each([
    ['a share', () => ({ rolloutPercentage: late.number(90) })],
    ['a share of a share', () => ({ rolloutPercentage: late.number(late.number(90)) })],
    ['a share of a condition', () => ({ release: [When.everyone().at(late.number(90))] })],
    [
      'a share in JSON',
      () => ({ filters: { groups: [{ properties: [], rollout_percentage: late.number(90) }] } }),
    ],
    [
      'conditions in JSON',
      () => ({ filters: { groups: late.any([{ properties: [], rollout_percentage: 90 }]) } }),
    ],
    [
      'conditions in JSON with a reference',
      () => ({
        filters: { groups: late.any([{ rollout_percentage: 90, variant: reference().stringValue }]) },
      }),
    ],
  ])('is judged as that: %s', (_, props) => {
    flag(props())
    const { said, resource } = under(new MaxRollout(50))
    expect(said).toEqual([`${checkout}: ${tooFar}`])
    expect(resource.vexil_feature_flag.checkout).not.toHaveProperty('lifecycle')
  })

  it('is judged in a generated construct', () => {
    generated({ release: late.any([{ rollout_percentage: 90 }]) as never })
    expect(under(new MaxRollout(50)).said).toEqual([
      `[production/Generated] error: flag "checkout": ${tooFar}`,
    ])
  })

  it('is taken if it is right, or if the flag is off', () => {
    flag({ rolloutPercentage: late.number(50), tags: late.list(['team-pay']) })
    generated({ key: 'other', active: late.any(false) as never, rolloutPercentage: 90, tags: ['team-pay'] })
    expect(under(new MaxRollout(50), new RequireOwnerTag()).said).toEqual([])
  })

  it.each([
    ['a list', () => late.list(['pay'])],
    ['elements', () => [late.text('pay'), `${late.text('pay')}-2`]],
    ['no list', () => late.any([]) as never],
  ])('is judged as tags: %s', (_, tags) => {
    flag({ release: [], tags: tags() })
    expect(under(new RequireOwnerTag()).said).toEqual([
      `${checkout}: no tag names an owner; a tag must match /^(owner|team)[:-]/`,
    ])
  })

  // `$${` stands for `${`, whatever is before it.
  it.each(['Check Out', '$${b', '$$${b', '$$$${b', '%%%{b'])('is judged as a key: %s', template => {
    generated({ key: late.text(template), release: [] })
    expect(under(new NamePattern({ flags: /^[a-z]+$/ })).said).toEqual([
      `[production/Generated] error: flag "${template}": the key does not match /^[a-z]+$/`,
    ])
  })

  it('leaves the rest to the plan', () => {
    const variable = reference()
    flag({ release: [], tags: late.list(['pay', variable.stringValue]) })
    generated({ rolloutPercentage: Token.asNumber(late.any(variable.numberValue)), tags: ['owner-x'] })
    const { said, resource } = under(new RequireOwnerTag(), new MaxRollout(50))
    expect(said).toEqual([
      '[production/Checkout] warn: flag "checkout": one of its tags is known only in a plan: ' +
        'RequireOwnerTag is decided when Vexil plans the stack, not by Terraform',
    ])
    const written = Object.values<Record<string, unknown>>(resource.vexil_feature_flag)
    const condition = '${coalesce(var.v, 100) <= 50}'
    expect(written.map(({ lifecycle }) => lifecycle)).toEqual([
      { precondition: [expect.objectContaining({ condition })] },
      undefined,
    ])
  })
})
