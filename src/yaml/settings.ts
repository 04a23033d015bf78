import { defaultPolicy, type Policy } from '../core/policy.ts'
import {
  isProfileSetting,
  type NotificationFormat,
  type NotifiedState,
  notificationFormats,
  notifiedStates,
  type ProfileSetting,
  type SdkVersion,
  type SdkVersions,
  type Services,
  servicesOf,
} from '../model/connection.ts'
import { isRedactedPart, type RedactedPart } from '../model/field.ts'
import { isGuardRule } from '../model/guard-rules.ts'
import { type GivenLiveEdits, layLiveEdits, parseLiveEdits } from '../model/live-edit-policy.ts'
import { isPruneMode } from '../model/removal.ts'
import { layRisk } from '../model/risk.ts'
import { definedMembers } from '../model/text/defined-members.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import type { SchemaFiles } from '../policies/check-policy.ts'
import { type NamedPolicy, plannedIn, policiesIn } from '../policies/written-policies.ts'

/** A target for declarations. */
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
    /** The program that prints the key, and its arguments. */
    readonly apiKeyCommand?: readonly string[]
  }
  readonly policy: Policy
  readonly policies: readonly NamedPolicy[]
  /** The UUIDs of roles, by name. */
  readonly roles: Readonly<Record<string, string>>
  /** Values of objects that are never shown or recorded. */
  readonly redact?: readonly RedactedPart[]
  /** Whether members that mean tags are stored as tags in the service. */
  readonly liveTags: boolean
  /** The numbers of cohorts, by name. */
  readonly cohorts: Readonly<Record<string, number>>
  /** The numbers of group types, by name. */
  readonly groupTypes: Readonly<Record<string, number>>
  /** The branch, tag or commit that is reconciled. */
  readonly revision?: string
  readonly pace?: Pace
}

/** The most requests that all runners together send with one key. */
export interface Pace {
  readonly perMinute?: number
  readonly perHour?: number
}

/** The content of `vexil.yaml`. */
export interface Settings {
  /** In the order of the file; empty for a repository without environments. */
  readonly environments: readonly (Environment & { readonly name: string })[]
  /** The values for environments that do not override them. */
  readonly shared: Environment
  /** The file with more environments; it contains no declarations. */
  readonly environmentsFrom?: string
  /** Globs of the declaration files. */
  readonly files?: readonly string[]
  /** Where records of runs are shared; if absent, they stay in the folder. */
  readonly runs?: SharedRuns
  /** The address of the database that all runners share. */
  readonly store?: string
  readonly notify?: Notify
  /** Defaults for the declarations of some files, in the order of the settings. */
  readonly defaults?: readonly FileDefaults[]
}

/** The ref with the shared records of runs, and its remote unless it is the default. */
export interface SharedRuns {
  readonly ref: string
  readonly remote?: string
}

