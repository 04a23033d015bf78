import {
  type Environment,
  fromEnvironment,
  isSettingError,
  keyFromEnvironment,
  parseBaseUrl,
  requireKey,
  variables,
} from '../api/index.ts'
import { numberText } from '../hcl/json.ts'
import { isListValue, isNumberValue, memberOf, type ObjectValue, Unknown, type Value } from '../hcl/values.ts'
import { declarableKinds } from '../kinds/index.ts'
import {
  defaultProfile,
  isParallelism,
  isProfileSetting,
  type ProfileSetting,
  parallelismRange,
  profileWords,
} from '../model/connection.ts'
import { type GuardRule, isGuardRule } from '../model/guard-rules.ts'
import { sentence } from '../model/text/text-layout.ts'
import { checkAllowed, checkField } from '../rules/check-field.ts'
import { type AttributeWithVariables, attributeSettings } from '../schema/terraform/terraform-attribute.ts'
import { checkOwnerId, DiagnosticError, type Diagnostics, errorDiagnostic } from './provider.ts'

/**
 * The provider's settings. A setting is unknown if it depends on an object that does not exist yet, and
 * undefined if it has no value.
 */
export interface Settings {
  readonly baseUrl: string | Unknown | undefined
  readonly apiKey: string | Unknown | undefined
  readonly projectId: string | Unknown | undefined
  readonly organizationId: string | Unknown | undefined
  readonly profile: ProfileSetting | Unknown
  readonly parallelism: number
  readonly retryAttempts: number | undefined
  readonly retryBudget: number | undefined
  readonly defaultTags: readonly string[] | Unknown
  /** Guards that are disabled for all objects. */
  readonly allow: readonly GuardRule[]
}

/** The sources of settings that the provider's block does not set. */
export interface Surroundings {
  readonly env: Environment
  /** The base for relative paths of key files. */
  readonly directory: string
}

/** The block wins over the environment, so that two configurations in one run can differ. */
export async function resolve(config: ObjectValue, { env, directory }: Surroundings): Promise<Settings> {
  const text = (attribute: AttributeWithVariables) => textIn(config, attribute, env)
  // Warnings are reported by validation.
  const problems = checkProvider(config).filter(({ severity }) => severity === 'error')
  if (problems.length > 0) throw new DiagnosticError(...problems)
  return {
    baseUrl: text('base_url'),
    apiKey: await keyOf(memberOf(config, 'api_key'), { env, directory }),
    projectId: text('project_id'),
    organizationId: text('organization_id'),
    profile: profileOf(profileIn(config, { env })),
    parallelism:
      wholeNumber(memberOf(config, 'parallelism')) ??
      parallelismOf(fromEnvironment(env, attributeSettings.parallelism)),
    retryAttempts: wholeNumber(memberOf(config, 'retry_attempts')),
    retryBudget: wholeNumber(memberOf(config, 'retry_budget')),
    defaultTags: tagsOf(memberOf(config, 'default_tags')),
    allow: rulesOf(memberOf(config, 'allow')),
  }
}

/** The service of a block. Validation reports an invalid profile. */
export function profileIn(config: ObjectValue, { env }: Pick<Surroundings, 'env'>): string | Unknown {
  return textIn(config, 'profile', env) ?? defaultProfile
}

function textIn(
  config: ObjectValue,
  attribute: AttributeWithVariables,
  env: Environment,
): string | Unknown | undefined {
  const given = memberOf(config, attribute)
  if (given instanceof Unknown) return given
  return typeof given === 'string' && given !== ''
    ? given
    : fromEnvironment(env, attributeSettings[attribute])
}

/** The problems of the provider's block. Unknown values are accepted. */
export function checkProvider(config: ObjectValue): Diagnostics {
  const given = (name: string) => memberOf(config, name)
  return [
    ...checkUrl(given('base_url')),
    ...checkKey(given('api_key')),
    ...checkOwnerId('project', 'project_id', given('project_id')),
    ...checkOwnerId('organization', 'organization_id', given('organization_id')),
    ...checkProfile(given('profile')),
    ...checkRange(given('parallelism'), 'parallelism', parallelismRange.from, parallelismRange.to),
    ...checkRange(given('retry_attempts'), 'retry_attempts', 1, 20),
    ...checkRange(given('retry_budget'), 'retry_budget', 0, 10_000),
    ...checkTags(given('default_tags')),
    ...checkAllow(given('allow')),
  ]
}

