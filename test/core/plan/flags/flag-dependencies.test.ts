import { describe, expect, it } from 'vitest'
import type { Desired } from '../../../../src/core/desired.ts'
import type { Live } from '../../../../src/core/live.ts'
import { plan } from '../../../../src/core/plan/plan.ts'
import type { Profile } from '../../../../src/model/connection.ts'
import type { JsonObject } from '../../../../src/model/text/json.ts'
import { aFlag, aPolicy, aSnapshot, declare, declaredFlag } from '../../../support/builders.ts'

/** Filters whose one condition asks for other flags, by keys or ids. */
const on = (...names: string[]): JsonObject => ({
  groups: [
    {
      properties: names.map(key => ({ key, type: 'flag', operator: 'flag_evaluates_to', value: true })),
      rollout_percentage: 100,
    },
  ],
})
const plain: JsonObject = { groups: [{ properties: [], rollout_percentage: 50 }] }

const base = (over: JsonObject = {}) => aFlag({ id: 1, key: 'base', active: true, filters: plain, ...over })
const naming = (over: JsonObject = {}) =>
  aFlag({ id: 2, key: 'naming', active: true, filters: on('base'), ...over })

/** Why each flag is blocked, by key; what is not blocked is a change. */
function blocked(desired: readonly Desired[], live: readonly Live[], profile: Profile = 'posthog-2026') {
  const snapshot = aSnapshot(live, { profile })
  const made = plan({ declared: declare(desired), live: snapshot, policy: aPolicy() })
  return Object.fromEntries([
    ...made.changes.map(({ identity }) => [identity, 'change'] as const),
    ...made.blocked.map(
      ({ address, rule, reason }) => [address.split('.')[1], `${rule}: ${reason}`] as const,
    ),
  ])
}

const absent = (key: string) => declaredFlag(key, {}, { ensure: 'absent' })

describe('a change that the service would refuse', () => {
  it.each<[string, readonly Desired[], readonly Live[], Record<string, string>]>([
    [
      'names a flag that is nowhere',
      [declaredFlag('naming', { filters: on('nowhere') })],
      [],
      {
        naming:
          'dependency_missing: its conditions name the flag "nowhere", which does not exist and is not declared',
      },
    ],
    [
      'names an id that none has',
      [declaredFlag('naming', { filters: on('99') })],
      [],
      { naming: 'dependency_missing: its conditions name a flag by the id 99, and there is no such flag' },
    ],
    [
      'names a flag that goes',
      [declaredFlag('naming', { filters: on('base') }), absent('base')],
      [base(), naming({ filters: plain })],
      {
        naming: 'dependency_missing: its conditions name the flag "base", which is declared absent',
        base: 'change',
      },
    ],
    [
      'names a flag whose change is blocked, to the end of the chain',
      [
        declaredFlag('last', { filters: on('naming') }),
        declaredFlag('naming', { filters: on('base') }),
        declaredFlag('base', { filters: on('nowhere') }),
      ],
      [],
      {
        base: 'dependency_missing: its conditions name the flag "nowhere", which does not exist and is not declared',
        naming: 'parent_missing: feature_flag.base is blocked itself',
        last: 'parent_missing: feature_flag.naming is blocked itself',
      },
    ],
    [
      'leads back over a flag that nobody declares',
      [declaredFlag('base', { filters: on('naming') })],
      [base(), naming()],
      { base: 'dependency_circle: its conditions lead back to it: base -> naming -> base' },
    ],
    [
      'names itself',
      [declaredFlag('base', { filters: on('base') })],
      [base()],
      { base: 'dependency_circle: its conditions lead back to it: base -> base' },
    ],
    [
      'deletes what a flag that is on names',
      [absent('base')],
      [base(), naming(), naming({ id: 3, key: 'another' })],
      {
        base: 'dependents: flags that are on name it in conditions, so the service refuses this: another, naming',
      },
    ],
    [
      'turns off what a flag that is on names by its id',
      [declaredFlag('base', { active: false })],
      [base(), naming({ filters: on('1') })],
      { base: 'dependents: a flag that is on names it in conditions, so the service refuses this: naming' },
    ],
    [
      'names a flag that is off',
      [declaredFlag('naming', { filters: on('base') })],
      [base({ active: false })],
      {
        naming: 'dependency_off: its conditions name the flag "base", which is off: the service refuses that',
      },
    ],
    [
      'turns on what names a flag that is off',
      [declaredFlag('naming', { active: true })],
      [base({ active: false }), naming({ active: false })],
      {
        naming: 'dependency_off: its conditions name the flag "base", which is off: the service refuses that',
      },
    ],
  ])('%s', (_, desired, live, expected) => {
    expect(blocked(desired, live)).toEqual(expected)
  })
})

describe('a change that the service takes', () => {
  it.each<[string, readonly Desired[], readonly Live[]]>([
    ['deletes what only a flag that is off names', [absent('base')], [base(), naming({ active: false })]],
    ['deletes both', [absent('base'), absent('naming')], [base(), naming()]],
    [
      'turns on what it names, too',
      [declaredFlag('base', { active: true }), declaredFlag('naming', { filters: on('base') })],
      [base({ active: false })],
    ],
    [
      'turns off what it names, and itself',
      [
        declaredFlag('base', { active: false }),
        declaredFlag('naming', { active: false, filters: on('base') }),
      ],
      [base(), naming({ filters: plain })],
    ],
    [
      'does not contain conditions that name what is gone',
      [declaredFlag('naming', { name: 'other words' })],
      [naming()],
    ],
    [
      'lets go of what goes',
      [absent('base'), declaredFlag('naming', { filters: plain })],
      [base(), naming()],
    ],
  ])('%s', (_, desired, live) => {
    expect(new Set(Object.values(blocked(desired, live)))).toEqual(new Set(['change']))
  })
})

it('may name a flag that is off where the service does not mind', () => {
  const desired = [declaredFlag('naming', { filters: on('base') })]
  expect(blocked(desired, [base({ active: false })], 'posthog')).toEqual({ naming: 'change' })
})
