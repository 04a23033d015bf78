import { decodeValue, encodeValue } from '../../hcl/msgpack.ts'
import { readStrictJson } from '../../hcl/strict-json.ts'
import {
  type AttributePath,
  decodeState,
  hasSameMembers,
  isObjectValue,
  isWhollyKnown,
  mapElements,
  mapMembers,
  type ObjectType,
  type ObjectValue,
  type PathStep,
  showPath,
  stateValue,
  type Type,
  typeJson,
  Unknown,
  type Value,
  ValueError,
} from '../../hcl/values.ts'
import { oncePer } from '../../model/runtime.ts'
import type { Json } from '../../model/text/json.ts'
import {
  type Attribute,
  type Attributes,
  type Block,
  type CallContext,
  type Diagnostic,
  DiagnosticError,
  type Diagnostics,
  errorDiagnostic,
  hasError,
  type IdentityAttribute,
  isComputed,
  isNestedAttribute,
  type Resource,
  type ResourceIdentity,
  type Schema,
  typeOfBlock,
} from '../provider.ts'
import type { Draft, Message } from './messages.ts'

/** Finds a member by name. Terraform uses names from the schema, so this fails only if versions differ. */
export function lookUp<T>(members: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = Object.hasOwn(members, name) ? members[name] : undefined
  if (found === undefined) throw new DiagnosticError(errorDiagnostic(`the provider has no ${what} "${name}"`))
  return found
}

type WireValue = Message<'DynamicValue'> | undefined

/** Reads a value from the wire. An absent value is null. */
export function readValue(type: Type, wire: WireValue): Value {
  if (wire && wire.msgpack.length > 0) return decodeValue(type, wire.msgpack)
  if (wire && wire.json.length > 0) return decodeState(type, Buffer.from(wire.json).toString())
  return null
}

/** Reads an object from the wire; null if it is absent. */
export function readObject(block: Block, wire: WireValue): ObjectValue | null {
  const value = readValue(typeOfBlock(block), wire)
  if (value === null || isObjectValue(value)) return value
  throw new ValueError([], 'an object is required')
}

/** Reads an object that must not be absent. */
export function readPresent(block: Block, wire: WireValue): ObjectValue {
  const value = readObject(block, wire)
  if (!value) throw new ValueError([], 'Terraform sent no value')
  return value
}

export function writeValue(type: Type, value: Value): Draft<'DynamicValue'> {
  return { msgpack: encodeValue(type, value) }
}

/** Encodes an object with every attribute of its schema. Missing attributes are null. */
export function writeObject(block: Block, value: ObjectValue | null): Draft<'DynamicValue'> {
  return writeValue(typeOfBlock(block), value)
}

/** Encodes a stored value. Only a plan may contain unknown values. */
export function writeKnown(block: Block, value: ObjectValue | null): Draft<'DynamicValue'> {
  const type = typeOfBlock(block)
  const written = writeValue(type, value)
  const [open] = unknownPaths(type, value, [])
  if (open) throw new ValueError(open, 'the value is unknown, which is allowed only in a plan')
  return written
}

/** The bytes that an object was read from, if the object is unchanged; otherwise undefined. */
export function asRead(
  value: ObjectValue | null,
  read: ObjectValue | null,
  wire: WireValue,
): Draft<'DynamicValue'> | undefined {
  const isSame = value !== null && read !== null && hasSameMembers(value, read)
  return isSame ? wire : undefined
}

/** Whether two values have the same bytes on the wire, and so are equal. */
export function isSameWire(one: WireValue, other: WireValue): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    Buffer.compare(one.msgpack, other.msgpack) === 0 &&
    Buffer.compare(one.json, other.json) === 0
  )
}

export function diagnosticsToWire(diagnostics: Diagnostics = []): Draft<'Diagnostic'>[] {
  return diagnostics.map(diagnosticToWire)
}

export function pathToWire(path: AttributePath): Draft<'AttributePath'> {
  return { steps: path.map(stepToWire) }
}

/**
 * Terraform underlines an attribute or one of its elements. For a longer path it underlines the whole
 * resource, so the path ends at the element and the text names the rest.
 */
function diagnosticToWire({ severity, summary, detail = '', attribute }: Diagnostic): Draft<'Diagnostic'> {
  const plain = {
    severity,
    summary: shortened(summary, longestSummary),
    detail: shortened(detail, longestDetail),
  }
  if (!attribute || attribute.length === 0) return plain
  const element = attribute.findIndex(step => typeof step !== 'string')
  const followed = element === -1 ? attribute : attribute.slice(0, element + 1)
  const place = showPath(attribute)
  const isNamed = followed.length === attribute.length || detail.startsWith(place)
  return {
    ...plain,
    detail: isNamed ? plain.detail : [place, plain.detail].filter(Boolean).join(': '),
    attribute: pathToWire(followed),
  }
}

