import {
  DefaultTokenResolver,
  StringConcat,
  TerraformResource,
  TerraformStack,
  Token,
  Tokenization,
} from 'cdktf'
import type { IConstruct } from 'constructs'
import { templatePieces, textOfLiteral, withoutGuard } from '../../hcl/literal-template.ts'
import { declarableKinds, featureFlag, type Kinds, roleAccess } from '../../kinds/index.ts'
import { type DeclarableKind, identityField, switchField } from '../../model/kind.ts'
import type { Json } from '../../model/text/json.ts'
import { type DeclaredRelease, type References, releaseIn } from '../../policies/policy.ts'
import { parentAttribute, typeName } from '../../schema/terraform/terraform-names.ts'
import { encodeFilters } from '../../targeting/codec.ts'
import { typedAttributes } from '../../targeting/typed-form.ts'
import { knownNumber } from '../argument.ts'
import {
  addressOf,
  type Declared,
  isDeclared,
  isRecord,
  ownConstruct,
  writtenAttributes,
} from '../engine/declared.ts'
import {
  hasMark,
  markedForm,
  markedNumber,
  replaceMarks,
  roleInPath,
  splitMarks,
} from '../engine/engine-marks.ts'
import { hasExpression, hasReference, isReference, onlyExpression } from '../templates.ts'

/** What kind of thing a policy looks at: a flag, an event or a plugin. A grant has no name, and is looked at apart. */
export type SubjectKind = Extract<
  Kinds[keyof Kinds],
  { readonly identity: { readonly by: 'field' } }
>['title']

/** A resource for policies, from our constructs or from the generated ones. */
export interface PolicySubject {
  readonly kind: SubjectKind
  /** The key of a flag, or the name of another object. */
  readonly name: string
  /** The generated construct. */
  readonly resource: TerraformResource
  /** The app's construct, which messages refer to. */
  readonly construct: IConstruct
  /** The current attributes for the synthesis, including `addOverride`. */
  readonly attributes: Attributes
}

/** A construct as a resource for policies; undefined if it is not of one of our types. */
export function subjectOf(construct: IConstruct): PolicySubject | undefined {
  if (!TerraformResource.isTerraformResource(construct)) return undefined
  const type = construct.terraformResourceType
  const kind = kinds.find(({ name }) => typeName(name) === type)
  if (kind === undefined) return undefined
  const attributes = attributesOf(construct)
  if (attributes === undefined) return undefined
  return {
    // The titles of kinds with names are those of the type.
    kind: kind.title as SubjectKind,
    name: String(attributes[identityField(kind)] ?? ''),
    resource: construct,
    construct: ownConstruct(construct),
    attributes,
  }
}

/** The kinds that policies check, sorted by their titles. */
export const subjectKinds = declarableKinds
  .flatMap(({ title, identity }) => (identity.by === 'field' ? [title] : []))
  .sort()

/** The kind of a policy's subject. */
export function kindOf({ kind: title }: PolicySubject): DeclarableKind {
  const kind = kinds.find(each => each.title === title)
  if (!kind) throw new RangeError(`the kind "${title}" does not exist`)
  return kind
}

/** Whether it is certainly off, whatever its release. */
export function isOff(subject: PolicySubject): boolean {
  const turned = switchField(kindOf(subject))
  return turned !== undefined && subject.attributes[turned] === false
}

/** By type and not by class: an app may contain constructs from another copy of this package. */
const kinds = declarableKinds.filter(({ identity }) => identity.by === 'field')

/** A grant for policies, from our constructs or from the generated ones. */
export interface GrantSubject {
  /** The key of the flag; undefined if it is known only in a plan. */
  readonly flag: string | undefined
  /** The id of the role; undefined if it is known only in a plan. */
  readonly roleId: string | undefined
  /** The name of the role in the app: `Role.fromId(id, 'support')`. */
  readonly roleName: string | undefined
  /** The role's level for the flag; undefined if it is known only in a plan. */
  readonly level: string | undefined
  /** The generated construct, which messages refer to. */
  readonly construct: TerraformResource
  /** The current attributes for the synthesis, including `addOverride`. */
  readonly attributes: Attributes
}