async function keyOf(given: Value, { env, directory }: Surroundings): Promise<string | Unknown | undefined> {
  if (given instanceof Unknown) return given
  if (typeof given === 'string' && given !== '') return requireKey(given, 'the key')
  return (await keyFromEnvironment(env, variables[attributeSettings.api_key], directory))?.apiKey
}

function checkUrl(given: Value): Diagnostics {
  if (typeof given !== 'string' || given === '') return []
  if (!URL.canParse(given))
    return [
      errorDiagnostic('`base_url` is not a URL', 'Write it like https://flags.example.com.', ['base_url']),
    ]
  try {
    parseBaseUrl(given)
    return []
  } catch (error) {
    if (!isSettingError(error)) throw error
    return [errorDiagnostic('`base_url` cannot be used', sentence(error.message), ['base_url'])]
  }
}

function checkKey(given: Value): Diagnostics {
  if (typeof given !== 'string' || given === '') return []
  try {
    requireKey(given, 'the key in `api_key`')
    return []
  } catch (error) {
    if (!isSettingError(error)) throw error
    return [errorDiagnostic(error.message, undefined, ['api_key'])]
  }
}

function checkProfile(given: Value): Diagnostics {
  if (typeof given !== 'string' || isProfileSetting(given)) return []
  return [errorDiagnostic(`"${given}" is not a profile`, `Use ${profileWords}.`, ['profile'])]
}

function checkRange(given: Value, name: string, least: number, most: number): Diagnostics {
  if (!isNumberValue(given)) return []
  const number = Number(numberText(given))
  if (Number.isInteger(number) && number >= least && number <= most) return []
  return [errorDiagnostic(`\`${name}\` must be a whole number from ${least} to ${most}`, undefined, [name])]
}

function checkTags(given: Value): Diagnostics {
  if (!isListValue(given)) return []
  if (given.some(tag => typeof tag === 'string' && tag.trim() === ''))
    return [errorDiagnostic('a default tag is empty', undefined, ['default_tags'])]
  const tags = given.filter(tag => typeof tag === 'string')
  const [broken] = declarableKinds.flatMap(kind =>
    kind.lifecycle.ownedBy === undefined ? [] : checkField(kind, kind.lifecycle.ownedBy, tags),
  )
  if (broken?.rule !== 'length') return []
  return [errorDiagnostic('a default tag is too long', sentence(broken.hint ?? ''), ['default_tags'])]
}

/** An unknown rule disables nothing. */
function rulesOf(given: Value): readonly GuardRule[] {
  if (!isListValue(given)) return []
  return given.flatMap(rule => (typeof rule === 'string' && isGuardRule(rule) ? [rule] : []))
}

function checkAllow(given: Value): Diagnostics {
  return checkAllowed(isListValue(given) ? given.filter(rule => typeof rule === 'string') : []).map(
    ({ message, hint }) => errorDiagnostic(message, sentence(hint), ['allow']),
  )
}

function profileOf(given: string | Unknown): ProfileSetting | Unknown {
  if (given instanceof Unknown || isProfileSetting(given)) return given
  throw new DiagnosticError(
    errorDiagnostic(`VEXIL_PROFILE is "${given}", which is not a profile`, `Use ${profileWords}.`),
  )
}

function parallelismOf(given: string | undefined): number {
  const number = Number(given ?? 8)
  if (isParallelism(number)) return number
  const { from, to } = parallelismRange
  throw new DiagnosticError(
    errorDiagnostic(`VEXIL_PARALLELISM must be a whole number from ${from} to ${to}, not "${given}"`),
  )
}

function wholeNumber(value: Value): number | undefined {
  return isNumberValue(value) ? Number(numberText(value)) : undefined
}

function tagsOf(value: Value): readonly string[] | Unknown {
  if (value instanceof Unknown) return value
  if (!isListValue(value)) return []
  // One unknown tag makes the whole set unknown.
  const open = value.find(tag => tag instanceof Unknown)
  return open instanceof Unknown ? open : value.filter(tag => typeof tag === 'string')
}
