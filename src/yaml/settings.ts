import { defaultPolicy, type Policy } from '../core/policy.ts'
import {
  isProfileSetting,
  type ProfileSetting,
  type SdkVersion,
  type SdkVersions,
  type Services,
  servicesOf,
} from '../model/connection.ts'
import { isGuardRule } from '../model/guard-rules.ts'
import { isJsonObject, type Json, type JsonObject } from '../model/json/json.ts'
import { type GivenLiveEdits, layLiveEdits, parseLiveEdits } from '../model/live-edit-policy.ts'
import { isRedactedPart, type RedactedPart } from '../model/redacted-part.ts'
import { isPruneMode } from '../model/removal.ts'
import { layRisk } from '../model/risk.ts'
import type { SchemaFiles } from '../policies/check-policy.ts'
import { type NamedPolicy, plannedIn, policiesIn } from '../policies/written-policies.ts'

/** One place that declarations are applied to. */
export interface Environment {
  /** Undefined in a repository without environments. */
  readonly name?: string
  readonly connection: {
    readonly baseUrl?: string
    readonly project?: string
    readonly organization?: string
    readonly profile?: ProfileSetting
    readonly parallelism?: number
    /** The environment variable that holds the key. */
    readonly apiKeyEnv?: string
  }
  readonly policy: Policy
  /** The rules for declarations. */
  readonly policies: readonly NamedPolicy[]
  /** The UUIDs of roles, by name. */
  readonly roles: Readonly<Record<string, string>>
  /** Values of objects that are never shown or recorded. */
  readonly redact?: readonly RedactedPart[]
  /** Whether members that mean tags are tags in the service too. */
  readonly liveTags: boolean
  /** The numbers of cohorts, by name. */
  readonly cohorts: Readonly<Record<string, number>>
  /** The numbers of group types, by name. */
  readonly groupTypes: Readonly<Record<string, number>>
}

/** The content of `vexil.yaml`. */
export interface Settings {
  /** In the order of the file; a repository without environments has none. */
  readonly environments: readonly (Environment & { readonly name: string })[]
  /** The values for all environments that have none of their own. */
  readonly shared: Environment
  /** Globs of the declaration files. */
  readonly files?: readonly string[]
  /** The place for shared records of runs; if absent, they stay in the folder. */
  readonly runs?: SharedRuns
  /** Defaults for the declarations of some files, in the order of the settings. */
  readonly defaults?: readonly FileDefaults[]
}

/** The ref with the shared records of runs, and its remote if that is not the usual one. */
export interface SharedRuns {
  readonly ref: string
  readonly remote?: string
}

/** Defaults for the declarations of the files that match a glob. */
export interface FileDefaults {
  readonly files: string
  readonly owner?: string
  readonly expires?: string
  readonly tags?: readonly string[]
  readonly only?: readonly string[]
  readonly protect?: boolean
  readonly permanent?: boolean
  readonly allow?: readonly string[]
  readonly liveEdits?: GivenLiveEdits
}

/** Reads settings that fit their schema; `schemas` are those of their policies, `versions` reads SDK versions. */
export function toSettings(value: JsonObject, schemas?: SchemaFiles, versions?: ReadVersions): Settings {
  const environments = Object.entries(objectAt(value, 'environments')).map(([name, own]) => ({
    ...toEnvironment(value, isJsonObject(own) ? own : {}, schemas, versions),
    name,
  }))
  return {
    environments,
    shared: toEnvironment(value, {}, schemas, versions),
    // The schema made sure of the element type.
    ...(Array.isArray(value.files) ? { files: value.files as readonly string[] } : {}),
    ...sharedRuns(objectAt(value, 'runs')),
    ...(Array.isArray(value.defaults) ? { defaults: value.defaults.flatMap(defaultsIn) } : {}),
  }
}

function sharedRuns({ ref, remote }: JsonObject): Pick<Settings, 'runs'> {
  if (typeof ref !== 'string') return {}
  return { runs: { ref, ...(typeof remote === 'string' ? { remote } : {}) } }
}

/** Values that do not fit are skipped: the schema has reported them. */
function defaultsIn(value: Json): FileDefaults[] {
  if (!isJsonObject(value) || typeof value.files !== 'string' || value.files === '') return []
  const { files, owner, expires, tags, only, protect, permanent, allow } = value
  const liveEdits = parseLiveEdits(value.live_edits)
  return [
    {
      files,
      ...(typeof owner === 'string' ? { owner } : {}),
      ...(typeof expires === 'string' ? { expires } : {}),
      ...(Array.isArray(tags) ? { tags: textsIn(tags) } : {}),
      ...(Array.isArray(only) ? { only: textsIn(only) } : {}),
      ...(typeof protect === 'boolean' ? { protect } : {}),
      ...(typeof permanent === 'boolean' ? { permanent } : {}),
      ...(Array.isArray(allow) ? { allow: textsIn(allow) } : {}),
      ...(liveEdits === undefined ? {} : { liveEdits }),
    },
  ]
}

function textsIn(list: readonly Json[]): readonly string[] {
  return list.filter(one => typeof one === 'string')
}

/** The environments that declarations are checked in: all of them, or the one without a name. */
export function environmentsOf(settings: Settings): readonly Environment[] {
  return settings.environments.length > 0 ? settings.environments : [settings.shared]
}

/** The possible services of an environment, or of all of them together; a `stated` one applies to each. */
export function servicesIn(
  environments: readonly Environment[],
  stated: string | undefined,
  name: string | undefined,
): Services {
  const meant = environments.filter(environment => name === undefined || environment.name === name)
  return servicesOf(stated ? [stated] : meant.map(({ connection }) => connection.profile), sdksOf(meant))
}

