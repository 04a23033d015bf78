import { parse } from 'yaml'
import { guardRules, objectGuards } from '../../src/model/guard-rules.ts'
import type { Existing, Scene } from './scene.ts'
import { growth, organization, support } from './scenes/world.ts'

/** JSON without the numbers that no double has. */
export type Plain = null | boolean | number | string | readonly Plain[] | PlainObject
export interface PlainObject {
  readonly [member: string]: Plain
}

/** What the files of a scene declare, in Terraform's words. */
export interface Configuration {
  readonly provider: PlainObject
  /** Flags that are not declared and are granted to somebody, by name: their keys. */
  readonly knownFlags: Readonly<Record<string, string>>
  readonly resources: readonly ResourceBlock[]
}

export interface ResourceBlock {
  readonly type: ResourceType
  readonly name: string
  readonly values: PlainObject
  /** Of a grant: the resource or the data source of its flag. */
  readonly flag?: { readonly declared: string } | { readonly known: string }
  /** Of what is live already: what an import block says. */
  readonly importId?: string
  readonly lifecycle?: PlainObject
}

export type ResourceType =
  `vexil_${'feature_flag' | 'feature_flag_role_access' | 'plugin' | 'event_definition'}`

/**
 * Translates the files of a scene. What Terraform has no word for is left out: objects that are to be absent, other
 * environments, files with a broken syntax. Mistakes in values are kept.
 */
export function configurationOf(scene: Scene, position: number): Configuration {
  const existing = scene.existing ?? ({ 1: 'adopted', 3: 'refused' } as const)[position % 6] ?? 'imported'
  const sections = Object.entries(scene.files).flatMap(([name, text]) =>
    name.endsWith('.yaml') && name !== 'vexil.yaml' ? [documentIn(text)] : [],
  )
  const all = (name: string) => sections.flatMap(section => membersOf(section[name]))
  const live = liveIn(scene)
  const names = new Map<string, number>()
  const nameFor = (text: string) => {
    const plain = `r_${text.replaceAll(/[^A-Za-z0-9_]/g, '_')}`
    const before = names.get(plain) ?? 0
    names.set(plain, before + 1)
    return before === 0 ? plain : `${plain}_${before + 1}`
  }
  const flags = all('feature_flags').flatMap(([key, said], index) =>
    said.ensure === 'absent' ? [] : [flagBlock(nameFor(key), key, said, index, live, existing)],
  )
  const declared = new Map(flags.map(({ name, values }) => [values.key, name]))
  const knownFlags = new Map<string, string>()
  const grantBlock = (flag: string, role: Plain | undefined): ResourceBlock => {
    const own = declared.get(flag)
    const known = knownFlags.get(flag) ?? nameFor(flag)
    if (own === undefined) knownFlags.set(flag, known)
    const roleId = { support, growth }[String(role)] ?? role ?? null
    return {
      type: 'vexil_feature_flag_role_access',
      name: nameFor(`${flag}_${String(role)}`),
      values: { role_id: roleId, ...(existing === 'refused' ? {} : { adopt: true }) },
      flag: own === undefined ? { known } : { declared: own },
    }
  }
  const grants = [
    ...all('feature_flags').flatMap(([key, { ensure, role_access: roles }]) =>
      ensure === 'absent' || !Array.isArray(roles) ? [] : roles.map(role => grantBlock(key, role)),
    ),
    ...sections
      .flatMap(({ feature_flag_role_access: list }) => (Array.isArray(list) ? list.map(objectOf) : []))
      .flatMap(({ flag, role, ensure }) => (ensure === 'absent' ? [] : [grantBlock(String(flag), role)])),
  ]
  const plugins = all('plugins').flatMap(([name, said]) =>
    said.ensure === 'absent' ? [] : [pluginBlock(nameFor(name), name, said, scene, live, existing)],
  )
  const definitions = all('event_definitions').flatMap(([name, said]) =>
    said.ensure === 'absent' ? [] : [definitionBlock(nameFor(name), name, said)],
  )
  const resources = [...flags, ...grants, ...plugins, ...definitions]
  return {
    provider: providerOf(scene),
    knownFlags: Object.fromEntries([...knownFlags].map(([key, name]) => [name, key])),
    resources: resources.length > 0 ? resources : [nothingElse],
  }
}

/** The same after somebody has worked on it: a flag has another key, others another name, and the last object is gone. */
export function changedConfiguration({ resources, ...others }: Configuration): Configuration {
  return {
    ...others,
    resources: resources.slice(0, -1).map((block, index) => {
      if (block.type !== 'vexil_feature_flag') return block
      const { key, name } = block.values
      const more: PlainObject =
        index === 0 ? { key: `${key}_renamed` } : { name: `${name ?? key} changed`, tags: ['changed'] }
      return { ...block, values: { ...block.values, ...more } }
    }),
  }
}

/** Terraform and Vexil have nothing to ask of a service for a configuration without resources. */
const nothingElse: ResourceBlock = {
  type: 'vexil_feature_flag',
  name: 'r_instead',
  values: { key: 'instead', active: false },
}

function providerOf({ files, env = {} }: Scene): PlainObject {
  const settings = documentIn(files['vexil.yaml'] ?? '')
  const tag = objectOf(settings.ownership).tag
  const isPlaceUnknown = 'VEXIL_BASE_URL' in env && env.VEXIL_BASE_URL === undefined
  return {
    ...(tag === undefined ? {} : { default_tags: [tag] }),
    ...(isPlaceUnknown ? { base_url: 'SERVICE', project_id: '1', organization_id: organization } : {}),
  }
}

