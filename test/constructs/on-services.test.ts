import { TerraformVariable } from 'cdktf'
import { describe, expect, it } from 'vitest'
import { VexilProvider, type VexilProviderConfig } from '../../src/constructs/generated/provider/index.ts'
import { Flag, type FlagProps, type Operator, Role, When } from '../../src/constructs/own-constructs.ts'
import { featureFlag, roleAccess } from '../../src/kinds/index.ts'
import { profiles } from '../../src/model/connection.ts'
import type { Field } from '../../src/model/field.ts'
import { behaviourOf, profilesWith } from '../../src/services/differences.ts'
import { isUnsettledOperator, laterOperators } from '../../src/targeting/operators.ts'
import { aStack, saidOf } from './a-stack.ts'

const support = Role.fromId('01900000-0000-0000-0000-0000000000aa', 'support')
const release = [When.everyone().at(5)]

/** What is said of a flag in a stack whose provider is made after it. */
function said(props: Omit<FlagProps, 'key'>, provider: Partial<VexilProviderConfig> | undefined) {
  const stack = aStack()
  new Flag(stack, 'One', { key: 'one', active: false, release, ...props })
  if (provider) new VexilProvider(stack, 'vexil', { projectId: '1', ...provider })
  return saidOf(stack)
}

/** A value that says something, for a field that only some services have. */
function telling({ type, oneOf = [] }: Field & { readonly oneOf?: readonly string[] }): unknown {
  switch (type) {
    case 'boolean':
      return true
    case 'string':
      return oneOf[0] === 'distinct_id' ? 'device_id' : oneOf[0]
    case 'set':
      return ['web']
    default:
      return [{ threshold: 5 }]
  }
}

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const offered = Object.entries<Field>(featureFlag.fields).flatMap(([name, field]) =>
  field.offered
    ? [{ name: camel(name), field, has: profilesWith(field.offered.behaviour, field.offered.is) }]
    : [],
)

describe('a field that only some services have', () => {
  it('is one of several', () => {
    expect(offered.length).toBeGreaterThan(5)
  })

  it.each(offered)(
    '$name is told of by the profile of the provider, and by all where it says none',
    ({ name, field, has }) => {
      const beside = name === 'hasEncryptedPayloads' ? { isRemoteConfiguration: true } : {}
      const props = { ...beside, [name]: telling(field) } as Omit<FlagProps, 'key'>
      const isAbout = (line: string) => line.includes(`"${name}"`)
      for (const profile of profiles) {
        const lines = said(props, { profile }).filter(isAbout)
        const level = field.newer ? 'error' : 'warn'
        expect([profile, lines.map(line => line.split(':')[0])]).toEqual([
          profile,
          has.includes(profile) ? [] : [`[flags/One] ${level}`],
        ])
      }
      const lacking = profiles.filter(profile => !has.includes(profile))
      for (const open of [undefined, {}, { profile: 'auto' }] as const) {
        const lines = said(props, open).filter(isAbout)
        expect(lines).toEqual(
          field.newer
            ? [
                `[flags/One] warn: the service with ${lacking.length === 1 ? 'profile' : 'profiles'} ${lacking.join(' and ')} has no "${name}" (set the service's version in \`profile\`)`,
              ]
            : [],
        )
      }
    },
  )

  it('is not told of where it says what is so without it', () => {
    const props: Omit<FlagProps, 'key'> = {
      archived: false,
      evaluationRuntime: 'all',
      evaluationContexts: [],
      bucketingIdentifier: 'distinct_id',
    }
    for (const profile of profiles) expect(said(props, { profile })).toEqual([])
  })
})

describe.each(roleAccess.fields.access_level.oneOf)('the level %s of a grant', level => {
  it('is told of where the service has no levels', () => {
    const lines = profiles.map(profile => {
      const stack = aStack()
      new VexilProvider(stack, 'vexil', { profile })
      new Flag(stack, 'One', { key: 'one', active: false, release }).grants.give(support, level)
      return [profile, saidOf(stack).map(line => line.replace(/^\[.*?\] /, ''))]
    })
    expect(lines).toEqual(
      profiles.map(profile => [
        profile,
        behaviourOf(profile).grants_route === 'access_controls'
          ? []
          : ['warn: the service has no "accessLevel" (remove it for that service)'],
      ]),
    )
  })
})

describe('what a condition has of today', () => {
  it.each(Object.entries(laterOperators))(
    'the operator %s is told of where the service may not know it',
    (operator, { value }) => {
      const given =
        value === 'range'
          ? ['1', '5']
          : value === 'version'
            ? '1.2.3'
            : value === 'date'
              ? '2024-01-31T00:00:00Z'
              : 'x'
      const props = { release: [When.person('p').operator(operator as Operator, given)] }
      for (const profile of profiles) {
        const isTold = said(props, { profile }).some(line => line.includes(`the operator "${operator}"`))
        const { later_operators, unsettled_operators } = behaviourOf(profile)
        const isOdd =
          later_operators === 'unknown' ||
          (unsettled_operators === 'refused' && isUnsettledOperator(operator))
        expect([profile, isTold]).toEqual([profile, isOdd])
      }
    },
  )

  it.each<[string, Omit<FlagProps, 'key'>, string]>([
    ['an early exit', { earlyExit: true }, '"earlyExit" is newer than the service'],
    [
      'groups of its own',
      { release: [When.everyone().ofGroups(1), ...release] },
      'counts other groups than its flag',
    ],
  ])('%s is told of by profile', (_, props, words) => {
    const told = profiles.filter(profile => said(props, { profile }).some(line => line.includes(words)))
    expect(told).toEqual(profiles.filter(profile => behaviourOf(profile).early_exit === 'unknown'))
  })
})

describe('the provider that is asked', () => {
  const words = /"archived"/
  const archived = { archived: true }

  it('is the one that the flag names', () => {
    const stack = aStack()
    new VexilProvider(stack, 'vexil', { profile: 'documented' })
    const provider = new VexilProvider(stack, 'today', { profile: 'posthog-2026', alias: 'today' })
    new Flag(stack, 'One', { key: 'one', active: false, release, ...archived, provider })
    expect(saidOf(stack)).toEqual([])
  })

  it('says nothing where its profile is known only later', () => {
    const stack = aStack()
    const profile = new TerraformVariable(stack, 'profile', { type: 'string' }).value
    new VexilProvider(stack, 'vexil', { profile })
    new Flag(stack, 'One', { key: 'one', active: false, release, ...archived })
    expect(saidOf(stack).filter(line => words.test(line))).toHaveLength(1)
    expect(saidOf(stack).every(line => line.includes('warn'))).toBe(true)
  })
})
