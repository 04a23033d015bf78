import { roleInPath } from '../../constructs/engine/engine-marks.ts'
import type { DeclaredTest, Desired } from '../../core/desired.ts'
import { canonicalIdentity } from '../../core/live.ts'
import {
  type ExactJson,
  findUnknown,
  fixedSteps,
  givenElements,
  invalid,
  isExactObject,
  isListValue,
  isNumber,
  isObjectValue,
  type KnownStep,
  knownJson,
  mapMembers,
  memberOf,
  ofText,
  requireKnown,
  revealed,
  truncate,
  Unknown,
  unsupported,
  type Value,
} from '../../hcl/index.ts'
import { doubleOf } from '../../hcl/json.ts'
import { JsonTextError, readStrictJson } from '../../hcl/strict-json.ts'
import type { Sensitive } from '../../model/field.ts'
import {
  type DeclarableKind,
  hidesOf,
  identityField,
  managedFields,
  objectAddress,
  targetingField,
} from '../../model/kind.ts'
import {
  defaultMember,
  existsField,
  type GivenLiveEdits,
  isLiveEditWay,
  liveEditFields,
  liveEditWays,
} from '../../model/live-edit-policy.ts'
import type { Source } from '../../model/problem.ts'
import { oncePer } from '../../model/runtime.ts'
import { definedMembers } from '../../model/text/defined-members.ts'
import { isJsonArray, isJsonNumber, isJsonObject, type Json, type JsonObject } from '../../model/text/json.ts'
import { nounOf } from '../../model/text/json-shape.ts'
import { pointerOf } from '../../model/text/pointer.ts'
import { givenTyped } from '../../schema/terraform/terraform-attribute.ts'
import { parentAttribute } from '../../schema/terraform/terraform-names.ts'
import { compactFilters } from '../../targeting/canonical-filters.ts'
import { strangeNames } from '../../targeting/check/filter-mistakes.ts'
import { encodeFilters, givenTwice } from '../../targeting/codec.ts'
import type { TestReason } from '../../targeting/index.ts'
import {
  conditionCount,
  expectationIn,
  groupIn,
  isReason,
  noCondition,
  subjectIn,
  variantHint,
} from '../../targeting/read-test.ts'
import { filtersPointer, type TypedPath, typedAttributes } from '../../targeting/typed-form.ts'
import { referenceIn } from '../expressions.ts'
import { type Block, blockMembers, switchIn } from '../stack-file.ts'
import { type Attributes, resourceSchemas } from './attributes.ts'
import { requireAttribute } from './modules.ts'
import { guardsIn, placeText, type ServiceTarget } from './providers.ts'
import type { ResourceInstance } from './resources.ts'

export interface DesiredOptions extends TestPlaces {
  /** Runs a function for a field, and records a refusal. */
  readonly attempt: <Result>(field: string, work: () => Result) => Result | undefined
  /** The names of roles, by id. */
  readonly roleNames: ReadonlyMap<string, string>
  /** The ignored attributes of a block; throws a refusal if they are unreadable. */
  readonly ignored: (block: Block) => IgnoredAttributes
  /** The id from an import or a rename. */
  readonly id: string | undefined
}