/** A construct as a grant for policies; undefined for all other constructs. */
export function grantOf(construct: IConstruct): GrantSubject | undefined {
  if (!TerraformResource.isTerraformResource(construct)) return undefined
  if (construct.terraformResourceType !== typeName(roleAccess.name)) return undefined
  const attributes = attributesOf(construct)
  if (attributes === undefined) return undefined
  const { role_id: role, access_level: level } = attributes
  return {
    flag: flagOf(construct, attributes),
    roleId: textInService(role),
    roleName: roleInPath(construct.node.path),
    level: textInService(level ?? roleAccess.fields.access_level.assumed),
    construct,
    attributes,
  }
}

/** The key of the flag that a grant refers to by id, if the id is an attribute of a resource in the stack. */
function flagOf(grant: TerraformResource, attributes: Attributes): string | undefined {
  const stack = TerraformStack.of(grant)
  const id = resolveInStack(grant, attributes[parentAttribute(roleAccess) ?? ''])
  const [, address] =
    /^\$\{((?:data\.)?vexil_feature_flag\.[\w-]+)(?:\[[^\]]+\])?\.id\}$/.exec(String(id)) ?? []
  const flag = address === undefined ? undefined : declaredAt(stack, address)
  return flag && textInService(attributesOf(flag)?.[identityField(featureFlag)])
}

function declaredAt(stack: TerraformStack, address: string): Declared | undefined {
  const before = found.get(stack)?.get(address)
  // Names may change until the synthesis.
  if (before && addressOf(before) === address) return before
  const all = stack.node.findAll().filter(isDeclared)
  const byAddress = new Map(all.map(declared => [addressOf(declared), declared]))
  found.set(stack, byAddress)
  return byAddress.get(address)
}

const found = new WeakMap<TerraformStack, ReadonlyMap<string, Declared>>()

/**
 * The conditions under which people get a flag, from its attributes, typed or JSON. Undeclared parts, and
 * those that are known only at plan time, are marked.
 */
export function declaredRelease(attributes: Attributes): DeclaredRelease {
  const filters = filtersIn(attributes)
  return filters === 'undeclared' || filters === 'unknown' ? filters : releaseIn(filters, references)
}

const references: References = {
  isReference,
  shown: condition => (hasReference(condition) ? shown(condition) : condition),
}

/** Replaces the engine's marks by the word "reference". */
function shown(condition: Json): Json {
  const text = JSON.stringify(condition, (_, member: unknown) =>
    typeof member === 'number' && isReference(member) ? '(reference)' : member,
  )
  // Valid JSON stays valid.
  return JSON.parse(replaceMarks(text, '(reference)')) as Json
}

function filtersIn(attributes: Attributes): Json | 'undeclared' | 'unknown' {
  const { filters, release, rollout_percentage: share } = attributes
  if (typeof filters === 'string') return filtersInText(filters)
  if (isGiven(filters)) return 'unknown'
  if (isGiven(release)) return conditionsIn(release)
  if (isGiven(share))
    return encodeFilters({ release: [{ rollout_percentage: marked(share) }] }, 'as on the wire')
  // Filters without conditions mean everybody.
  return typedAttributes.some(name => isGiven(attributes[name])) ? {} : 'undeclared'
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function filtersInText(text: string): Json | 'unknown' {
  if (hasMark(text) && replaceMarks(text, '').trim() === '') return 'unknown'
  try {
    // The number that represents a mark is valid JSON anywhere: as a value, and inside a text.
    const pieces = splitMarks(text).map((piece, index) => (index % 2 === 1 ? String(markedNumber) : piece))
    return JSON.parse(pieces.join('')) as Json
  } catch {
    return 'unknown'
  }
}

function conditionsIn(declared: unknown): Json | 'unknown' {
  const conditions = elementsOf(declared)
  if (conditions === undefined) return 'unknown'
  const release = conditions.map(condition => {
    const properties = isGiven(condition.properties) ? elementsOf(condition.properties) : []
    return marked({ ...condition, properties: properties ?? markedNumber })
  })
  return encodeFilters({ release }, 'as on the wire')
}

/** A value as JSON; a value that is known later becomes the number that represents a mark. */
function marked(value: unknown): Json {
  if (markedForm(value) === 'any') return markedNumber
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member ?? null)]))
  }
  // Besides lists, objects and references, the generated construct accepts only texts, numbers and booleans.
  return value as Json
}