interface LiveNames {
  readonly flags: ReadonlySet<string>
  readonly plugins: ReadonlySet<string>
}

function liveIn({ world }: Scene): LiveNames {
  const [organization] = world.organizations
  const project = organization?.projects?.find(({ id }) => id === 1)
  return {
    flags: new Set(project?.feature_flags?.flatMap(({ key, deleted }) => (deleted ? [] : [key]))),
    plugins: new Set(organization?.plugins?.map(({ name }) => String(name))),
  }
}

function flagBlock(
  name: string,
  key: string,
  said: PlainObject,
  index: number,
  live: LiveNames,
  existing: Existing,
): ResourceBlock {
  const { filters, rollback_conditions: rollback, protect, ignore, allow } = said
  const isLive = live.flags.has(key)
  const simple = ['name', 'active', 'tags', 'ensure_experience_continuity'].flatMap(field =>
    said[field] === undefined ? [] : [[field, said[field]] as const],
  )
  const isTyped = index % 2 === 1
  const lifecycle = {
    ...(protect === true ? { prevent_destroy: true } : {}),
    ...(Array.isArray(ignore) && ignore.includes('/tags') ? { ignore_changes: ['tags', 'tags_all'] } : {}),
  }
  return {
    type: 'vexil_feature_flag',
    name,
    values: {
      key,
      ...Object.fromEntries(simple),
      ...(filters === undefined
        ? {}
        : ((isTyped ? typedFilters(filters) : undefined) ?? { filters: JSON.stringify(filters) })),
      ...(rollback === undefined ? {} : { rollback_conditions: JSON.stringify(rollback) }),
      ...allowed(allow),
      ...(isLive && existing === 'adopted' ? { adopt: true } : {}),
    },
    ...(isLive && existing === 'imported' ? { importId: key } : {}),
    ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
  }
}

/** Without the guards that only a repository has. */
function allowed(rules: Plain | undefined): PlainObject {
  const others: readonly Plain[] = guardRules.filter(rule => !objectGuards().includes(rule))
  const left = Array.isArray(rules) ? rules.filter((rule: Plain) => !others.includes(rule)) : []
  return left.length > 0 ? { allow: left } : {}
}

/** Filters as the typed attributes say them; undefined where they have no word for something. */
function typedFilters(filters: Plain): PlainObject | undefined {
  const {
    groups,
    multivariate,
    payloads,
    aggregation_group_type_index: groupType,
    early_exit: earlyExit,
    ...more
  } = objectOf(filters)
  if (!Array.isArray(groups) || Object.keys(more).length > 0) return undefined
  const variants = objectOf(multivariate).variants
  const payloadOf = objectOf(payloads)
  return {
    release: groups.map(objectOf).map(({ properties, aggregation_group_type_index: own, ...condition }) => ({
      ...condition,
      ...(own === undefined ? {} : { group_type_index: own }),
      ...(Array.isArray(properties)
        ? {
            properties: properties.map(objectOf).map(({ value, ...property }) => ({
              ...property,
              ...(Array.isArray(value) ? { values: value.map(String) } : {}),
              ...(value === undefined || Array.isArray(value) ? {} : { value: String(value) }),
            })),
          }
        : {}),
    })),
    ...(Array.isArray(variants)
      ? {
          variants: variants.map(objectOf).map(variant => {
            const payload = payloadOf[String(variant.key)]
            return { ...variant, ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }) }
          }),
        }
      : {}),
    ...(payloadOf.true === undefined ? {} : { payload: JSON.stringify(payloadOf.true) }),
    ...(groupType === undefined ? {} : { group_type_index: groupType }),
    ...(earlyExit === undefined ? {} : { early_exit: earlyExit }),
  }
}

function pluginBlock(
  name: string,
  called: string,
  said: PlainObject,
  { files }: Scene,
  live: LiveNames,
  existing: Existing,
): ResourceBlock {
  const { source, config_schema: schema, public_jobs: jobs, id, allow: _, ensure: __, ...fields } = said
  const texts = Object.entries(objectOf(source)).flatMap(([file, content]) => {
    if (content === null) return []
    const path = objectOf(content).file
    return [[file, path === undefined ? (content ?? '') : (files[String(path)] ?? '')] as const]
  })
  const isLive = live.plugins.has(called)
  return {
    type: 'vexil_plugin',
    name,
    values: {
      name: called,
      ...fields,
      ...(schema === undefined ? {} : { config_schema: JSON.stringify(schema) }),
      ...(jobs === undefined ? {} : { public_jobs: JSON.stringify(jobs) }),
      ...(texts.length === 0 ? {} : { source: Object.fromEntries(texts) }),
      ...(isLive && existing === 'adopted' ? { adopt: true } : {}),
    },
    ...(isLive && existing === 'imported' ? { importId: id === undefined ? called : String(id) } : {}),
  }
}

function definitionBlock(name: string, called: string, said: PlainObject): ResourceBlock {
  const { ensure: _, ...fields } = said
  return { type: 'vexil_event_definition', name, values: { name: called, ...fields } }
}

function documentIn(text: string): PlainObject {
  try {
    // The files of scenes hold what JSON can say.
    return objectOf(parse(text, { uniqueKeys: false, logLevel: 'silent' }) as Plain)
  } catch {
    return {}
  }
}

function membersOf(section: Plain | undefined): readonly (readonly [string, PlainObject])[] {
  return Object.entries(objectOf(section)).map(([name, said]) => [name, objectOf(said)])
}

function objectOf(json: Plain | undefined): PlainObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as PlainObject) : {}
}
