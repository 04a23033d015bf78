import { describe, expect, it } from 'vitest'
import { checkPlan } from '../../../src/terraform/rpc/guard-plan.ts'
import { completeValue } from '../../../src/terraform/schema/complete.ts'
import type { Block } from '../../../src/terraform/schema/schema.ts'
import { showPath } from '../../../src/terraform/values/attribute-path.ts'
import { Unknown, unknown } from '../../../src/terraform/values/unknown.ts'
import type { ObjectValue } from '../../../src/terraform/values/value.ts'

const members: Block = {
  attributes: {
    text: { type: 'string', presence: 'required' },
    length: { type: 'number', presence: 'computed' },
  },
}

const block: Block = {
  attributes: {
    title: { type: 'string', presence: 'required' },
    note: { type: 'string', presence: 'optional' },
    colour: { type: 'string', presence: 'optional+computed' },
    revision: { type: 'number', presence: 'computed' },
    key: { type: 'string', presence: 'optional', sensitive: true },
    lines: { nesting: 'list', presence: 'optional', attributes: members.attributes },
    named: { nesting: 'map', presence: 'optional', attributes: members.attributes },
    bag: { nesting: 'set', presence: 'optional', attributes: members.attributes },
    one: { nesting: 'single', presence: 'optional', attributes: members.attributes },
  },
  blocks: {
    rows: { nesting: 'list', block: members },
    single: { nesting: 'single', block: members },
  },
}

type Case = { prior?: ObjectValue; config: ObjectValue; planned: ObjectValue }

function broken({ prior, config, planned }: Case): string[] {
  const complete = (value: ObjectValue) => completeValue(block, value)
  const values = {
    prior: prior ? complete(prior) : null,
    config: complete(config),
    planned: complete(planned),
  }
  return checkPlan(block, values).map(({ path, reason }) => `${showPath(path)}: ${reason}`)
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
    ['unknown for unknown', { config: { title: new Unknown({ prefix: 'a' }) }, planned: { title: unknown } }],
    [
      'computed members of configured elements',
      {
        config: { title: 'a', lines: [text('x')] },
        planned: { title: 'a', lines: [{ text: 'x', length: unknown }] },
      },
    ],
    [
      'computed members of a map, an object and blocks',
      {
        config: { title: 'a', named: { k: text('x') }, one: text('y'), rows: [text('z')], single: text('s') },
        planned: {
          title: 'a',
          named: { k: { text: 'x', length: 1 } },
          one: { text: 'y', length: 1 },
          rows: [{ text: 'z', length: 1 }],
          single: { text: 's', length: 1 },
        },
      },
    ],
    [
      'elements of a set, which have no identity',
      { config: { title: 'a', bag: [text('x')] }, planned: { title: 'a', bag: [{ text: 'x', length: 1 }] } },
    ],
    [
      'blocks of which the number is unknown',
      { config: { title: 'a', rows: unknown }, planned: { title: 'a', rows: [] } },
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
      'title: planned "b" where the configuration says "a"',
    ],
    [
      'a value that is neither configured nor prior',
      { prior: { title: 'c' }, config: { title: 'a' }, planned: { title: 'b' } },
      'title: planned "b" where the configuration says "a" and the state "c"',
    ],
    [
      'null for what is configured, though it was null before',
      { prior: { title: 'a' }, config: { title: 'a', note: 'x' }, planned: { title: 'a' } },
      'note: planned null where the configuration says "x"',
    ],
    [
      'the prior value of what is no longer configured',
      { prior: { title: 'a', note: 'x' }, config: { title: 'a' }, planned: { title: 'a', note: 'x' } },
      'note: planned "x" for what is neither configured nor computed',
    ],
    [
      'unknown for what is configured',
      { config: { title: 'a' }, planned: { title: unknown } },
      'title: planned unknown where the configuration says "a"',
    ],
    [
      'another value for what is computed but configured',
      { config: { title: 'a', colour: 'red' }, planned: { title: 'a', colour: unknown } },
      'colour: planned unknown where the configuration says "red"',
    ],
    [
      'a secret, without showing it',
      { config: { title: 'a', key: 's3cret' }, planned: { title: 'a', key: 'other' } },
      'key: planned a sensitive value where the configuration says a sensitive value',
    ],
    [
      'an element too many',
      { config: { title: 'a', lines: [] }, planned: { title: 'a', lines: [text('x')] } },
      'lines: planned 1 elements where the configuration has 0',
    ],
    [
      'an element under another key',
      { config: { title: 'a', named: { k: text('x') } }, planned: { title: 'a', named: { j: text('x') } } },
      'named: planned elements under other keys than the configuration',
    ],
    [
      'another member',
      { config: { title: 'a', lines: [text('x')] }, planned: { title: 'a', lines: [text('y')] } },
      'lines[0].text: planned "y" where the configuration says "x"',
    ],
    [
      'a block too few',
      { config: { title: 'a', rows: [text('x')] }, planned: { title: 'a' } },
      'rows: planned 0 elements where the configuration has 1',
    ],
    [
      'a block that is not configured',
      { config: { title: 'a' }, planned: { title: 'a', single: text('x') } },
      'single: planned {"length":null,"text":"x"} for what is neither configured nor computed',
    ],
  ])('plans %s', (_, values, reason) => {
    expect(broken(values)).toEqual([reason])
  })

  it('shows no more of a long value than helps', () => {
    const [reason] = broken({ config: { title: 'a' }, planned: { title: 'x'.repeat(5000) } })
    expect(reason?.length).toBeLessThan(250)
  })
})
