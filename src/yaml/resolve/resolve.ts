import type { Declarations, Desired, LiveOnly } from '../../core/desired.ts'
import { kindBelow } from '../../kinds/index.ts'
import { tagMemberNames, tagOfMember } from '../../model/field.ts'
import { isGuardRule } from '../../model/guard-rules.ts'
import { hasTargeting, objectAddress, targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { definedMembers } from '../../model/text/defined-members.ts'
import { pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { liveOnlyIn } from '../check/check-declaration.ts'
import { quote } from '../check/problem-order.ts'
import { checkFile } from '../check/schema-problem.ts'
import {
  type DeclarationFile,
  type DefaultPlace,
  type FileDeclarations,
  type GrantDeclaration,
  ignorePointer,
  isAudienceAddress,
  type Layer,
  type ObjectDeclaration,
  readAudiences,
  readDeclarations,
  saysOnlyFields,
} from '../declaration.ts'
import type { Finder } from '../read/find-files.ts'
import type { ParsedYaml } from '../read/parse-yaml.ts'
import type { Environment, FileDefaults, Settings } from '../settings.ts'
import { type DeclaredTests, type FileFixtures, noFixtures, readFixtures } from './declared-tests.ts'
import { failureProblem, interpolate, type Variables } from './interpolate.ts'
import {
  belongsTo,
  effectiveIn,
  fieldPointer,
  fieldsFromEnvironment,
  isMergedMember,
  isSkipped,
  layersIn,
  resolveRole,
} from './layers.ts'

export interface TakenApart {
  readonly declared: FileDeclarations
  readonly audiences: readonly ObjectDeclaration[]
  readonly fixtures: FileFixtures
  readonly problems: readonly Problem[]
  /** Whether a variable is not set, perhaps one of another environment. */
  readonly isUnfilled?: boolean
}

/** Parses one file, without the other files. Variables of other environments may be unset. */
export function parseDeclarations(
  parsed: ParsedYaml,
  {
    env,
    keyNames,
    defaults,
  }: {
    readonly env: Variables
    readonly keyNames: readonly string[]
    readonly defaults?: Defaults | undefined
  },
  chosen: string | undefined,
): TakenApart {
  if (parsed.value === undefined) {
    return {
      declared: { objects: [], grants: [] },
      audiences: [],
      fixtures: noFixtures,
      problems: parsed.problems,
    }
  }
  // Replacing variables visits every value, and few files use variables. A backslash may hide the dollar
  // sign.
  const asks = parsed.text.includes('${') || parsed.text.includes('\\')
  const { value, failures, secrets } = asks
    ? interpolate(parsed.value, env, keyNames)
    : { value: parsed.value, failures: [], secrets: new Map<string, string>() }
  const unfilled = new Set(failures.map(({ pointer }) => pointer))
  const file: DeclarationFile = { parsed, value, secrets, unfilled }
  const [declared, audiences] = [withDefaults(readDeclarations(file), defaults), readAudiences(file)]
  const { objects, grants } = declared
  const concerns =
    chosen === undefined
      ? () => true
      : concernsEnvironment({ objects: [...objects, ...audiences], grants }, chosen)
  const unset = failures
    // A value that only defines anchors is not used itself; where it is used, the alias is found.
    .filter(({ pointer }) => !pointer.startsWith('/x-'))
    .filter(({ pointer }) => concerns(pointer))
    .map(failure => failureProblem(failure, parsed))
  const violations = checkFile(file)
  return {
    declared,
    audiences,
    fixtures: readFixtures(file),
    problems: [...parsed.problems, ...unset, ...violations],
    isUnfilled: failures.length > 0,
  }
}

/** Returns whether the value at a place in a file affects the declarations for an environment. */
function concernsEnvironment(
  { objects, grants }: FileDeclarations,
  environment: string,
): (pointer: string) => boolean {
  const grantAt = new Map(grants.map(grant => [grant.pointer, grant]))
  const objectAt = new Map(objects.map(declaration => [declaration.base.pointer, declaration]))
  return pointer => {
    const [section = '', name = '', ...inside] = segmentsOf(pointer)
    if (inside.length === 0) return true
    const around = pointerOf(section, name)
    const grant = grantAt.get(around)
    if (grant) return belongsTo(grant, environment)
    const declaration = objectAt.get(around)
    return !declaration || isUsed(declaration, inside, environment)
  }
}

function isUsed(declaration: ObjectDeclaration, inside: readonly string[], environment: string): boolean {
  if (!belongsTo(declaration, environment)) return false
  const override = declaration.environments.get(environment)
  const [member, name] = inside
  if (member === 'environments') return name === environment
  if (override === undefined) return true
  // An override replaces a whole member, so the replaced value is never used. The short form is merged
  // instead.
  const isReplaced =
    member !== undefined && member in override.members && !isMergedMember(declaration.kind, member)
  return !override.skip && !isReplaced
}

/** The defaults for declarations of a file, and their places in the settings. */
interface Defaults extends Omit<FileDefaults, 'files'> {
  readonly places: ReadonlyMap<string, DefaultPlace>
}

/** Finds the defaults of the settings for a file: for each member, the last one whose glob matches. */
export interface DefaultsOfFiles {
  of(file: string): Defaults | undefined
  /** Globs that match none of the files. */
  problems(read: readonly string[]): readonly Problem[]
}

export async function findDefaults(
  finder: Finder,
  { defaults = [] }: Settings,
  parsed: ParsedYaml | undefined,
): Promise<DefaultsOfFiles> {
  if (defaults.length === 0 || !parsed) return { of: () => undefined, problems: () => [] }
  const entries = await Promise.all(
    defaults.map(async ({ files: glob, ...given }, index) => {
      const at = (member: string) => pointerOf('defaults', index, member)
      const places = Object.keys(given)
        .map(name => (name === 'liveEdits' ? 'live_edits' : name))
        .map(name => [name, { parsed, pointer: at(name) }] as const)
      const { files } = await finder.find(glob)
      return {
        glob,
        given,
        places,
        source: parsed.locate(at('files')),
        files: new Set(files.map(({ name }) => name)),
      }
    }),
  )
  return {
    of: file => {
      const fitting = entries.filter(({ files }) => files.has(file))
      if (fitting.length === 0) return undefined
      const given: Omit<FileDefaults, 'files'> = Object.assign({}, ...fitting.map(entry => entry.given))
      return { ...given, places: new Map(fitting.flatMap(({ places }) => places)) }
    },
    problems: read =>
      entries
        .filter(({ files }) => !read.some(file => files.has(file)))
        .map(({ glob, source }) => ({
          code: 'unused-default',
          severity: 'warning',
          message: `${quote(glob)} does not match any file of declarations`,
          hint: 'correct or remove the glob; a glob is relative to vexil.yaml',
          source,
        })),
  }
}

/** The same declarations with defaults for missing values. Declared values have priority, also null. */
function withDefaults(declared: FileDeclarations, defaults: Defaults | undefined): FileDeclarations {
  if (!defaults) return declared
  return {
    objects: declared.objects.map(one => withObjectDefaults(one, defaults)),
    grants: declared.grants.map(grant => withPlaces(grant, defaults)),
  }
}

function withObjectDefaults(declaration: ObjectDeclaration, defaults: Defaults): ObjectDeclaration {
  const { kind, base } = declaration
  const { protect, permanent, allow, liveEdits, tags, owner, expires, places } = defaults
  const hasTags = kind.lifecycle.ownedBy !== undefined
  const isFlag = hasTargeting(kind)
  const members = hasTags
    ? { ...(owner === undefined ? {} : { owner }), ...(expires === undefined ? {} : { expires }) }
    : {}
  return {
    ...withPlaces(declaration, defaults),
    base: {
      ...base,
      ...(protect === undefined || base.protect !== undefined ? {} : { protect }),
      ...(!isFlag || permanent === undefined || base.permanent !== undefined ? {} : { permanent }),
      ...(allow === undefined || base.allow !== undefined ? {} : { allow }),
      ...(liveEdits === undefined || base.liveEdits !== undefined ? {} : { liveEdits }),
      ...(Object.keys(members).length === 0 ? {} : { tagMembers: { ...members, ...base.tagMembers } }),
    },
    defaults: {
      places: without(places, [...(hasTags ? [] : ofTags), ...(isFlag ? [] : ofFlags)]),
      ...(hasTags && tags !== undefined ? { tags } : {}),
    },
  }
}

const ofTags = ['tags', ...tagMemberNames]
const ofFlags = ['permanent']

function without(places: Defaults['places'], names: readonly string[]): Defaults['places'] {
  return new Map([...places].filter(([name]) => !names.includes(name)))
}

/** Limits declarations to environments, unless they have their own limits. */
function withPlaces<Declaration extends ObjectDeclaration | GrantDeclaration>(
  declaration: Declaration,
  { only }: Defaults,
): Declaration {
  if (only === undefined || declaration.only !== undefined) return declaration
  return { ...declaration, only: new Map(only.map((name, index) => [name, index])), isOnlyByDefault: true }
}

/** The text of a file that a declaration refers to; undefined if it does not exist. */
export type TextOfFile = (declaration: ObjectDeclaration, path: string) => string | undefined

/** A declared value, and its position: the caller computes the line if needed. */
export interface Placed<Declared> {
  readonly declared: Declared
  readonly file: DeclarationFile
  readonly pointer: string
  readonly at: 'key' | 'value'
}

export interface ResolveOptions {
  /** The problems, including those that only a plan can decide. */
  readonly problems?: readonly Problem[]
  /** Without them, flags have no tests. */
  readonly tests?: DeclaredTests | undefined
}

/** Everything that the files of a repository declare for one environment, in written order. */
export function resolveDeclarations(
  files: readonly FileDeclarations[],
  environment: Environment,
  textOfFile: TextOfFile,
  { problems = [], tests }: ResolveOptions = {},
): Declarations {
  const conditional = new Set(problems.flatMap(problem => (problem.conditional ? [problem.address] : [])))
  const isAudienceAmong = [...conditional].some(
    address => address !== undefined && isAudienceAddress(address),
  )
  const breaksRules: BreaksRules = (address, { expanded }) =>
    conditional.has(address) || (isAudienceAmong && expanded !== undefined && expanded.audiences.length > 0)
  const owning = files.flatMap(({ objects }) => objects.flatMap(one => ownedGrants(one, environment)))
  const roles = Object.entries(environment.roles)
  const skipped = files.flatMap(({ objects }) => objects.filter(one => isSkipped(one, environment)))
  return {
    desired: placeDesired(files, environment, textOfFile, { breaksRules, tests }).map(withSource),
    ownedGrants: owning.map(withSource),
    ...(roles.length > 0 ? { roleNames: new Map(roles.map(([name, id]) => [id.toLowerCase(), name])) } : {}),
    ...(skipped.length > 0 ? { skipped: skipped.map(nameOnly) } : {}),
  }
}

/** Whether a layer, or an audience of it, has a value that is only valid if it is already live. */
type BreaksRules = (address: string, layer: Layer) => boolean

interface PlaceOptions extends Pick<ResolveOptions, 'tests'> {
  readonly breaksRules?: BreaksRules
}

/** The declared objects, each with its position. */
export function placeDesired(
  files: readonly FileDeclarations[],
  environment: Environment,
  textOfFile: TextOfFile,
  { breaksRules = () => false, tests }: PlaceOptions = {},
): Placed<Desired>[] {
  return files.flatMap(({ objects, grants }) => [
    ...objects.flatMap(one => resolveObject(one, environment, textOfFile, { breaksRules, tests })),
    ...grants.flatMap(grant => resolveGrant(grant, environment)),
  ])
}

/** The minimum to recognize the object, so that it is not changed. */
function nameOnly({ address, kind, identity }: ObjectDeclaration): Desired {
  return { address, kind: kind.name, identity, ensure: 'present', fields: {} }
}

function withSource<Declared>({ declared, file, pointer, at }: Placed<Declared>): Declared {
  return { ...declared, source: file.parsed.locate(pointer, at) }
}

function resolveObject(
  declaration: ObjectDeclaration,
  environment: Environment,
  textOfFile: TextOfFile,
  { breaksRules = () => false, tests }: PlaceOptions,
): Placed<Desired>[] {
  const effective = effectiveIn(declaration, environment)
  if (!effective) return []
  const { kind, identity, address, base, file, defaults } = declaration
  const { layer, ensure } = effective
  const place = { file, pointer: base.pointer, at: 'key' } as const
  const { id, protect, sensitive, liveEdits, allow, tagMembers = {} } = layer
  const owner = tagMembers.owner ?? undefined
  const allowed = allow?.filter(isGuardRule)
  const known = { id, protect, owner, liveEdits, sensitive: sensitive || undefined, allow: allowed }
  const name = { address, kind: kind.name, identity, ensure }
  if (ensure === 'absent') return [{ declared: { ...name, ...definedMembers(known), fields: {} }, ...place }]
  const liveOnly = breaksRules(address, layer) ? liveOnlyFor(declaration, environment) : []
  const tested = tests?.testsIn(declaration, environment) ?? []
  const fromEnvironment = fieldsFromEnvironment(declaration, layer, environment)
  const says = liveOnly.length + tested.length + fromEnvironment.length
  const { fields, files } = layer
  if (says === 0 && defaults === undefined && saysOnlyFields(layer))
    return [{ declared: { ...name, fields }, ...place }]
  const tags = environment.liveTags ? prefixedTags(layer) : []
  const more = {
    tags: defaults?.tags?.length ? defaults.tags : undefined,
    prefixedTags: tags.length > 0 ? tags : undefined,
    files: files && fileTexts(declaration, files, textOfFile),
    audiences: audiencesOf(layer),
    fromEnvironment: fromEnvironment.length > 0 ? fromEnvironment : undefined,
    tests: tested.length > 0 ? tested : undefined,
    liveOnly: liveOnly.length > 0 ? liveOnly : undefined,
  }
  const declared = { ...name, fields, ...definedMembers({ ...known, ...more }), ...ignoredIn(layer) }
  return [{ declared, ...place }, ...nestedGrants(declaration, layer, environment)]
}

/** The ignored places of a layer, and those among them that are written with an index. */
function ignoredIn(layer: Layer): Pick<Desired, 'ignore' | 'positions'> {
  if (!layer.ignore) return {}
  const written = layer.ignore.map(ignorePointer)
  const positions = written.filter(pointer => /\/\d/.test(pointer))
  const inFields = (pointers: readonly string[]) => pointers.map(pointer => fieldPointer(layer, pointer))
  return {
    ignore: inFields(written),
    ...(positions.length > 0 ? { positions: inFields(positions) } : {}),
  }
}

/** The tags for `owner` and similar members. */
export function prefixedTags({ tagMembers: members = {} }: Layer): string[] {
  return tagMemberNames.flatMap(name => {
    const value = members[name]
    return typeof value === 'string' ? [tagOfMember(name, value)] : []
  })
}

function audiencesOf({ expanded }: Layer): Desired['audiences'] {
  if (!expanded || expanded.audiences.length === 0) return undefined
  return expanded.audiences.map(({ condition, parts }) => ({ condition, parts }))
}

/** The effective filters come from the overrides, or from the declaration itself. */
function liveOnlyFor(declaration: ObjectDeclaration, { name }: Environment): LiveOnly[] {
  const targeting = targetingField(declaration.kind) ?? ''
  const layer = layersIn(declaration, name).find(({ fields }) => fields[targeting] !== undefined)
  return liveOnlyIn(declaration, layer ?? declaration.base)
}

function fileTexts(
  declaration: ObjectDeclaration,
  files: NonNullable<Layer['files']>,
  textOfFile: TextOfFile,
): Record<string, string | null> {
  const texts = Object.entries(files).flatMap(([name, text]) => {
    const read = text === null || typeof text === 'string' ? text : textOfFile(declaration, text.file)
    return read === undefined ? [] : [[name, read] as const]
  })
  return Object.fromEntries(texts)
}

function nestedGrants(
  declaration: ObjectDeclaration,
  layer: Layer,
  environment: Environment,
): Placed<Desired>[] {
  const { file, identity, kind } = declaration
  return (layer.roleAccess ?? []).flatMap(({ at, pointer: inside, ...role }) => {
    const declared = grantOf(kind.name, identity, role, 'present', environment)
    const pointer = `${roleAccessPointer(declaration, layer)}${inside}`
    return declared ? [{ declared: { ...declared, ...grantSettings(layer) }, file, pointer, at }] : []
  })
}

function ownedGrants(
  declaration: ObjectDeclaration,
  environment: Environment,
): Placed<Declarations['ownedGrants'][number]>[] {
  if (declaration.environments.size === 0 && !declaration.base.roleAccess) return []
  const effective = effectiveIn(declaration, environment)
  if (effective?.ensure !== 'present' || !effective.layer.roleAccess) return []
  const { file, identity } = declaration
  const pointer = roleAccessPointer(declaration, effective.layer)
  return [{ declared: { flag: identity, ...grantSettings(effective.layer) }, file, pointer, at: 'key' }]
}

/** The settings of a declaration for changes in the product apply to its grants as well. */
function grantSettings({ liveEdits, allow }: Layer): Pick<Desired, 'allow' | 'liveEdits'> {
  return {
    ...(allow?.includes('live_edit') ? { allow: ['live_edit'] } : {}),
    ...(liveEdits === undefined ? {} : { liveEdits }),
  }
}

/** The place of the effective list of roles: in the overrides, or in the declaration itself. */
export function roleAccessPointer(
  { base, environments }: ObjectDeclaration,
  layer: Pick<Layer, 'roleAccess'> | undefined,
): string {
  const written = [...environments.values()].find(({ roleAccess }) => roleAccess === layer?.roleAccess)
  return `${(written ?? base).pointer}/role_access`
}

function resolveGrant(grant: GrantDeclaration, environment: Environment): Placed<Desired>[] {
  if (!belongsTo(grant, environment.name)) return []
  const { kind, flag, ensure, file, pointer } = grant
  const declared = grantOf(kind.lifecycle.parent?.kind ?? '', flag, grant, ensure, environment)
  return declared ? [{ declared, file, pointer, at: 'value' }] : []
}

function grantOf(
  parentKind: string,
  flag: string,
  { role, level }: Pick<GrantDeclaration, 'role' | 'level'>,
  ensure: Desired['ensure'],
  environment: Environment,
): Desired | undefined {
  const kind = kindBelow(parentKind)
  const resolved = resolveRole(role, environment)
  if (!kind || !resolved) return undefined
  const { id, label } = resolved
  return {
    address: objectAddress(kind.name, label, flag),
    kind: kind.name,
    identity: id,
    ensure,
    // Without a level, a grant has no other values than its identity.
    fields: level === undefined || ensure === 'absent' ? {} : { [kind.lifecycle.levels?.field ?? '']: level },
    parent: { key: flag },
    label,
  }
}

/**
 * The declarations without those that an error is about.
 *
 * | an error                    | leaves out                                   |
 * |-----------------------------|----------------------------------------------|
 * | about one object            | that object                                  |
 * | about an audience           | every object that builds on an audience      |
 * | about a file, or a grant    | the objects of that file                     |
 * | about nothing in a file     | everything                                   |
 */
export function withoutBroken(
  declared: readonly FileDeclarations[],
  problems: readonly Problem[],
): readonly FileDeclarations[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.some(({ source }) => source === undefined)) return []
  const addresses = new Set(errors.flatMap(({ address }) => address ?? []))
  const isAudienceBroken = [...addresses].some(isAudienceAddress)
  const objects = new Set(declared.flatMap(file => file.objects.map(({ address }) => address)))
  const files = new Set(
    errors.flatMap(({ address, source }) =>
      address !== undefined && (objects.has(address) || isAudienceAddress(address))
        ? []
        : (source?.file ?? []),
    ),
  )
  const isWhole = (one: ObjectDeclaration) =>
    !files.has(one.file.parsed.file) &&
    !addresses.has(one.address) &&
    !(isAudienceBroken && usesAudience(one))
  const isWholeGrant = (grant: GrantDeclaration) =>
    !files.has(grant.file.parsed.file) &&
    !addresses.has(objectAddress(grant.kind.name, grant.role, grant.flag))
  return declared.map(file => ({
    objects: file.objects.filter(isWhole),
    grants: file.grants.filter(isWholeGrant),
  }))
}

function usesAudience({ base, environments }: ObjectDeclaration): boolean {
  return [base, ...environments.values()].some(({ expanded }) => (expanded?.audiences.length ?? 0) > 0)
}
