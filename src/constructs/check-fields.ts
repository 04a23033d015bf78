import { Annotations, Aspects, type TerraformProvider, type TerraformResource, TerraformStack } from 'cdktf'
import type { Construct } from 'constructs'
import { type Services, servicesOf } from '../model/connection.ts'
import { type DeclarableKind, managedFields, targetingField } from '../model/kind.ts'
import type { JsonObject } from '../model/text/json.ts'
import { segmentsOf } from '../model/text/pointer.ts'
import type { ObjectProblem } from '../rules/check-field.ts'
import { checkManifest, checkObject, checkOffered, checkSourceNames } from '../rules/check-object.ts'
import { isKnown } from '../rules/contradictions.ts'
import { strangeNames } from '../targeting/check/filter-mistakes.ts'
import { knownTexts, knownTruth, notA, type Reader } from './argument.ts'
import { hasMark, markedForm, propertyOf } from './engine/engine-marks.ts'
import { VexilProvider } from './generated/provider/index.ts'
import { partlyKnown } from './templates.ts'

/** Throws the problems of properties that are fields of a kind, including missing ones. */
export function requireRight(kind: DeclarableKind, props: object): void {
  const given = new Map<string, unknown>(Object.entries(props))
  const missing = managedFields(kind).find(
    name => kind.fields[name]?.required && given.get(propertyOf(name)) === undefined,
  )
  // The compiler also reports this, in TypeScript.
  if (missing !== undefined) throw new Error(`"${propertyOf(missing)}" is missing`)
  requireRightFields(kind, props)
}

/**
 * Throws the problems of some fields, all at once; references count as valid. Several properties together
 * define who gets an object, so that is checked where they are combined.
 */
export function requireRightFields(kind: DeclarableKind, props: object): void {
  const given = new Map<string, unknown>(Object.entries(props))
  const names = managedFields(kind).filter(name => name !== targetingField(kind))
  const fields = names.flatMap(name => {
    const value = given.get(propertyOf(name))
    return value === undefined ? [] : [[name, partlyKnown(value)] as const]
  })
  // Only YAML warns about what newer services refuse, and only the reader of a stack knows its engines.
  const problems = checkObject(kind, Object.fromEntries(fields)).filter(
    ({ rule }) => rule !== 'characters' && rule !== 'engines',
  )
  if (problems.length > 0) throw new Error(problems.map(inText).join('; '))
}

function inText({ rule, pointer, field, message, hint }: ObjectProblem): string {
  const [, index] = segmentsOf(pointer)
  const words = message.replace(field, propertyOf(field))
  if (rule === 'length' && index !== undefined) return `${propertyOf(field)}[${index}]: ${words} (${hint})`
  return rule === 'empty' || hint === undefined ? words : `${words} (${hint})`
}

/**
 * Throws the problems of an object's source files: their names, and contradictions between its properties and
 * the file that describes it, which the service would prefer. References count as valid.
 */
export function requireRightSource(
  kind: DeclarableKind,
  props: object,
  source: { readonly [file: string]: string } = {},
): void {
  const known = Object.entries(source).filter(([file, text]) => !hasMark(file) && !hasMark(text))
  const names = checkSourceNames(Object.keys(source).filter(file => !hasMark(file)))
  const described = checkManifest(kind, knownFields(kind, props), Object.fromEntries(known))
  const problems = [
    ...names.map(({ message, hint }) => lineOf('source', message, hint)),
    ...described.map(({ pointer, field, rule, message, hint }) =>
      rule === 'manifest-text'
        ? lineOf(`source["${segmentsOf(pointer)[1]}"]`, message, hint)
        : lineOf(propertyOf(field), message.replace(field, propertyOf(field)), hint),
    ),
  ]
  if (problems.length > 0) throw new Error(problems.join('; '))
}

