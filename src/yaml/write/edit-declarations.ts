import { doubleOf } from '../../hcl/json.ts'
import { canonicalValue } from '../../model/canonical.ts'
import { type DeclarableKind, targetingField } from '../../model/kind.ts'
import type { Problem, Source } from '../../model/problem.ts'
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
  pickMembers,
} from '../../model/text/json.ts'
import { writeJson } from '../../model/text/json-text.ts'
import { getAt, pointerOf, segmentsOf } from '../../model/text/pointer.ts'
import { mergeShort, overrideFor } from '../../targeting/short/merge-short.ts'
import { elementsOf, shortMembers } from '../../targeting/short/short-form.ts'
import { type DeclarationFile, type ObjectDeclaration, shortIn } from '../declaration.ts'
import type { ParsedYaml } from '../read/parse-yaml.ts'
import { effectiveIn } from '../resolve/layers.ts'
import type { Environment } from '../settings.ts'
import { assigned, rewriteText } from './edit-text.ts'

/** The wanted members of a declaration in one environment, as spelled in files. */
export interface DeclarationChange {
  readonly declaration: ObjectDeclaration
  /** Undefined in a repository without environments. */
  readonly environment: string | undefined
  readonly wanted: JsonObject
  /** Where they are written: in the overrides of the environment, or in the shared part. */
  readonly into: 'environment' | 'shared'
  /** The wanted members for other environments: their overrides get each difference from the shared part. */
  readonly others?: ReadonlyMap<string, JsonObject>
}

/**
 * Members about the handling of an object. Each environment decides them itself: they are not copied with
 * declared values. A skipped object is no longer skipped once its values are declared.
 */
export const treatment: ReadonlySet<string> = new Set([
  'protect',
  'sensitive',
  'permanent',
  'allow',
  'live_edits',
  'ignore',
  'id',
  'skip',
])

export interface DescribedChange extends DeclarationChange {
  /** `nothing`: the file already had the wanted value. */
  readonly written: 'environment' | 'shared' | 'nothing'
  /** Why it is not written in the intended place. */
  readonly note?: string
}

export interface EditedFile {
  /** Relative to the repository. */
  readonly file: string
  readonly before: string
  readonly after: string
  /** Set if the file becomes empty: then it is removed. */
  readonly isRemoved?: true
}

export type EditedDeclarations =
  | { readonly files: readonly EditedFile[]; readonly changes: readonly DescribedChange[] }
  | { readonly problems: readonly Problem[] }

/**
 * The new texts of files with changed declarations, without removed files; nothing is written. Each file
 * changes as little as possible. At most one change for each object. A shared value in an anchor with aliases
 * is not changed; an override contains the difference. A removed declaration takes the comment right above it
 * along.
 */
export function editDeclarations(
  changes: readonly DeclarationChange[],
  { parts, removesFile }: Removal = { parts: [], removesFile: () => false },
): EditedDeclarations {
  const edits = changes.map(editOf)
  const problems = edits.flatMap(edit => ('problem' in edit ? [edit.problem] : []))
  if (problems.length > 0) return { problems }
  const described = edits.flatMap(edit => ('problem' in edit ? [] : [edit]))
  const all = [...changes.map(({ declaration }) => declaration), ...parts].map(({ file }) => file.parsed)
  const files = new Map(all.map(parsed => [parsed.file, parsed]))
  const results = [...files.values()].map(parsed => {
    const gone = parts.filter(({ file }) => file.parsed.file === parsed.file).map(({ pointer }) => pointer)
    const own = described.filter(({ change }) => change.declaration.file.parsed.file === parsed.file)
    return editFile(parsed, own, { gone, mayGo: removesFile(parsed.file) })
  })
  const failed = results.flatMap(result => ('problem' in result ? [result.problem] : []))
  if (failed.length > 0) return { problems: failed }
  const edited = results.flatMap(result => ('problem' in result ? [] : [result]))
  return {
    files: edited.map(({ file }) => file).filter(({ before, after }) => before !== after),
    changes: edited.flatMap(({ edits: done }) =>
      done.map(({ change, members, note }) => ({
        ...change,
        written: members === undefined ? 'nothing' : change.into,
        ...(note === undefined ? {} : { note }),
      })),
    ),
  }
}

