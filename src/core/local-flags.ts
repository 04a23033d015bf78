import { featureFlag } from '../kinds/index.ts'
import { type Profile, profileNamed } from '../model/connection.ts'
import { writableFields } from '../model/kind.ts'
import { isJsonObject, type Json, type JsonObject, pickMembers } from '../model/text/json.ts'
import { meantHint } from '../model/text/names.ts'
import type { OwnAdditions, WorldFlag, WorldProject } from '../schema/world-schema.ts'
import { variantKeys } from '../targeting/release.ts'
import type { Declarations, Desired } from './desired.ts'
import { renamedFields } from './flag-links.ts'

type KnownFlag = JsonObject & { readonly id: number; readonly key: string }

/** The live state, which declarations are laid over. */
export interface LiveProject extends Pick<WorldProject, 'cohorts' | 'group_types'> {
  readonly flags: readonly KnownFlag[]
}

const liveFields = ['id', 'key', ...writableFields(featureFlag)]

/** From the records of flags, and the definitions for local evaluation; null if these could not be read. */
export function liveProject(records: readonly JsonObject[], definitions: Json): LiveProject {
  const present = records.filter(({ archived, deleted }) => archived !== true && deleted !== true)
  const { cohorts, group_type_mapping: types } = isJsonObject(definitions) ? definitions : {}
  return {
    // Every flag has an id and a key.
    flags: present.map(record => pickMembers(record, (_, name) => liveFields.includes(name)) as KnownFlag),
    cohorts: Object.entries(isJsonObject(cohorts) ? cohorts : {}).map(([id, properties]) => ({
      id: Number(id),
      name: `cohort ${id}`,
      ...(isJsonObject(properties) ? { properties } : {}),
    })),
    group_types: Object.values(isJsonObject(types) ? types : {}).map(String),
  }
}

export interface LocalSource {
  readonly name: string
  readonly declarations: Declarations
  /** The numbers of group types, by name. */
  readonly groupTypes: Readonly<Record<string, number>>
}

/**
 * The declared flags of one environment as a project that a sandbox can serve. A flag keeps its id as long as
 * this object lives, because SDKs know flags by it. Declared fields win over live ones.
 */
export class LocalFlags {
  readonly #ids = new Map<string, number>()
  readonly #live: LiveProject | undefined

  constructor(live?: LiveProject) {
    this.#live = live
    for (const { key, id } of live?.flags ?? []) this.#ids.set(key, id)
  }

  /** Throws a `RangeError` if a value is for an unknown flag, or a flag does not have it. */
  project({ name, declarations, groupTypes }: LocalSource, own: OwnAdditions): WorldProject {
    const flags = this.#flags(declarations)
    const { set = {}, persons, groups, cohorts = [] } = own
    for (const key of Object.keys(set)) {
      const keys = flags.map(flag => flag.key)
      if (!keys.includes(key))
        throw new RangeError(`there is no flag "${key}" to set; ${meantHint(key, keys, 'declare it first')}`)
    }
    const valued = (flag: (typeof flags)[number]) => {
      const value = Object.hasOwn(set, flag.key) ? set[flag.key] : undefined
      return value === undefined ? flag : withValue(flag, String(value))
    }
    return {
      name,
      group_types: namesByNumber(groupTypes, this.#live?.group_types),
      ...(persons && { persons }),
      ...(groups && { groups }),
      cohorts: [
        ...(this.#live?.cohorts ?? []).filter(({ id }) => !cohorts.some(one => one.id === id)),
        ...cohorts,
      ],
      // The declared fields of a flag are those of a world.
      feature_flags: flags.map(flag => valued(flag) as WorldFlag),
    }
  }

  #flags({ desired }: Declarations): readonly (JsonObject & { readonly key: string })[] {
    const declared = desired.filter(({ kind }) => kind === featureFlag.name)
    const present = declared.filter(({ ensure }) => ensure === 'present')
    for (const key of present.map(keyOf)) if (!this.#ids.has(key)) this.#ids.set(key, this.#nextId())
    const keys = new Set(declared.flatMap(flag => [flag.identity, keyOf(flag)]))
    const live = new Map(this.#live?.flags.map(flag => [flag.key, flag]))
    return [
      ...[...live.values()].filter(({ key }) => !keys.has(key)),
      ...present.map(flag => ({
        ...(live.get(flag.identity) ?? live.get(keyOf(flag))),
        ...this.#fieldsOf(flag),
        key: keyOf(flag),
        id: this.#ids.get(keyOf(flag)) ?? 0,
      })),
    ]
  }

  #nextId(): number {
    return Math.max(0, ...this.#ids.values()) + 1
  }

  /** The service knows flags in conditions by their ids. */
  #fieldsOf({ fields }: Desired): JsonObject {
    return renamedFields(featureFlag, fields, (_, name) => String(this.#ids.get(name) ?? name))
  }
}

/** SDKs ask the newest service, unless the environment has another one. */
export function localProfile(setting: string | undefined): Profile {
  return profileNamed(setting) ?? 'posthog-2026'
}

function keyOf({ identity, renamedTo = identity }: Desired): string {
  return renamedTo
}

function namesByNumber(numbers: LocalSource['groupTypes'], live: readonly string[] = []): string[] {
  const names = new Map([
    ...live.map((name, at) => [at, name] as const),
    ...Object.entries(numbers).map(([name, number]) => [number, name] as const),
  ])
  const count = Math.max(-1, ...names.keys()) + 1
  return Array.from({ length: count }, (_, at) => names.get(at) ?? `type ${at}`)
}

/** A flag that gives everybody one value: off, on, or a variant. Throws a `RangeError` for any other value. */
export function withValue<F extends JsonObject & { readonly key: string }>(flag: F, value: string): F {
  if (value === 'false') return { ...flag, active: false }
  const { multivariate = null, payloads = {} } = isJsonObject(flag.filters) ? flag.filters : {}
  const variants = variantKeys({ multivariate })
  const values = variants.length === 0 ? ['true'] : variants
  if (!values.includes(value)) {
    const hint = meantHint(value, values, `there are: ${['false', ...values].join(', ')}`)
    throw new RangeError(`"${flag.key}" cannot have the value "${value}"; ${hint}`)
  }
  const everybody: JsonObject = {
    properties: [],
    rollout_percentage: 100,
    ...(variants.length === 0 ? {} : { variant: value }),
  }
  // Without the other members: holdouts, types of groups and opted-in people would come first.
  const filters: JsonObject = { groups: [everybody], multivariate, payloads }
  return { ...flag, active: true, ensure_experience_continuity: false, filters }
}