function knownFields(kind: DeclarableKind, props: object): JsonObject {
  const given = new Map<string, unknown>(Object.entries(props))
  const fields = managedFields(kind).flatMap(name => {
    const value = partlyKnown(given.get(propertyOf(name)) ?? null)
    return isKnown(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(fields)
}

function lineOf(name: string, message: string, hint: string | undefined): string {
  return `"${name}": ${message}${hint === undefined ? '' : ` (${hint})`}`
}

/** The reader for the hidden parts of a flag. Terraform does not accept references in comments. */
export const sensitiveValues: Reader<boolean | readonly string[]> = (value, name) => {
  if (Array.isArray(value)) return knownTexts(value, name)
  if (typeof value !== 'boolean' && markedForm(value) === undefined)
    throw notA('true, false or a list of variants', value, name)
  return knownTruth(value, name)
}

/** Throws if a name has no payload. A flag without declared filters may have any payloads. */
export function requirePayloads(
  sensitive: boolean | readonly string[] | undefined,
  filters: { readonly [member: string]: unknown } | undefined,
): void {
  if (filters === undefined || typeof sensitive !== 'object') return
  const { payloads } = filters
  const known = typeof payloads === 'object' && payloads !== null ? payloads : {}
  const [strange] = strangeNames(sensitive, known)
  if (strange)
    throw new Error(
      `sensitive names ${JSON.stringify(strange.name)}, for which there is no payload; ${strange.hint}`,
    )
}

/** Writes the value into the stack for Vexil, as a comment that Terraform ignores. */
export function writeSensitive(
  resource: TerraformResource,
  sensitive: boolean | readonly string[] | undefined,
): void {
  if (sensitive) resource.addOverride('//.vexil.sensitive', sensitive)
}

/** The messages for a construct, once its possible services are known. */
export interface Messages {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** An object with a provider: its own, or that of its stack. */
interface Provided {
  readonly provider?: TerraformProvider | undefined
}

/**
 * Checks a construct at synthesis, because its provider may be created after it: the provider's `profile`
 * names the service. Without a known profile, any service is possible.
 */
export function checkOnServices(
  construct: Construct,
  provided: Provided,
  check: (services: Services) => Messages,
): void {
  Aspects.of(construct).add({
    visit(node) {
      if (node !== construct) return
      const { errors, warnings } = check(servicesFor(construct, provided))
      for (const error of errors) Annotations.of(construct).addError(error)
      for (const warning of warnings) Annotations.of(construct).addWarning(warning)
    },
  })
}

/** The messages for fields that services lack. */
export function fieldMessages(kind: DeclarableKind, props: object, services: Services): Messages {
  const given = new Map<string, unknown>(Object.entries(props))
  const fields = managedFields(kind).flatMap(name => {
    const value = given.get(propertyOf(name))
    return value === undefined ? [] : [[name, partlyKnown(value)] as const]
  })
  const lacking = checkOffered(kind, Object.fromEntries(fields), services)
  const lines = (severity: 'error' | 'warning') =>
    lacking
      .filter(each => each.severity === severity)
      .map(({ field, message, hint }) => `${message.replace(field, propertyOf(field))} (${hint})`)
  return { errors: lines('error'), warnings: lines('warning') }
}

function servicesFor(construct: Construct, { provider }: Provided): Services {
  const ours = provider === undefined ? defaultProviders(TerraformStack.of(construct)) : [provider]
  return servicesOf(ours.map(each => (each instanceof VexilProvider ? textOf(each.profileInput) : undefined)))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The default providers of a stack; found once, because a stack may have thousands of resources. */
function defaultProviders(stack: TerraformStack): readonly VexilProvider[] {
  const known = found.get(stack)
  if (known) return known
  const providers = stack
    .allProviders()
    .filter(each => each instanceof VexilProvider)
    .filter(({ alias }) => alias === undefined)
  found.set(stack, providers)
  return providers
}

const found = new WeakMap<TerraformStack, readonly VexilProvider[]>()
