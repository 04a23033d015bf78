import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import type { PatternText, Policy, PolicyRule } from './policy.ts'

/**
 * The policies of an app as they stand in a synthesized stack, where comments do: `{ "//": { "vexil": { "policies":
 * ... } } }`. Terraform passes over it, and whoever works the stack out holds them against what it finds.
 */
export interface WrittenPolicies {
  /** The path of the stack in its app. */
  readonly stack: string
  readonly policies: readonly HeldPolicy[]
}

/** A policy that an app may bring: files with schemas are for settings alone. */
export type AppPolicy = Exclude<Policy, { readonly policy: 'OwnSchemas' }>

/** The same without what it leaves alone and its level. */
export type AppRule = Extract<PolicyRule, { readonly policy: AppPolicy['policy'] }>

/** A policy with the path of the construct below which it holds; empty for a whole app. */
export type HeldPolicy = AppPolicy & { readonly scope: string }

/** What a synthesis says of what it leaves to a plan. */
export const decidedByPlan = 'is decided when Vexil plans the stack, and not by Terraform'

/** What the policies look like in a stack. */
export function writePolicies({ stack, policies }: WrittenPolicies): object {
  return { version, stack, policies }
}

/** Reads them; throws a RangeError with the reason where they are none, or of another version. */
export function readPolicies(written: Json): WrittenPolicies {
  const { version: given = null, stack = null, policies = null } = membersOf(written, 'the policies')
  if (given !== version) {
    throw new RangeError(`they are of version ${JSON.stringify(given)}, and ${version} is what is read`)
  }
  return {
    stack: text(stack, 'stack'),
    policies: elements(policies, 'policies').map((policy, index) => readPolicy(policy, `policies[${index}]`)),
  }
}

/** Whether a policy holds for what has a path; without one it has no place in the app but the stack. */
export function isHeldAt({ scope }: HeldPolicy, path: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`)
}

const version = 1

function readPolicy(json: Json, place: string): HeldPolicy {
  const members = membersOf(json, place)
  const name = text(members.policy, `${place}.policy`)
  if (!isPolicyName(name))
    throw new RangeError(`${place}.policy is ${JSON.stringify(name)}, which is no policy`)
  return {
    ...rules[name](members, place),
    scope: text(members.scope, `${place}.scope`),
    except: texts(members.except, `${place}.except`),
    level: members.level === 'warning' ? 'warning' : 'error',
  }
}

const rules: {
  readonly [Name in AppRule['policy']]: (members: JsonObject, place: string) => AppRule
} = {
  MaxRollout: ({ ceiling, everyoneOnly }, place) => ({
    policy: 'MaxRollout',
    ceiling: typeof ceiling === 'number' ? ceiling : each(ceiling, `${place}.ceiling`, number),
    everyoneOnly: everyoneOnly === true,
  }),
  NamePattern: ({ patterns }, place) => ({
    policy: 'NamePattern',
    patterns: each(patterns, `${place}.patterns`, readPattern),
  }),
  FirstIn: ({ environment }, place) => ({
    policy: 'FirstIn',
    environment: text(environment, `${place}.environment`),
  }),
  NoPersonalEmail: () => ({ policy: 'NoPersonalEmail' }),
  NoReleaseToEveryone: () => ({ policy: 'NoReleaseToEveryone' }),
  RequireExpiry: ({ within }, place) => ({
    policy: 'RequireExpiry',
    ...(within === undefined ? {} : { within: number(within, `${place}.within`) }),
  }),
  RequireOwnerTag: ({ pattern }, place) => ({
    policy: 'RequireOwnerTag',
    pattern: readPattern(pattern ?? null, `${place}.pattern`),
  }),
  TwoPerson: ({ above, everyoneOnly, tag }, place) => ({
    policy: 'TwoPerson',
    above: number(above ?? null, `${place}.above`),
    everyoneOnly: everyoneOnly === true,
    tag: text(tag, `${place}.tag`),
  }),
  GrantsOnlyTo: ({ roles, atMost }, place) => ({
    policy: 'GrantsOnlyTo',
    roles: texts(roles, `${place}.roles`),
    ...(atMost === undefined ? {} : { atMost: text(atMost, `${place}.atMost`) }),
  }),
}

function isPolicyName(name: string): name is AppRule['policy'] {
  return Object.hasOwn(rules, name)
}

function readPattern(json: Json, place: string): PatternText {
  const members = membersOf(json, place)
  const [source, flags] = [text(members.source, `${place}.source`), text(members.flags, `${place}.flags`)]
  try {
    new RegExp(source, flags)
  } catch {
    throw new RangeError(`${place} is no regular expression`)
  }
  return { source, flags }
}

function number(json: Json, place: string): number {
  if (typeof json !== 'number') throw new RangeError(`${place} is no number`)
  return json
}

function each<Value>(
  json: Json | undefined,
  place: string,
  read: (member: Json, place: string) => Value,
): Record<string, Value> {
  const members = Object.entries(membersOf(json, place))
  return Object.fromEntries(members.map(([name, member]) => [name, read(member, `${place}.${name}`)]))
}

function membersOf(json: Json | undefined, place: string): JsonObject {
  if (!isJsonObject(json)) throw new RangeError(`${place} is no object`)
  return json
}

function elements(json: Json | undefined, place: string): readonly Json[] {
  if (json === undefined || !isJsonArray(json)) throw new RangeError(`${place} is no list`)
  return json
}

function texts(json: Json | undefined, place: string): readonly string[] {
  return elements(json, place).map((element, index) => text(element, `${place}[${index}]`))
}

function text(json: Json | undefined, place: string): string {
  if (typeof json !== 'string') throw new RangeError(`${place} is no text`)
  return json
}
