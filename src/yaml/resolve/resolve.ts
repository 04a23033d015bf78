import type { Declarations, Desired, LiveOnly } from '../../core/desired.ts'
import { kindBelow } from '../../kinds/index.ts'
import { isGuardRule } from '../../model/guard-rules.ts'
import { definedMembers } from '../../model/json/defined-members.ts'
import { objectAddress, targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { tagMemberNames, tagOfMember } from '../../model/tag-member.ts'
import { liveOnlyIn } from '../check/check-declaration.ts'
import {
  type DeclarationFile,
  type FileDeclarations,
  type GrantDeclaration,
  ignorePointer,
  isAudienceAddress,
  type Layer,
  type ObjectDeclaration,
  saysOnlyFields,
} from '../declaration.ts'
import type { Environment } from '../settings.ts'
import type { DeclaredTests } from '../tests/declared-tests.ts'
import {
  belongsTo,
  effectiveIn,
  fieldsFromEnvironment,
  isSkipped,
  layersIn,
  resolveRole,
} from './effective.ts'
import { fieldPointer } from './short-layers.ts'

/** The text of a file that a declaration names; undefined when there is none. */
export type TextOfFile = (declaration: ObjectDeclaration, path: string) => string | undefined

/** A declared value, and its place: the caller finds the line if it is needed. */
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

/** Everything that the files of a repository declare for one environment, in the written order. */
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

/** Whether a layer of an object, or an audience of it, has a value that is valid only if it is live already. */
type BreaksRules = (address: string, layer: Layer) => boolean

interface PlaceOptions extends Pick<ResolveOptions, 'tests'> {
  readonly breaksRules?: BreaksRules
}

/** The same, each object with its place. */
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

/** Enough to recognize the object, so that it is not changed. */
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

/** The places that a layer leaves to the service, and those of them that it writes with a position. */
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

/** The tags that `owner` and similar members mean. */
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
    // Without a level, a grant is nothing but its identity.
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