interface ObjectEdit {
  readonly change: DeclarationChange
  /** All members of the new declaration; undefined if nothing has to change. */
  readonly members: JsonObject | undefined
  readonly note?: string
}

type Edited = { readonly file: EditedFile; readonly edits: readonly ObjectEdit[] }

function editFile(
  parsed: ParsedYaml,
  edits: readonly ObjectEdit[],
  removal: { readonly gone: readonly string[]; readonly mayGo: boolean },
): Edited | { readonly problem: Problem } {
  const { file, text: before, value = null } = parsed
  const wanted = edits.reduce(
    (all, { change, members }) =>
      members ? assigned(all, segmentsOf(change.declaration.base.pointer), members) : all,
    value,
  )
  const rest = removal.gone.length > 0 ? withoutParts(wanted, removal.gone) : { value: wanted }
  if ('isBare' in rest && rest.isBare && removal.mayGo)
    return { file: { file, before, after: '', isRemoved: true }, edits }
  const edited = rewriteText(parsed, rest.value, 'gone' in rest ? rest.gone : undefined)
  if ('text' in edited) return { file: { file, before, after: edited.text }, edits }
  const blocked = edits.find(
    ({ change }) => change.into === 'shared' && edited.pointer.startsWith(change.declaration.base.pointer),
  )
  if (edited.problem.code !== 'in-anchor' || blocked?.change.environment === undefined) return edited
  const override = editOf({ ...blocked.change, into: 'environment' })
  if ('problem' in override) return edited
  const note = `${edited.problem.message}; the overrides of ${blocked.change.environment} are used instead`
  const others = edits.map(edit => (edit === blocked ? { ...override, note } : edit))
  return editFile(parsed, others, removal)
}

function editOf(change: DeclarationChange): ObjectEdit | { readonly problem: Problem } {
  const { declaration, environment, wanted, into, others = new Map<string, JsonObject>() } = change
  const { only, isOnlyByDefault } = declaration
  const isListed = environment === undefined || only === undefined || only.has(environment)
  if (!isListed && isOnlyByDefault) return { problem: limitedByDefault(declaration, environment) }
  const onlyToo: JsonObject = isListed ? {} : { only: [...only.keys(), environment] }
  const isDeclared = (name: string | undefined, members: JsonObject) =>
    isEmpty(declarationOverride(declaration, writtenIn(declaration, name), members))
  const isSkipped = environment !== undefined && writtenOverrides(declaration, environment).skip === true
  const rest = [...others].filter(([name, members]) => !isDeclared(name, members))
  if (isDeclared(environment, wanted) && rest.length === 0 && !isSkipped)
    return { change, members: isListed ? undefined : { ...writtenAt(declaration, ''), ...onlyToo } }
  const shared = writtenShared(declaration)
  if (into === 'environment' && environment !== undefined)
    return withMembers(change, { ...shared, ...onlyToo }, shared, [[environment, wanted], ...rest])
  const here = writtenIn(declaration, environment)
  const carried = carriedOver(shared, withoutTreatment(here), withoutTreatment(wanted))
  const fits = declarationOverride(declaration, carried, wanted) !== undefined
  const after = fits ? carried : { ...withoutTreatment(wanted), ...onlyTreatment(shared) }
  // Equal values keep their spelling.
  const written = isEmpty(declarationOverride(declaration, shared, after)) ? shared : after
  const own = environment === undefined ? [] : [[environment, wanted] as const]
  return withMembers(change, { ...onlyToo, ...written }, after, [...own, ...others])
}