/** A value can be as long as a file, and its message must stay readable. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  return `${[...text.slice(0, most)].slice(0, -most / 10).join('')} … ${text.slice(-most / 10)}`
}

const longestSummary = 300
const longestDetail = 4000

function stepToWire(step: PathStep): Draft<'Step'> {
  if (typeof step === 'string') return { attribute_name: step }
  return typeof step === 'number' ? { element_key_int: step } : { element_key_string: step.key }
}

export function schemaToWire({ version, block }: Schema): Draft<'Schema'> {
  const { attributes, description } = block
  return {
    version,
    block: {
      // Terraform stores the schema's version. The version of a block is a relic that must be equal.
      version,
      attributes: attributesToWire(attributes),
      description,
      description_kind: 'markdown',
    },
  }
}

function attributesToWire(attributes: Attributes): Draft<'Attribute'>[] {
  return Object.entries(attributes).map(([name, attribute]) => attributeToWire(name, attribute))
}

function attributeToWire(name: string, attribute: Attribute): Draft<'Attribute'> {
  const { presence, description, sensitive } = attribute
  return {
    name,
    ...(isNestedAttribute(attribute)
      ? { nested_type: { attributes: attributesToWire(attribute.attributes), nesting: attribute.nesting } }
      : { type: Buffer.from(typeJson(attribute.type)) }),
    description,
    required: presence === 'required',
    optional: presence === 'optional' || presence === 'optional+computed',
    computed: isComputed(attribute),
    sensitive,
    description_kind: 'markdown',
  }
}

export function unknownPaths(type: Type, value: Value, path: AttributePath): readonly AttributePath[] {
  if (value instanceof Unknown) return [path]
  if (value === null || typeof type === 'string') return []
  return Object.values(mapElements(type, value, path, unknownPaths)).flat()
}

export function nullUnknowns(type: Type, value: Value): Value {
  if (value instanceof Unknown) return null
  return value === null || typeof type === 'string' ? value : mapElements(type, value, [], nullUnknowns)
}

type WireIdentity = Draft<'ResourceIdentityData'>

/**
 * The identity of an object for an answer. Terraform stores the identity of the last answer, or none if the
 * answer has none. So without a better identity, the answer repeats the request's identity.
 */
export function identityIn(
  { identity }: Resource,
  values: ObjectValue | null,
  asked?: Message<'ResourceIdentityData'>,
): WireIdentity | undefined {
  const found = values === null ? undefined : identity?.of(values)
  if (!identity || !found || !isWhollyKnown(found)) return values === null ? undefined : asked
  return { identity_data: writeValue(typeOf(identity), found) }
}

/**
 * The identity of a planned object. A new object with an unknown identity gets none: Terraform would accept
 * it, and then fail to print its plan as JSON.
 */
export function plannedIdentity(
  resource: Resource,
  prior: ObjectValue | null,
  planned: ObjectValue,
  asked: Message<'ResourceIdentityData'> | undefined,
): WireIdentity | undefined {
  if (prior !== null) return identityIn(resource, prior) ?? identityIn(resource, planned, asked)
  return identityIn(resource, planned)
}

/** The identity in an import; undefined if the import names an id. */
export function askedIdentity(
  { identity }: Resource,
  asked: Message<'ResourceIdentityData'> | undefined,
): ObjectValue | undefined {
  const value = identity && readValue(typeOf(identity), asked?.identity_data)
  return value && isObjectValue(value) ? value : undefined
}

/** Reads a stored identity. Only one version exists, so any other version is refused. */
export function upgradeIdentity(
  { identity }: Resource,
  version: number,
  raw: Message<'RawState'> | undefined,
): WireIdentity {
  if (!identity) throw new DiagnosticError(errorDiagnostic('objects of this type have no identity'))
  requireVersion('identity', version, identity.version)
  const type = typeOf(identity)
  return { identity_data: writeValue(type, stateValue(type, parseRawState(raw))) }
}

export function identityToWire({ version, attributes }: ResourceIdentity): Draft<'ResourceIdentitySchema'> {
  return {
    version,
    identity_attributes: Object.entries(attributes).map(
      ([name, { type, description, required = false }]) => ({
        name,
        type: Buffer.from(typeJson(type)),
        required_for_import: required,
        optional_for_import: !required,
        description,
      }),
    ),
  }
}

const typeOf = oncePer(
  ({ attributes }: ResourceIdentity): ObjectType => [
    'object',
    mapMembers(attributes, ({ type }: IdentityAttribute) => type),
  ],
)

/** Converts the state of another type's resource, for a `moved` block. */
export async function moveResource(
  resource: Resource,
  request: Message<'MoveResourceStateRequest'>,
  context: CallContext,
): Promise<Draft<'MoveResourceStateResponse'>> {
  const { source_provider_address: provider, source_type_name: type, target_type_name: target } = request
  const { schema, move } = resource
  const source = {
    provider,
    type,
    version: Number(request.source_schema_version),
    state: parseRawState(request.source_state),
  }
  const answer = await move?.(source, context)
  if (!answer) {
    throw new DiagnosticError(
      errorDiagnostic(
        `a "${type}" of ${provider} cannot be moved to "${target}"`,
        'remove it from the state and import it instead',
      ),
    )
  }
  const { state, private: kept, diagnostics = [] } = answer
  if (hasError(diagnostics)) return { diagnostics: diagnosticsToWire(diagnostics) }
  return {
    target_state: writeKnown(schema.block, state),
    target_private: kept,
    target_identity: identityIn(resource, state),
    diagnostics: diagnosticsToWire(diagnostics),
  }
}

/** Called before every read. Only one version exists, so any other version is refused. */
export function upgradeState(
  { version: known, block }: Schema,
  version: number,
  raw: Message<'RawState'> | undefined,
): ObjectValue | null {
  requireVersion('state', version, known)
  const state = parseRawState(raw)
  if (state === null) return null
  const value = stateValue(typeOfBlock(block), state)
  return isObjectValue(value) ? value : null
}

/** Refuses data that another version of the provider wrote. */
function requireVersion(what: string, version: number, known: number): void {
  if (version === known) return
  throw new DiagnosticError(
    errorDiagnostic(
      `another version of the provider wrote the ${what}`,
      `it has version ${version}, but this provider supports only ${known}; use the provider of that version, or remove the object from the state and import it again`,
    ),
  )
}

/** A state from the file. Numbers keep their spelling. */
function parseRawState(raw: Message<'RawState'> | undefined): Json {
  return raw && raw.json.length > 0 ? readStrictJson(Buffer.from(raw.json).toString()) : null
}
