import { eventDefinitionArguments } from '../../../src/constructs/event-definition.ts'
import { flagArguments } from '../../../src/constructs/flag/flag.ts'
import { flagDefaults } from '../../../src/constructs/flag/flag-set.ts'
import { variantArguments } from '../../../src/constructs/flag/variants.ts'
import * as constructs from '../../../src/constructs/own-constructs.ts'
import { pluginArguments } from '../../../src/constructs/plugin.ts'
import { exceptArguments, policyArguments } from '../../../src/constructs/policies/policy-aspect.ts'
import {
  expiryArguments,
  grantsOnlyToArguments,
  maxRolloutArguments,
  namePatternArguments,
  ownerTagArguments,
  tagsArguments,
  twoPersonArguments,
} from '../../../src/constructs/policies/rule-policies.ts'
import { organizationLookup, projectLookup, roleLookup } from '../../../src/constructs/references.ts'

/** What each object of properties holds. The compiler finds one that lacks a row there. */
const properties: Readonly<Record<string, object>> = {
  'new Flag(props': flagArguments,
  'FlagSet.of(declared': flagArguments,
  'FlagSet.of(defaults': flagDefaults,
  'new EventDefinition(props': eventDefinitionArguments,
  'new Plugin(props': pluginArguments,
  'Flag.fromKey(lookup': projectLookup,
  'Flag.fromId(lookup': projectLookup,
  'Plugin.fromName(lookup': organizationLookup,
  'Plugin.fromId(lookup': organizationLookup,
  'EventDefinition.fromName(lookup': projectLookup,
  'EventDefinition.fromId(lookup': projectLookup,
  'Role.fromName(lookup': roleLookup,
  'Variants.inOrder(variant': variantArguments,
  'Tags.add(props': tagsArguments,
  'new AddTags(props': exceptArguments,
  'new GrantsOnlyTo(props': grantsOnlyToArguments,
  'new MaxRollout(props': maxRolloutArguments,
  'new NamePattern(props': namePatternArguments,
  'new NoPersonalEmail(props': policyArguments,
  'new NoReleaseToEveryone(props': policyArguments,
  'new ProtectActive(props': exceptArguments,
  'new RequireExpiry(props': expiryArguments,
  'new RequireOwnerTag(props': ownerTagArguments,
  'new TwoPerson(props': twoPersonArguments,
}

/** Made by other methods, called by the engine, or with nothing to give. */
const madeElsewhere: ReadonlySet<string> = new Set([
  'new Cohort',
  'new FlagGrants',
  'new Policy',
  'new Role',
  'new Tags',
  'new Variants',
  'new When',
  'new WhenFlag',
  'new WhenProperty',
  'Policy.visit',
])
/** Methods that only other methods of the class call. */
const ownMethods: ReadonlySet<string> = new Set([
  'When.matching',
  ...['apply', 'applyToGrant', 'refuse', 'cannotTell', 'consequence', 'isLeftAlone'],
  ...['declare', 'check', 'warnIfOpen'],
])

/** Every argument of everything that is exported, from what is there when the tests run. */
export function declaredArguments(): string[] {
  const calls = Object.entries<unknown>(constructs).flatMap(([name, exported]) =>
    typeof exported === 'function' ? callsOf(name, exported) : membersOf(name, exported),
  )
  const inProps = Object.entries(properties).flatMap(([what, rows]) =>
    Object.keys(rows).map(name => `${what}.${name})`),
  )
  return [...calls, ...inProps].sort()
}

type Callable = (...given: never[]) => unknown

function callsOf(name: string, exported: object): string[] {
  const text = String(exported)
  if (!text.startsWith('class')) return argumentsOf(name, parametersOf(text))
  const statics = functionsOf(name, exported)
  // Every class has a prototype.
  const methods = functionsOf(name, (exported as { prototype: object }).prototype)
  const made = madeElsewhere.has(`new ${name}`)
    ? []
    : argumentsOf(`new ${name}`, constructorOf(exported, text))
  return [...statics, ...methods, ...made]
}

function constructorOf(exported: object, text: string): string[] {
  const own = /\n\s*constructor\(/.exec(text)
  return own
    ? parametersOf(text.slice(own.index))
    : constructorOf(Object.getPrototypeOf(exported), String(Object.getPrototypeOf(exported)))
}

function membersOf(name: string, exported: unknown): string[] {
  return typeof exported === 'object' && exported !== null ? functionsOf(name, exported) : []
}

function functionsOf(owner: string, of: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(of)).flatMap(([name, { value }]) => {
    if (typeof value !== 'function' || name === 'constructor' || ownMethods.has(name)) return []
    if (ownMethods.has(`${owner}.${name}`) || madeElsewhere.has(`${owner}.${name}`)) return []
    return argumentsOf(`${owner}.${name}`, parametersOf(String(value as Callable)))
  })
}

function argumentsOf(call: string, parameters: readonly string[]): string[] {
  return parameters.map(parameter => `${call}(${parameter})`)
}

/** The names of the parameters in the text of a function: `at(percent) {`, `of(scope, declared, defaults = {}) {`. */
function parametersOf(text: string): string[] {
  const list = /\(([^()]*)\)/.exec(text)?.[1] ?? ''
  return list
    .split(',')
    .map(each => each.replace(/=.*/s, '').trim())
    .filter(each => each !== '')
}