/** A declaration with new shared members, and the overrides that environments then need. */
function withMembers(
  change: DeclarationChange,
  members: JsonObject,
  shared: JsonObject,
  wanted: readonly (readonly [environment: string, members: JsonObject])[],
): ObjectEdit | { readonly problem: Problem } {
  const { declaration } = change
  const before = writtenAt(declaration, '')
  const { environments = null } = before
  const overrides = new Map<string, Json>(Object.entries(isJsonObject(environments) ? environments : {}))
  for (const [name, one] of wanted) {
    const override = declarationOverride(declaration, shared, one)
    if (!override) return { problem: noOverride(declaration, name) }
    const order = { ...writtenOverrides(declaration, name), ...override }
    if (isEmpty(override)) overrides.delete(name)
    // Existing members stay in their places.
    else
      overrides.set(
        name,
        pickMembers(order, (_, member) => member in override),
      )
  }
  const kept = pickMembers(
    before,
    (_, name) => name in members || (besides.has(name) && name !== 'environments'),
  )
  const all = {
    ...kept,
    ...members,
    ...(overrides.size > 0 ? { environments: Object.fromEntries(overrides) } : {}),
  }
  return { change, members: pickMembers({ ...before, ...all }, (_, name) => name in all) }
}

function withoutTreatment(members: JsonObject): JsonObject {
  return pickMembers(members, (_, name) => !treatment.has(name))
}

function onlyTreatment(members: JsonObject): JsonObject {
  return pickMembers(members, (_, name) => treatment.has(name))
}

/** Applies the difference between two values to a third value, member by member. */
function carriedOver(into: JsonObject, old: JsonObject, wanted: JsonObject): JsonObject {
  const result = new Map(Object.entries(into))
  for (const name of new Set([...Object.keys(old), ...Object.keys(wanted)])) {
    const [below, was, becomes] = [into[name], old[name], wanted[name]]
    if (was !== undefined && becomes !== undefined && writeJson(was) === writeJson(becomes)) continue
    if (becomes === undefined) result.delete(name)
    else if (isJsonObject(below) && isJsonObject(was) && isJsonObject(becomes))
      result.set(name, carriedOver(below, was, becomes))
    else result.set(name, becomes)
  }
  const inOrder = Object.keys(wanted).filter(name => name in old)
  const isMoved = Object.keys(old)
    .filter(name => name in wanted)
    .some((name, index) => inOrder[index] !== name)
  // The order of conditions and variants matters.
  const names = isMoved ? new Set([...Object.keys(wanted), ...result.keys()]) : result.keys()
  return Object.fromEntries(
    [...names].flatMap(name => (result.has(name) ? [[name, result.get(name) ?? null]] : [])),
  )
}

function isEmpty(override: JsonObject | undefined): boolean {
  return override !== undefined && Object.keys(override).length === 0
}

function noOverride({ file, base, address }: ObjectDeclaration, environment: string): Problem {
  return {
    code: 'no-override',
    severity: 'error',
    message: `overrides of ${environment} cannot express the change: it reorders conditions or variants, or removes a shared part`,
    hint: 'change the shared part with --shared, or change the file by hand',
    source: file.parsed.locate(base.pointer, 'key'),
    address,
  }
}

/**
 * Why an object is not declared for an environment, if a default of the settings causes this. The default
 * applies to other objects too, so an edit of one object neither changes it nor bypasses it.
 */
function limitedByDefault(
  { file, base, only = new Map<string, number>(), defaults, address }: ObjectDeclaration,
  environment: string,
): Problem & { readonly source: Source } {
  const place = defaults?.places.get('only')
  const names = [...only.keys()]
  return {
    code: 'limited-by-default',
    severity: 'error',
    message: `a default limits the declaration to ${names.join(', ')}`,
    hint: `add ${environment} to "only" there, or write "only: [${[...names, environment].join(', ')}]" in ${file.parsed.file}`,
    source: place ? place.parsed.locate(place.pointer, 'key') : file.parsed.locate(base.pointer, 'key'),
    address,
  }
}

/** `"feature_flag.a" is not declared for production`; if the settings cause it, with the place and the remedy. */
export function notDeclaredFor(declaration: ObjectDeclaration, environment: string | undefined): string {
  const there = environment === undefined ? '' : ` for ${environment}`
  const written = `"${declaration.address}" is not declared${there}`
  const isListed = environment === undefined || declaration.only?.has(environment)
  if (isListed || !declaration.isOnlyByDefault) return written
  const { message, hint, source } = limitedByDefault(declaration, environment)
  return `${written}: ${message} (${source.file}:${source.line}); ${hint}`
}

