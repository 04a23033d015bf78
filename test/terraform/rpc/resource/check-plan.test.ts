import { describe, expect, it } from 'vitest'
import { type ObjectValue, showPath, Unknown, unknown } from '../../../../src/hcl/values/value.ts'
import type { Attributes, Block } from '../../../../src/terraform/provider.ts'
import { checkPlan } from '../../../../src/terraform/serve/plan-and-apply.ts'

const members: Attributes = {
  text: { type: 'string', presence: 'required' },
  length: { type: 'number', presence: 'computed' },
}

const block: Block = {
  attributes: {
    title: { type: 'string', presence: 'required' },
    note: { type: 'string', presence: 'optional' },
    colour: { type: 'string', presence: 'optional+computed' },
    revision: { type: 'number', presence: 'computed' },
    key: { type: 'string', presence: 'optional', sensitive: true },
    lines: { nesting: 'list', presence: 'optional', attributes: members },
  },
}

type Case = { prior?: ObjectValue; config: ObjectValue; planned: ObjectValue }

function broken({ prior, config, planned }: Case): string[] {
  return checkPlan(block, { prior: prior ?? null, config, planned }).map(
    ({ path, reason }) => `${showPath(path)}: ${reason}`,
  )
}

const text = (value: string) => ({ text: value })

describe('a plan that Terraform takes', () => {
  it.each<[string, Case]>([
    ['what is configured', { config: { title: 'a', note: 'b' }, planned: { title: 'a', note: 'b' } }],
    [
      'anything for what is computed',
      { config: { title: 'a' }, planned: { title: 'a', colour: 'red', revision: 1 } },
    ],
    ['unknown for what is computed', { config: { title: 'a' }, planned: { title: 'a', colour: unknown } }],
    ['the prior value', { prior: { title: 'a' }, config: { title: ' a' }, planned: { title: 'a' } }],
    [
      'unknown for unknown',
      { config: { title: new Unknown('', undefined, Uint8Array.of(0x80)) }, planned: { title: unknown } },
    ],
    [
      'computed members of configured elements',
      {
        config: { title: 'a', lines: [text('x')] },
        planned: { title: 'a', lines: [{ text: 'x', length: unknown }] },
      },
    ],
  ])('plans %s', (_, values) => {
    expect(broken(values)).toEqual([])
  })
})

describe('a plan that Terraform refuses', () => {
  it.each<[string, Case, string]>([
    [
      'another value than is configured',
      { config: { title: 'a' }, planned: { title: 'b' } },
      'title: planned "b", but the configuration has "a"',
    ],
    [
      'a value that is neither configured nor prior',
      { prior: { title: 'c' }, config: { title: 'a' }, planned: { title: 'b' } },
      'title: planned "b", but the configuration has "a" and the state "c"',
    ],
    [
      'null for what is configured, though it was null before',
      { prior: { title: 'a' }, config: { title: 'a', note: 'x' }, planned: { title: 'a' } },
      'note: planned null, but the configuration has "x"',
    ],
    [
      'the prior value of what is no longer configured',
      { prior: { title: 'a', note: 'x' }, config: { title: 'a' }, planned: { title: 'a', note: 'x' } },
      'note: planned "x" for an attribute that is neither configured nor computed',
    ],
    [
      'unknown for what is configured',
      { config: { title: 'a' }, planned: { title: unknown } },
      'title: planned unknown, but the configuration has "a"',
    ],
    [
      'another value for what is computed but configured',
      { config: { title: 'a', colour: 'red' }, planned: { title: 'a', colour: unknown } },
      'colour: planned unknown, but the configuration has "red"',
    ],
    [
      'a secret, without showing it',
      { config: { title: 'a', key: 's3cret' }, planned: { title: 'a', key: 'other' } },
      'key: planned a sensitive value, but the configuration has a sensitive value',
    ],
    [
      'an element too many',
      { config: { title: 'a', lines: [] }, planned: { title: 'a', lines: [text('x')] } },
      'lines: planned 1 elements, but the configuration has 0',
    ],
    [
      'another member',
      { config: { title: 'a', lines: [text('x')] }, planned: { title: 'a', lines: [text('y')] } },
      'lines[0].text: planned "y", but the configuration has "x"',
    ],
  ])('plans %s', (_, values, reason) => {
    expect(broken(values)).toEqual([reason])
  })

  it('shows no more of a long value than helps', () => {
    const [reason] = broken({ config: { title: 'a' }, planned: { title: 'x'.repeat(5000) } })
    expect(reason?.length).toBeLessThan(250)
  })
})