/** The SDKs of all of them, in each version that one of them names. */
function sdksOf(environments: readonly Environment[]): SdkVersions | undefined {
  const named = environments.flatMap(({ policy: { sdks } }) => (sdks ? [sdks] : []))
  if (named.length <= 1) return named[0]
  const all = new Map<string, SdkVersion[]>()
  for (const [name, versions] of named.flatMap(sdks => Object.entries(sdks))) {
    const known = all.get(name) ?? []
    known.push(...versions.filter(({ version }) => !known.some(one => one.version === version)))
    all.set(name, known)
  }
  return Object.fromEntries(all)
}

/** The variables that hold keys, as the environments name them. */
export function ownKeyVariables({ environments }: Settings): readonly string[] {
  return environments.flatMap(({ connection: { apiKeyEnv } }) => (apiKeyEnv === undefined ? [] : [apiKeyEnv]))
}

function toEnvironment(
  shared: JsonObject,
  own: JsonObject,
  schemas?: SchemaFiles,
  versions?: ReadVersions,
): Environment {
  const ownership = { ...objectAt(shared, 'ownership'), ...objectAt(own, 'ownership') }
  const limits = { ...objectAt(shared, 'limits'), ...objectAt(own, 'limits') }
  const parallelism = own.parallelism ?? shared.parallelism
  const groupTypes = numbersIn({ ...objectAt(shared, 'group_types'), ...objectAt(own, 'group_types') })
  const cohorts = numbersIn({ ...objectAt(shared, 'cohorts'), ...objectAt(own, 'cohorts') })
  const planned = plannedIn(objectAt(shared, 'policies'), objectAt(own, 'policies'))
  return {
    connection: {
      ...text('baseUrl', own.base_url),
      ...text('project', own.project),
      ...text('organization', own.organization),
      ...(isProfileSetting(own.profile) ? { profile: own.profile } : {}),
      ...(typeof parallelism === 'number' ? { parallelism } : {}),
      ...text('apiKeyEnv', own.api_key_env),
    },
    policy: {
      ownership: {
        ...text('tag', ownership.tag),
        prune: isPruneMode(ownership.prune) ? ownership.prune : defaultPolicy.ownership.prune,
      },
      limits: {
        delete: typeof limits.delete === 'number' ? limits.delete : defaultPolicy.limits.delete,
        ...(typeof limits.rollout_step === 'number' ? { rolloutStep: limits.rollout_step } : {}),
      },
      allow: allowancesIn(own.allow ?? shared.allow),
      liveEdits: liveEditsIn(shared, own),
      risk: layRisk(layRisk(defaultPolicy.risk, shared.risk), own.risk),
      ...(Object.keys(groupTypes).length > 0 ? { groupTypes } : {}),
      ...(Object.keys(cohorts).length > 0 ? { cohorts } : {}),
      ...(planned ? { planned } : {}),
      ...sdksIn(versions, shared.sdks, own.sdks),
    },
    ...redactIn(own.redact ?? shared.redact),
    policies: policiesIn(objectAt(shared, 'policies'), objectAt(own, 'policies'), schemas),
    liveTags: (own.live_tags ?? shared.live_tags) !== false,
    roles: rolesIn({ ...objectAt(shared, 'roles'), ...objectAt(own, 'roles') }),
    cohorts,
    groupTypes,
  }
}

/** Reads the versions of SDKs as they are written. */
type ReadVersions = (texts: Readonly<Record<string, string>>) => SdkVersions

/** The SDKs that are used: an environment may name another version of one. */
function sdksIn(
  versions: ReadVersions | undefined,
  ...layers: readonly (Json | undefined)[]
): Pick<Policy, 'sdks'> {
  const given = layers.filter(layer => layer !== undefined && isJsonObject(layer))
  if (given.length === 0 || !versions) return {}
  const texts = given.flatMap(Object.entries<Json>).filter(([, text]) => typeof text === 'string')
  return { sdks: versions(Object.fromEntries(texts) as Record<string, string>) }
}

function numbersIn(named: JsonObject): Record<string, number> {
  const entries = Object.entries(named).flatMap(([name, number]) =>
    typeof number === 'number' ? [[name, number] as const] : [],
  )
  return Object.fromEntries(entries)
}

function allowancesIn(rules: Json | undefined): Policy['allow'] {
  return Array.isArray(rules)
    ? rules.flatMap(rule => (typeof rule === 'string' && isGuardRule(rule) ? [{ rule }] : []))
    : []
}

/** An environment's own values override those for all environments, and those override the general ones. */
function liveEditsIn(shared: JsonObject, own: JsonObject): Policy['liveEdits'] {
  return [shared, own].reduce((policy, layer) => {
    const { automation } = objectAt(layer, 'live_edits')
    return {
      ...layLiveEdits(policy, parseLiveEdits(layer.live_edits)),
      ...(Array.isArray(automation) ? { automation: textsIn(automation) } : {}),
    }
  }, defaultPolicy.liveEdits)
}

function rolesIn(roles: JsonObject): Record<string, string> {
  const entries = Object.entries(roles).flatMap(([name, id]) =>
    typeof id === 'string' ? [[name, id.toLowerCase()] as const] : [],
  )
  return Object.fromEntries(entries)
}

function redactIn(parts: Json | undefined): Pick<Environment, 'redact'> {
  return Array.isArray(parts) ? { redact: textsIn(parts).filter(isRedactedPart) } : {}
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const member = value[name]
  return isJsonObject(member) ? member : {}
}

/** Ids may be written as numbers; they are text everywhere else. */
function text<Name extends string>(name: Name, value: Json | undefined): { readonly [N in Name]?: string } {
  // TypeScript does not keep the type of a computed name.
  return (value === undefined || value === null ? {} : { [name]: String(value) }) as { [N in Name]?: string }
}