/**
 * The members of a declaration as its file has them: names are not resolved, and variables are not filled in.
 * Members that select environments, and tests, do not belong to the declared state of one environment.
 */
export function writtenShared(declaration: ObjectDeclaration): JsonObject {
  return pickMembers(writtenAt(declaration, ''), (_, name) => !besides.has(name))
}

const besides: ReadonlySet<string> = new Set(['environments', 'only', 'tests'])

/** The overrides for an environment, as the file has them. */
export function writtenOverrides(declaration: ObjectDeclaration, environment: string): JsonObject {
  return writtenAt(declaration, pointerOf('environments', environment))
}

/** The members of an environment, as spelled in the file: overrides merged over the shared part. */
export function writtenIn(declaration: ObjectDeclaration, environment: string | undefined): JsonObject {
  const shared = writtenShared(declaration)
  if (environment === undefined) return shared
  const override = writtenOverrides(declaration, environment)
  const { kind } = declaration
  const [below, above] = [shortIn(kind, shared), shortIn(kind, override)]
  const all = { ...shared, ...override }
  if (!below || !above) return all
  const merged = mergeShort([below, above]).value
  const written = pickMembers(all, (_, name) => below[name] === undefined && above[name] === undefined)
  return { ...written, ...merged }
}

function writtenAt({ file, base }: ObjectDeclaration, inside: string): JsonObject {
  const value: Json | undefined = getAt(file.parsed.value ?? null, base.pointer + inside)
  return isJsonObject(value) ? value : {}
}

/** The declared percentage of a condition. */
export interface DeclaredShare {
  /** The name of the condition, or its number, from 1. */
  readonly name: string
  readonly percent: number
  /** Its pointer among the members of the declaration, also if it is not written. */
  readonly pointer: string
}

const share = 'rollout_percentage'

/** The shares of all conditions of a flag in an environment, in order; undefined if it is not declared there. */
export function declaredShares(
  declaration: ObjectDeclaration,
  environment: Environment,
): readonly DeclaredShare[] | undefined {
  const effective = effectiveIn(declaration, environment)
  const field = targetingField(declaration.kind)
  if (effective?.ensure !== 'present' || field === undefined) return undefined
  const written = writtenIn(declaration, environment.name)
  const filters = effective.layer.fields[field] ?? null
  const groups = isJsonObject(filters) && isJsonArray(filters.groups) ? filters.groups : []
  return placesIn(written, field).map(({ name, pointer }, index) => ({
    name,
    pointer,
    percent: percentOf(groups[index] ?? null),
  }))
}

type Place = Omit<DeclaredShare, 'percent'>

function placesIn(written: { readonly [member: string]: Json }, field: string): Place[] {
  if (written[share] !== undefined && written[share] !== null)
    return [{ name: 'everyone', pointer: pointerOf(share) }]
  const { release } = written
  if (release !== undefined)
    return elementsOf(release).map(([step]) => ({
      name: typeof step === 'number' ? String(step + 1) : step,
      pointer: pointerOf('release', step, share),
    }))
  const filters = written[field] ?? null
  const groups = isJsonObject(filters) ? (filters.groups ?? null) : null
  return elementsOf(groups).map((_, index) => ({
    name: String(index + 1),
    pointer: pointerOf(field, 'groups', index, share),
  }))
}

/** A condition without a percentage gives the flag to all of its people. */
function percentOf(condition: Json): number {
  const percent = isJsonObject(condition) ? (condition[share] ?? 100) : 100
  return (isJsonNumber(percent) ? doubleOf(percent) : undefined) ?? 100
}

/**
 * The overrides of an environment that turn one declaration into another, member by member as files have them. Merged over
 * `shared`, they give the value of `wanted`. Empty if both are equal; undefined if no overrides can do it.
 *
 * | a member                                    | the overrides                                 |
 * |---------------------------------------------|-----------------------------------------------|
 * | of the short form                           | are merged with it, as `overrideFor` has them |
 * | any other, with another value               | name the value that is wanted                 |
 * | with a default, in `shared` alone           | name that default                             |
 * | any other in `shared` alone                 | cannot take it back: undefined                |
 * | of the short form here, and `filters` there | cannot mix them: undefined                    |
 *
 * A default of the settings is part of neither: overrides name a value to replace it, and never repeat it.
 */
