import { describe, expect, it } from 'vitest'
import { Flag, type FlagTest, type TestPerson, Variants, When } from '../../src/constructs/own-constructs.ts'
import { aStack, flagAttributes, refusal } from '../constructs/a-stack.ts'
import { desiredOf, problemsOf } from './load.ts'

const dach = When.person('country').is('DE', 'AT').serve('one_page')
const everyone = When.everyone().at(5)
const on = { active: true, variants: Variants.even('one_page', 'classic'), release: [dach] }
const ada: TestPerson = {
  name: 'ada',
  distinctId: 'a-1',
  properties: { country: 'DE' },
  groups: { 0: { key: 'acme', properties: { plan: 'pro' } }, 1: 'berlin' },
}

describe('tests of a construct', () => {
  it('reach what Vexil reads of a stack, those of the properties first', async () => {
    const [flag] = await desiredOf(stack => {
      new Flag(stack, 'Checkout', {
        key: 'checkout',
        ...on,
        tests: [{ person: ada, expect: { value: 'one_page', payload: null }, because: dach }],
      })
        .addTest({ person: { deviceId: 'd-1' }, expect: false, because: 'no_condition_match' })
        .addTest({ person: {}, expect: true, because: everyone })
        // A condition that a test names may come later.
        .addRelease(everyone)
    })
    expect(flag?.tests?.map(({ sourceOf: _, ...test }) => test)).toEqual([
      {
        person: 'ada',
        isNamed: true,
        subject: {
          distinctId: 'a-1',
          properties: { country: 'DE' },
          groups: { '0': 'acme', '1': 'berlin' },
          groupProperties: { '0': { plan: 'pro' }, '1': {} },
        },
        value: 'one_page',
        payload: null,
        because: { condition: 0 },
      },
      {
        person: 'd-1',
        isNamed: false,
        subject: { deviceId: 'd-1', properties: {}, groups: {}, groupProperties: {} },
        value: false,
        because: { reason: 'no_condition_match' },
      },
      {
        person: undefined,
        isNamed: false,
        subject: { properties: {}, groups: {}, groupProperties: {} },
        value: true,
        because: { condition: 1 },
      },
    ])
  })

  it('are nothing that Terraform reads', () => {
    const { '//': _, ...attributes } = flagAttributes({ ...on, tests: [{ person: ada, expect: 'one_page' }] })
    const { '//': __, ...plain } = flagAttributes(on)
    expect(attributes).toEqual(plain)
  })

  it('stand beside what becomes of live edits', async () => {
    const [flag] = await desiredOf(stack => {
      const props = { key: 'checkout', ...on, liveEdits: 'hold' as const }
      new Flag(stack, 'Checkout', props).addTest({ person: ada, expect: 'one_page' })
    })
    expect([flag?.liveEdits, flag?.tests?.length]).toEqual(['hold', 1])
  })

  it.each<[string, unknown, string]>([
    ['no list', { person: ada, expect: true }, '"tests" is an object, not a list of tests'],
    ['nobody', [{ expect: true }], '"tests[0]" has no "person"'],
    ['nothing to expect', [{ person: ada }], '"tests[0]" has no "expect"'],
    [
      'a slip',
      [{ person: ada, expects: true }],
      'flag "checkout" at "flags/Checkout": "tests[0].expects" is not a property of a test; did you mean "expect"?',
    ],
    [
      'a slip in a person',
      [{ person: { distinct_id: 'a' }, expect: true }],
      'flag "checkout" at "flags/Checkout": "tests[0].person.distinct_id" is not a property of a person; did you mean "distinctId"?',
    ],
    [
      'a type of groups by its name',
      [{ person: { groups: { company: 'acme' } }, expect: true }],
      '"tests[0].person.groups" names "company", which is not a group type; group types are numbers from 0 to 4',
    ],
    [
      'another reason',
      [{ person: ada, expect: true, because: 'no_condition_mach' }],
      '"tests[0].because" is "no_condition_mach", which is neither a condition nor a reason; did you mean',
    ],
    ['condition 0', [{ person: ada, expect: true, because: 0 }], '"tests[0].because" is 0, which is neither'],
    [
      'another value',
      [{ person: ada, expect: { value: 3 } }],
      '"tests[0].expect.value" is 3, not true, false or a variant',
    ],
  ])('refuses %s where it is declared', (_, tests, words) => {
    // What JavaScript may give.
    expect(refusal({ ...on, tests: tests as FlagTest[] })).toContain(words)
  })

  it('names a condition of a test that is not in the release', () => {
    const stack = aStack()
    const { node } = new Flag(stack, 'Checkout', { key: 'checkout', ...on }).addTest({
      person: ada,
      expect: true,
      because: everyone,
    })
    expect(node.validate()).toEqual(['"tests[0].because" is not a condition of the release of this flag'])
  })

  it.each<[string, FlagTest | object, string]>([
    [
      'a condition',
      { person: {}, expect: true, because: 2 },
      'the flag has no condition 2; write a number from 1 to 1',
    ],
    [
      'a variant',
      { person: {}, expect: 'one-page' },
      'test 1 expects "one-page", which is not a variant of the flag; did you mean "one_page"?',
    ],
    ['truth in quotes', { person: {}, expect: 'true' }, 'write true without quotes'],
  ])('refuses %s that there is not when the stack is read', async (_, test, words) => {
    const [problem = ''] = await problemsOf(stack => {
      // One of them is right.
      new Flag(stack, 'Checkout', { key: 'checkout', ...on, tests: [test as FlagTest] })
    })
    expect(problem).toContain('vexil_feature_flag.checkout.tests: test 1')
    expect(problem).toContain(words)
  })

  it.each<[unknown, string]>([
    ['all', 'tests must be a list'],
    [[{ expect: true }], 'test 1 has no person'],
    [[{ person: {}, expect: 3 }], 'test 1 has no expected value'],
    [[{ person: {}, expect: true, because: 'no_match' }], 'which is neither a condition nor a reason'],
  ])('refuses %j where it was written into a stack by hand', async (said, words) => {
    const [problem = ''] = await problemsOf(stack => {
      new Flag(stack, 'Checkout', { key: 'checkout', ...on }).resource.addOverride('//.vexil', {
        tests: said,
      })
    })
    expect(problem).toContain(words)
  })
})