/** One instance as a desired object; undefined if a part of it is refused. */
export function desiredOf(instance: ResourceInstance, options: DesiredOptions): Desired | undefined {
  const { kind, attributes, provider, block } = instance
  const { attempt, source, id } = options
  const identity = attempt(identityField(kind), () => identityOf(instance))
  const fields = fieldsOf(instance, options)
  const files = attempt('source', () => filesOf(attributes.source ?? null))
  const allow = attempt('allow', () => guardsIn(requireKnown(attributes.allow ?? null, 'it'), kind))
  const reference = parentAttribute(kind)
  const parent = reference === undefined ? null : attempt(reference, () => parentOf(instance))
  const protect = attempt('lifecycle.prevent_destroy', () => isProtected(block.body.lifecycle))
  const filters = fields?.[targetingField(kind) ?? ''] ?? null
  const edits = attempt('live_edits', () => definedMembers({ liveEdits: liveEditsIn(block.liveEdits, kind) }))
  const hides = attempt('sensitive', () =>
    definedMembers({ sensitive: sensitiveIn(block.sensitive, kind, filters) }),
  )
  const tests = fields && attempt('tests', () => testsIn(block.tests, filters, options))
  const ignore = attempt('lifecycle.ignore_changes', () => ignoredPaths(instance, options.ignored(block)))
  const isWhole = identity !== undefined && fields && parent !== undefined && protect !== undefined
  if (
    !isWhole ||
    !edits ||
    !hides ||
    !tests ||
    files === undefined ||
    allow === undefined ||
    ignore === undefined
  )
    return undefined
  const allowed = [...new Set([...allow, ...provider.allow])]
  const tags = kind.lifecycle.ownedBy === undefined ? [] : provider.defaultTags
  return {
    ...named(instance, identity, parent, options),
    ...(id === undefined ? {} : { id }),
    ...(instance.renamed ? { renamedFrom: instance.renamed.from } : {}),
    ensure: 'present',
    fields,
    ...(files ? { files } : {}),
    ...(protect ? { protect } : {}),
    ...(ignore.length > 0 ? { ignore, positions: 'engine' as const } : {}),
    ...(allowed.length > 0 ? { allow: allowed } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...hides,
    ...edits,
    ...(tests.length > 0 ? { tests } : {}),
    ...(source ? { source } : {}),
  }
}

/** The identity of an instance; throws a refusal if it is unknown. */
export function identityOf({ kind, attributes }: ResourceInstance): string {
  const attribute = identityField(kind)
  const value = requireKnown(attributes[attribute] ?? null, attribute)
  if (typeof value !== 'string') throw invalid('a value is required')
  return canonicalIdentity(kind, value)
}

function named(
  { kind, block }: ResourceInstance,
  identity: string,
  parent: string | null,
  { roleNames }: DesiredOptions,
): Pick<Desired, 'address' | 'kind' | 'identity' | 'parent' | 'label'> {
  if (parent === null) return { address: objectAddress(kind.name, identity), kind: kind.name, identity }
  const label = roleNames.get(identity) ?? constructsName(block.path, roleNames) ?? identity
  const address = objectAddress(kind.name, label, parent)
  return { address, kind: kind.name, identity, parent: { key: parent }, label }
}

/** The name of a role in the stack's code, unless the settings use it for another role. */
function constructsName(
  path: string | undefined,
  roleNames: DesiredOptions['roleNames'],
): string | undefined {
  const name = path === undefined ? undefined : roleInPath(path)
  return name === undefined || [...roleNames.values()].includes(name) ? undefined : name
}

/** The configured managed fields; all others are not managed. */
function fieldsOf(instance: ResourceInstance, { attempt }: DesiredOptions): JsonObject | undefined {
  const { kind, attributes } = instance
  const identity = identityField(kind)
  const names = managedFields(kind).filter(name => name !== identity && (attributes[name] ?? null) !== null)
  const entries = names.map(name => {
    const value = attempt(name, () => fieldValue(kind, name, attributes[name] ?? null))
    return [name, value] as const
  })
  const typed = attempt(firstTyped(attributes) ?? 'release', () => typedFiltersOf(instance))
  if (typed === undefined || entries.some(([, value]) => value === undefined)) return undefined
  // A refused value is undefined; such instances are excluded above.
  const fields = Object.fromEntries(entries) as Record<string, Json>
  // The provider writes empty parts in the same form.
  return typed === null ? fields : { ...fields, [targetingField(kind) ?? '']: compactFilters(typed) }
}

function fieldValue(kind: DeclarableKind, name: string, value: Value): Json {
  const known = requireKnown(value, 'it')
  const json = knownJson(isListValue(known) ? givenElements(known) : known)
  if (kind.fields[name]?.type !== 'json' || typeof json !== 'string') return json
  const read = readJsonText(json)
  // A check that only knows JavaScript's numbers would treat a large number as an object.
  return doubleOf(read) ?? read
}

function filesOf(value: Value): Record<string, string | null> | null {
  const files = requireKnown(value, 'it')
  if (!isObjectValue(files)) return null
  const texts = Object.entries(files).map(([name, text]) => [name, typeof text === 'string' ? text : null])
  return Object.fromEntries(texts)
}

/** The flag of a grant, by its key. */
export function parentOf({ kind, attributes, place }: ResourceInstance): string {
  const value = attributes[parentAttribute(kind) ?? ''] ?? null
  const key = keyOfFlag(value, place)
  if (key !== undefined) return key
  const known = requireKnown(value, 'it')
  throw unsupported(
    `it refers to the flag by its id ${JSON.stringify(known)}, but Vexil finds flags by their keys`,
    'refer to the flag: flag.id, or Flag.fromKey(...) for a flag that is declared elsewhere',
  )
}

/** Reads JSON text as written; throws a refusal if it cannot be sent with the same meaning. */
function readJsonText(text: string): Json {
  try {
    return readStrictJson(text)
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw invalid(error.reason, error.remedy ?? 'write it with JSON.stringify(...)')
  }
}

/**
 * The hidden values of a block, in the comment that constructs write: `"//": { "vexil": { "sensitive": ... }
 * }`. Throws a refusal for anything else, because a misspelt name would show a value that should be hidden.
 */
function sensitiveIn(
  written: ExactJson | undefined,
  kind: DeclarableKind,
  filters: Json,
): Sensitive | undefined {
  if (written === undefined || written === false) return undefined
  const hides = hidesOf(kind)
  if (hides === undefined) throw invalid(`a ${kind.title} has no values to hide`)
  if (written === true) return true
  const names = Array.isArray(written) && hides === 'payloads' ? written.filter(isText) : undefined
  if (!names || !Array.isArray(written) || names.length < written.length)
    throw invalid(`the value must be true${hides === 'payloads' ? ', or a list of variants' : ' or false'}`)
  // Normalized like the keys of payloads in Terraform's language.
  const normal = names.map(name => name.normalize('NFC'))
  if (isJsonObject(filters)) requirePayloads(normal, filters.payloads)
  return normal
}

function requirePayloads(names: readonly string[], payloads: Json | undefined): void {
  const [strange] = strangeNames(names, isJsonObject(payloads) ? payloads : {})
  if (strange)
    throw invalid(`it names ${JSON.stringify(strange.name)}, for which there is no payload`, strange.hint)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/**
 * The live edit setting of a block, in the comment that constructs write: `"//": { "vexil": { "live_edits":
 * ... } }`. Throws a refusal for anything else: a slip must neither hold nor revert anything.
 */
function liveEditsIn(written: ExactJson | undefined, kind: DeclarableKind): GivenLiveEdits | undefined {
  if (written === undefined || isLiveEditWay(written)) return written
  if (!isExactObject(written) || Array.isArray(written)) throw notAWay('it')
  const known = [defaultMember, existsField, ...liveEditFields(kind)]
  const modes = Object.entries(written).map(([name, way]) => {
    if (!known.includes(name)) throw invalid(`it names "${name}", which is not a field of a ${kind.title}`)
    if (!isLiveEditWay(way)) throw notAWay(`"${name}"`)
    return [name, way] as const
  })
  return Object.fromEntries(modes)
}

function notAWay(what: string) {
  return invalid(`${what} must be one of ${liveEditWays.map(way => `"${way}"`).join(', ')}`)
}

interface TestPlaces {
  readonly source: Source | undefined
  /** The position of a test that was added separately, by its index in the list. Finding it takes time. */
  readonly sourceOfTest: (index: number) => Source | undefined
}

/**
 * The tests of a flag in the comment that constructs write into its block: `"//": { "vexil": { "tests": [...]
 * } }`. Throws a refusal for a test that cannot run, usually because a condition or a variant does not exist.
 */
function testsIn(
  written: ExactJson | undefined,
  filters: Json,
  { source, sourceOfTest }: TestPlaces,
): readonly DeclaredTest[] {
  if (written === undefined) return []
  const tests = knownJson(written)
  if (!isJsonArray(tests)) throw invalid('tests must be a list')
  return tests.map((test, index) => {
    const at = isJsonObject(test) && test.trace !== undefined ? sourceOfTest(index) : source
    return { ...testIn(test, filters, `test ${index + 1}`), ...(at ? { sourceOf: () => at } : {}) }
  })
}

function testIn(written: Json, filters: Json, name: string): DeclaredTest {
  const { person, expect = null, because } = isJsonObject(written) ? written : {}
  if (person === undefined || !isJsonObject(person)) throw invalid(`${name} has no person`)
  const expected = expectationIn(expect)
  if (!expected) throw invalid(`${name} has no expected value`)
  const { value } = expected
  const hint = typeof value === 'string' ? variantHint(value, filters) : undefined
  if (hint !== undefined)
    throw invalid(`${name} expects ${JSON.stringify(value)}, which is not a variant of the flag`, hint)
  return {
    person: [person.name, person.distinct_id, person.device_id].find(each => typeof each === 'string'),
    isNamed: typeof person.name === 'string',
    subject: subjectIn(person, groupsOf(person)),
    ...expected,
    ...(because === undefined ? {} : { because: reasonIn(because, filters, name) }),
  }
}

function groupsOf({ groups = null }: JsonObject) {
  const entries = isJsonObject(groups) ? Object.entries(groups) : []
  return entries.map(([index, group]) => ({ index, ...groupIn(group) }))
}

function reasonIn(because: Json, filters: Json, name: string): TestReason {
  if (isJsonNumber(because)) {
    const number = Number(because)
    if (Number.isInteger(number) && number >= 1 && number <= conditionCount(filters))
      return { condition: number - 1 }
    const { message, hint } = noCondition(number, filters)
    throw invalid(`${name}: ${message}`, hint)
  }
  if (typeof because === 'string' && isReason(because)) return { reason: because }
  throw invalid(`${name} names ${JSON.stringify(because)}, which is neither a condition nor a reason`)
}

function firstTyped(attributes: Attributes): string | undefined {
  return givenTyped(attributes)[0]
}

/** The filters that the typed attributes describe, as they are written; null if there are none. */
export const typedFiltersOf = oncePer(
  ({ kind, attributes, place, block }: ResourceInstance): JsonObject | null => {
    const [field, first] = [targetingField(kind), firstTyped(attributes)]
    if (field === undefined || first === undefined) return null
    if (isGiven(attributes, field))
      throw invalid(`\`${field}\` is set too`, `set either \`${field}\` or the typed attributes`)
    const [long, short] = givenTwice('filters', name => isGiven(attributes, name)) ?? []
    if (short !== undefined)
      throw invalid(`\`${short}\` is set too`, `set either \`${long}\` or \`${short}\``)
    const given = typedAttributes.map(name => {
      const value = withFlagKeys(withOpenPayloads(name, attributes[name] ?? null, block.sensitive), place)
      return [name, knownJson(requireKnown(value, name === first ? 'it' : name))] as const
    })
    return encodeFilters(Object.fromEntries(given))
  },
)

/** Payloads with a sensitive source, in clear text, if the flag declares that no plan shows them. */
function withOpenPayloads(name: string, value: Value, hides: ExactJson | undefined): Value {
  const isHidden = (variant: Value) =>
    hides === true || (isListValue(hides) && hides.some(each => each === variant))
  if (name === 'payload') return isHidden('true') ? revealed(value) : value
  if (name !== 'variants' || !isListValue(value)) return value
  return value.map(variant =>
    isObjectValue(variant) && isHidden(variant.key ?? null)
      ? { ...variant, payload: revealed(variant.payload ?? null) }
      : variant,
  )
}

function isGiven(attributes: Attributes, name: string): boolean {
  return (attributes[name] ?? null) !== null
}

/**
 * The key of the flag if a value is its id, which is unknown before the flag exists. Undefined for any other
 * value. Throws a refusal if the flag belongs to another project or service.
 */
function keyOfFlag(value: Value, place: ServiceTarget): string | undefined {
  if (!(value instanceof Unknown) || !value.flag) return undefined
  if (value.flag.place === placeText(place)) return value.flag.key
  throw invalid(
    `${value.origin} is a flag of another project or service`,
    'use the provider that declares the flag',
  )
}

function withFlagKeys(value: Value, place: ServiceTarget): Value {
  if (!findUnknown(value)) return value
  if (isListValue(value)) return value.map(each => withFlagKeys(each, place))
  if (!isObjectValue(value)) return value
  const isAboutFlag = value.type === 'flag'
  return mapMembers(value, (member, name) =>
    isAboutFlag && name === 'key' ? (keyOfFlag(member, place) ?? member) : withFlagKeys(member, place),
  )
}

/** Whether a resource must not be destroyed. Unlike Terraform, Vexil then also refuses to turn it off. */
function isProtected(lifecycle: ExactJson | undefined): boolean {
  return switchIn(blockMembers(lifecycle), 'prevent_destroy', false)
}

/** The ignored attributes of a block, or parts of them, as written. */
export type IgnoredAttributes = 'all' | readonly AttributePath[]

interface AttributePath {
  readonly name: string
  /** A name, or the index of an element. */
  readonly steps: readonly (string | number)[]
}

/** Reads `ignore_changes`, which is the same for all instances of a block. */
export function ignoredAttributes(block: Block): IgnoredAttributes {
  const { ignore_changes: ignored = [] } = blockMembers(block.body.lifecycle)
  if (isAll(ignored)) return 'all'
  if (!Array.isArray(ignored)) throw invalid('the value must be a list of attributes, or "all"')
  return ignored.map(each => attributePath(each, block))
}

/**
 * The ignored parts as pointers into the fields.
 *
 * | ignored                                | left to the service                        |
 * |----------------------------------------|--------------------------------------------|
 * | `tags`, `name`, any managed attribute  | that field                                 |
 * | `release`, `release[0].properties`     | the conditions, or that part of one        |
 * | `variants`, `variants[1].payload`      | the variants, or that part of one; a whole one includes its payload |
 * | `payload`, `group_type_index`, others  | that member of the filters                 |
 * | `all`                                  | every field that is declared               |
 * | `adopt`, `allow`, `on_destroy`         | nothing: the service does not hold them    |
 */
function ignoredPaths(
  { kind, attributes }: Pick<ResourceInstance, 'kind' | 'attributes'>,
  ignored: IgnoredAttributes,
): readonly string[] {
  const identity = identityField(kind)
  if (ignored === 'all') {
    if ((attributes.source ?? null) !== null) throw filesCannot()
    return managedFields(kind)
      .filter(name => name !== identity)
      .map(name => pointerOf(name))
  }
  return ignored.flatMap(({ name, steps }) => {
    if (name === identity)
      throw unsupported(`"${name}" identifies the ${kind.title}, so it cannot be ignored`, 'remove it')
    if (name === 'source') throw filesCannot()
    const typed = typedAttributes.find(each => each === name)
    if (typed) return typedPointers([typed, ...steps], attributes)
    if (!managedFields(kind).includes(name)) return []
    if (steps.length > 0 && kind.fields[name]?.type !== 'set')
      throw unsupported(`Vexil cannot ignore only a part of "${name}"`, `ignore all of "${name}"`)
    return [pointerOf(name)]
  })
}

function isAll(ignored: ExactJson): boolean {
  return typeof ignored === 'string' && ignored.trim() === 'all'
}

function filesCannot() {
  return unsupported('declared source files cannot be ignored', 'remove `source`')
}

function attributePath(json: ExactJson, { address, type }: Block): AttributePath {
  const reference = referenceIn(json)
  const shown = typeof json === 'string' ? JSON.stringify(json) : nounOf(json)
  if (!reference || reference.root === 'all') throw invalid(`${shown} is not an attribute`)
  const steps = fixedSteps(reference.steps)
  if (steps.length < reference.steps.length) throw invalid('an index must be a constant')
  const name: KnownStep = { index: ofText(reference.root), isNamed: true }
  requireAttribute(address, resourceSchemas.get(type)?.attributes ?? new Map(), [name, ...steps])
  return { name: reference.root, steps: steps.map(plainStep) }
}

function plainStep({ index: { plain } }: KnownStep): string | number {
  return isNumber(plain) ? Number(truncate(plain)) : String(plain)
}

/** A variant includes its payload, which filters store elsewhere. */
function typedPointers([name, ...steps]: TypedPath, { variants = null }: Attributes): string[] {
  const keys = isListValue(variants) ? variants.map(keyOf) : []
  const [index, inner] = steps
  const payloads =
    name !== 'variants' || inner !== undefined
      ? []
      : [index === undefined ? '/payloads' : filtersPointer([name, index, 'payload'], keys)]
  return [filtersPointer([name, ...steps], keys), ...payloads].map(pointer => {
    if (pointer === undefined) throw invalid('this variant does not exist')
    return `/filters${pointer}`
  })
}

function keyOf(variant: Value): string | undefined {
  const key = memberOf(variant, 'key')
  return typeof key === 'string' ? key : undefined
}