export function declarationOverride(
  { kind, defaults }: Pick<ObjectDeclaration, 'kind' | 'defaults'>,
  shared: JsonObject,
  wanted: JsonObject,
): JsonObject | undefined {
  const short = shortDifference(kind, shared, wanted)
  if (!short) return undefined
  const [ours, theirs] = [withoutShort(kind, shared), withoutShort(kind, wanted)]
  const override: Record<string, Json> = { ...short }
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    // If the settings have a default, only a declared member replaces it.
    const below = defaults?.places.has(name) ? undefined : unnamed[name]
    const [left, value] = [ours, theirs].map(members =>
      Object.hasOwn(members, name) ? members[name] : below,
    )
    if (value === undefined) return undefined
    if (!isSameMember(kind, name, left, value)) override[name] = value
  }
  return override
}

/** The values of members that neither a declaration nor a default of the settings names. */
const unnamed: JsonObject = {
  ensure: 'present',
  protect: false,
  sensitive: false,
  permanent: false,
  ignore: [],
  allow: [],
  live_edits: {},
  skip: false,
  payload_schema: null,
}

function shortDifference(
  kind: DeclarableKind,
  shared: JsonObject,
  wanted: JsonObject,
): JsonObject | undefined {
  const [below, short] = [shortIn(kind, shared), shortIn(kind, wanted)]
  if (!below && !short) return {}
  const field = targetingField(kind) ?? ''
  const isMixed = [shared, wanted].some(members => members[field] !== undefined)
  return isMixed || !short ? undefined : overrideFor(below ?? {}, short)
}

function withoutShort(kind: DeclarableKind, members: JsonObject): JsonObject {
  if (targetingField(kind) === undefined) return members
  return pickMembers(members, (_, name) => !shortMembers.includes(name))
}

function isSameMember(kind: DeclarableKind, name: string, left: Json | undefined, right: Json): boolean {
  if (left === undefined) return false
  const field = kind.fields[name]
  return field
    ? isSameJson(canonicalValue(field, left), canonicalValue(field, right))
    : isSameJson(left, right)
}

/** A member of a section, or an element of a list: an object, a grant, or the tests of a flag. */
export interface DeclaredPart {
  readonly file: Pick<DeclarationFile, 'parsed'>
  readonly pointer: string
}

export interface Removal {
  readonly parts: readonly DeclaredPart[]
  /** Whether an empty file is removed, or stays with an empty section. */
  removesFile(file: string): boolean
}

/** The value of a file without some of its parts, and without sections that became empty. */
export interface WithoutParts {
  readonly value: JsonObject
  /** The pointers of all removed parts. */
  readonly gone: ReadonlySet<string>
  /** Whether nothing else remains: then the first section stays, empty. */
  readonly isBare: boolean
}

function withoutParts(file: Json, pointers: readonly string[]): WithoutParts {
  const value = isJsonObject(file) ? file : {}
  const parts = new Set(pointers)
  const sections = [...new Set(pointers.map(pointer => segmentsOf(pointer)[0] ?? ''))]
  const emptied = sections.filter(name =>
    Object.keys(value[name] ?? {}).every(inside => parts.has(pointerOf(name, inside))),
  )
  const isBare = emptied.length === Object.keys(value).length
  const kept = isBare ? emptied[0] : undefined
  const gone = new Set([...pointers, ...emptied.filter(name => name !== kept).map(name => pointerOf(name))])
  const rest = Object.entries(value).flatMap(([name, section]): [string, Json][] => {
    if (gone.has(pointerOf(name))) return []
    const isRest = (inside: string | number) => !gone.has(pointerOf(name, inside))
    if (isJsonArray(section) && name !== kept) return [[name, section.filter((_, index) => isRest(index))]]
    return [[name, isJsonObject(section) ? pickMembers(section, (_, inside) => isRest(inside)) : section]]
  })
  return {
    value: { ...Object.fromEntries(rest), ...(kept === undefined ? {} : { [kept]: {} }) },
    gone,
    isBare,
  }
}