/** The elements of a list; an override of one element turns the list into an object with indexes. */
function elementsOf(list: unknown): { readonly [name: string]: unknown }[] | undefined {
  if (typeof list !== 'object' || list === null || isReference(list)) return undefined
  const elements: unknown[] = Object.values(list)
  return elements.every(element => typeof element === 'object' && element !== null && !isReference(element))
    ? (elements as { readonly [name: string]: unknown }[])
    : undefined
}

/** A percentage of a policy: a number from 0 to 100. */
export function knownPercentage(value: unknown, name: string, policy: string): number {
  const percent = knownNumber(value, name)
  if (percent >= 0 && percent <= 100) return percent
  throw new RangeError(`${policy}: ${percent} is not a percentage; write a number from 0 to 100`)
}

/** A text as it will be in the service; undefined if Terraform evaluates a part of it. */
export function textInService(text: unknown): string | undefined {
  if (typeof text !== 'string' || hasExpression(withoutGuard(text))) return undefined
  return textOfLiteral(text)
}

/** The tags of a resource; undefined for each tag that is known only in a plan. */
export function knownTags(tags: unknown): readonly (string | undefined)[] {
  if (tags === undefined || tags === null) return []
  return Array.isArray(tags) && !isReference(tags) ? tags.map(textInService) : [undefined]
}

interface Attributes {
  readonly [name: string]: unknown
}

/**
 * The current attributes that a resource or a data source will be synthesized with, including `addOverride`
 * and the results of every `Lazy`.
 */
function attributesOf(declared: Declared): Attributes | undefined {
  // A resource that was moved elsewhere is only a note about that.
  const known = settled(declared, writtenAttributes(declared))
  return isRecord(known) ? known : undefined
}

/**
 * The resolved value of a construct, as far as it is known: a `Lazy` is the constant that it produces. A
 * value that Terraform evaluates stays a reference.
 */
function settled(scope: IConstruct, value: unknown): unknown {
  if (markedForm(value) !== undefined) return produced(scope, value)
  if (typeof value === 'string') return settledText(scope, value)
  return withMembers(value, member => settled(scope, member))
}

function settledText(scope: IConstruct, text: string): string {
  return splitMarks(text)
    .map((piece, index) => (index % 2 === 1 ? String(produced(scope, piece)) : piece))
    .join('')
}

function produced(scope: IConstruct, reference: unknown): unknown {
  const resolved = resolveInStack(scope, reference)
  // The reference still shows its type.
  if (typeof resolved === 'string' && onlyExpression(resolved) !== undefined) return reference
  return withReferences(resolved)
}

/** A value from the engine, with references in place of expressions. */
function withReferences(value: unknown): unknown {
  if (typeof value !== 'string') return withMembers(value, withReferences)
  return templatePieces(value)
    .map((piece, index) => (index % 2 === 1 ? Token.asString(Token.asAny(piece)) : piece))
    .join('')
}

function withMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))
}

/** The engine's output for a value of a construct: `${var.share}` in place of a mark. */
function resolveInStack(scope: IConstruct, value: unknown): unknown {
  return Tokenization.resolve(value, { scope, resolver: new DefaultTokenResolver(new StringConcat()) })
}

/**
 * The engine's expression for a value, without its braces; undefined for other values, for a text with more
 * content, and for an expression without a reference.
 */
export function expressionIn(scope: IConstruct, value: unknown): string | undefined {
  const [, expression] = /^\$\{(.*)\}$/s.exec(String(resolveInStack(scope, value))) ?? []
  if (expression === undefined || /[$%]\{/.test(expression)) return undefined
  const withoutTexts = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  return /[a-z_][\w-]*[.[]/i.test(withoutTexts) ? expression : undefined
}