/** The webhook for changes of state. */
export interface Notify {
  /** The environment variable that holds its address. */
  readonly urlEnv: string
  readonly on: readonly NotifiedState[]
  readonly format?: NotificationFormat
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

/** Reads valid settings; `schemas` are those of their policies, `versions` parses SDK versions. */
export function toSettings(value: JsonObject, schemas?: SchemaFiles, versions?: ReadVersions): Settings {
  const environments = Object.entries(objectAt(value, 'environments')).map(([name, own]) => ({
    ...toEnvironment(value, isJsonObject(own) ? own : {}, schemas, versions),
    name,
  }))
  const { ref, remote } = objectAt(value, 'runs')
  const { defaults = null } = value
  const notify = objectAt(value, 'notify')
  return {
    environments,
    shared: toEnvironment(value, {}, schemas, versions),
    environmentsFrom: textIn(value.environments_from),
    files: textsIn(value.files),
    runs: typeof ref === 'string' ? { ref, remote: textIn(remote) } : undefined,
    store: textIn(value.store),
    notify: notify.url_env === undefined ? undefined : notifyIn(notify),
    defaults: isJsonArray(defaults) ? defaults.flatMap(defaultsIn) : undefined,
  }
}

function notifyIn({ url_env: variable, on, format }: JsonObject): Notify {
  const states = textsIn(on)
  return {
    urlEnv: idIn(variable) ?? '',
    on: notifiedStates.filter(state => states?.includes(state) ?? true),
    format: notificationFormats.find(each => each === format),
  }
}

/** Skips invalid values, which the schema has reported. */
function defaultsIn(value: Json): FileDefaults[] {
  if (!isJsonObject(value) || typeof value.files !== 'string' || value.files === '') return []
  const { files, owner, expires, tags, only, protect, permanent, allow } = value
  const given = {
    owner: textIn(owner),
    expires: textIn(expires),
    tags: textsIn(tags),
    only: textsIn(only),
    protect: typeof protect === 'boolean' ? protect : undefined,
    permanent: typeof permanent === 'boolean' ? permanent : undefined,
    allow: textsIn(allow),
    liveEdits: parseLiveEdits(value.live_edits),
  }
  return [{ files, ...definedMembers(given) }]
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function textsIn(list: Json | undefined): readonly string[] | undefined {
  return list !== undefined && isJsonArray(list) ? list.filter(one => typeof one === 'string') : undefined
}

/** The environments that declarations are checked in: all of them, or the one without a name. */
export function environmentsOf(settings: Settings): readonly Environment[] {
  return settings.environments.length > 0 ? settings.environments : [settings.shared]
}

/** The possible services of an environment, or of all environments; a `stated` service applies to each. */
export function servicesIn(
  environments: readonly Environment[],
  stated: string | undefined,
  name: string | undefined,
): Services {
  const meant = environments.filter(environment => name === undefined || environment.name === name)
  return servicesOf(stated ? [stated] : meant.map(({ connection }) => connection.profile), sdksOf(meant))
}

/** The SDKs of all environments, in each version that one of them uses. */
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
  environment: JsonObject,
  schemas?: SchemaFiles,
  versions?: ReadVersions,
): Environment {
  const own = (name: string) => environment[name] ?? shared[name]
  const both = (name: string) => ({ ...objectAt(shared, name), ...objectAt(environment, name) })
  const { ownership, limits } = { ownership: both('ownership'), limits: both('limits') }
  const [groupTypes, cohorts] = [numbersIn(both('group_types')), numbersIn(both('cohorts'))]
  const policies = [objectAt(shared, 'policies'), objectAt(environment, 'policies')] as const
  const { profile, base_url: baseUrl, project, organization, api_key_env: apiKeyEnv } = environment
  // A variable of the environment wins over a command for all environments.
  const command = apiKeyEnv === undefined ? own('api_key_command') : undefined
  const { per_minute: perMinute, per_hour: perHour } = both('pace')
  return {
    connection: definedMembers({
      baseUrl: idIn(baseUrl),
      project: idIn(project),
      organization: idIn(organization),
      profile: isProfileSetting(profile) ? profile : undefined,
      parallelism: numberIn(own('parallelism')),
      apiKeyEnv: idIn(apiKeyEnv),
      apiKeyCommand: textsIn(command),
    }),
    policy: {
      ownership: {
        tag: idIn(ownership.tag),
        prune: isPruneMode(ownership.prune) ? ownership.prune : defaultPolicy.ownership.prune,
      },
      limits: {
        delete: numberIn(limits.delete) ?? defaultPolicy.limits.delete,
        rolloutStep: numberIn(limits.rollout_step),
      },
      allow: (textsIn(own('allow')) ?? []).filter(isGuardRule).map(rule => ({ rule })),
      liveEdits: liveEditsIn(shared, environment),
      risk: layRisk(layRisk(defaultPolicy.risk, shared.risk), environment.risk),
      groupTypes: Object.keys(groupTypes).length > 0 ? groupTypes : undefined,
      cohorts: Object.keys(cohorts).length > 0 ? cohorts : undefined,
      planned: plannedIn(...policies),
      sdks: sdksIn(versions, shared.sdks, environment.sdks),
    },
    redact: textsIn(own('redact'))?.filter(isRedactedPart),
    policies: policiesIn(...policies, schemas),
    liveTags: own('live_tags') !== false,
    roles: mapValues(both('roles'), id => textIn(id)?.toLowerCase()),
    cohorts,
    groupTypes,
    revision: textIn(own('revision')),
    pace:
      perMinute === undefined && perHour === undefined
        ? undefined
        : definedMembers({ perMinute: numberIn(perMinute), perHour: numberIn(perHour) }),
  }
}

type ReadVersions = (texts: Readonly<Record<string, string>>) => SdkVersions

/** The SDKs that are used; an environment may override the version of an SDK. */
function sdksIn(
  versions: ReadVersions | undefined,
  ...layers: readonly (Json | undefined)[]
): SdkVersions | undefined {
  const given = layers.filter(layer => layer !== undefined && isJsonObject(layer))
  if (given.length === 0) return undefined
  return versions?.(mapValues(Object.assign({}, ...given), textIn))
}

function numbersIn(named: JsonObject): Record<string, number> {
  return mapValues(named, numberIn)
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function mapValues<Value>(map: JsonObject, read: (value: Json) => Value | undefined): Record<string, Value> {
  const entries = Object.entries(map).flatMap(([name, value]) => {
    const fitting = read(value)
    return fitting === undefined ? [] : [[name, fitting] as const]
  })
  return Object.fromEntries(entries)
}

/** An environment's own values override the values for all environments, and those override the defaults. */
function liveEditsIn(shared: JsonObject, own: JsonObject): Policy['liveEdits'] {
  return [shared, own].reduce((policy, layer) => {
    const automation = textsIn(objectAt(layer, 'live_edits').automation)
    return {
      ...layLiveEdits(policy, parseLiveEdits(layer.live_edits)),
      ...(automation ? { automation } : {}),
    }
  }, defaultPolicy.liveEdits)
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const member = value[name]
  return isJsonObject(member) ? member : {}
}

/** Ids may be written as numbers; they are text everywhere else. */
function idIn(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
