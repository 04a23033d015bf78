import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { BigNum, doubleOf } from '../hcl/json.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/text/json.ts'
import { messageOf } from '../model/text/message-of.ts'
import { pointerOf } from '../model/text/pointer.ts'

/** A problem of a schema, or of a payload. The pointer is inside that. */
export interface PayloadProblem {
  readonly pointer: string
  readonly message: string
  readonly hint?: string
}

/** A usable schema, or why it is unusable. */
export type CompiledSchema =
  | { readonly check: (payload: Json) => readonly PayloadProblem[] }
  | { readonly problems: readonly PayloadProblem[] }

/**
 * Compiles JSON Schemas of payloads, draft 2020-12. Schemas are never fetched. Patterns have RE2 syntax,
 * without look-around and back references, so matching takes linear time. If references branch without end,
 * checking a payload stops after `mostSteps` of them. A keyword that is not in the draft is a problem,
 * because it would check nothing.
 */
export class PayloadSchemas {
  readonly #steps: Steps = { left: 0 }
  readonly #ajv = newAjv(this.#steps)

  compile(schema: JsonObject): CompiledSchema {
    const foreign = foreignParts(schema)
    if (foreign.length > 0) return { problems: foreign }
    try {
      const problems = this.#shapeProblems(schema)
      if (problems.length > 0) return { problems }
      // Without an id, a schema cannot refer to its root.
      const validate = this.#ajv.compile({ ...counted(plain(schema)), $id: 'vexil:payload' })
      return {
        check: payload => {
          this.#steps.left = mostSteps
          return checkPayload(validate, payload)
        },
      }
    } catch (error) {
      return { problems: [compileProblem(schema, error)] }
    }
  }

  #shapeProblems(schema: JsonObject): PayloadProblem[] {
    if (this.#ajv.validateSchema(plain(schema)) === true) return []
    const [first] = this.#ajv.errors ?? []
    // One wrong keyword breaks several rules of the meta-schema; the first one names it.
    return first
      ? [{ pointer: first.instancePath, message: `the value is not a JSON Schema: ${wordsOf(first)}` }]
      : []
  }
}

/** The most references for one payload; a usual schema needs a few for each member. */
const mostSteps = 100_000

interface Steps {
  left: number
}

class TooManySteps extends Error {}

/** A keyword that no other schema uses. It is added to each reference, and only counts them. */
const step = 'vexil:step'

function newAjv(steps: Steps): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    logger: false,
    // Two flags may have schemas with the same id.
    addUsedSchema: false,
    inlineRefs: false,
    strictSchema: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allowUnionTypes: true,
    code: { regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
  })
  addFormats.default(ajv)
  ajv.addKeyword({
    keyword: step,
    schema: false,
    validate: () => {
      steps.left -= 1
      if (steps.left < 0) throw new TooManySteps()
      return true
    },
  })
  return ajv
}

function linearPattern(pattern: string) {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
  // The library identifies patterns by their text.
  return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern }
}

/** Members that hold schemas by free names, such as `default`. */
const schemaMaps = ['$defs', 'definitions', 'properties', 'patternProperties', 'dependentSchemas']

/** Members that contain values, not schemas. */
const valueMembers = ['const', 'enum', 'default', 'examples']

/** References out of a schema, and patterns that are not matched in linear time. */
function foreignParts(schema: Json, pointer = ''): PayloadProblem[] {
  if (isJsonArray(schema))
    return schema.flatMap((part, index) => foreignParts(part, pointer + pointerOf(index)))
  if (!isJsonObject(schema)) return []
  return Object.entries(schema).flatMap(([name, value]) => {
    const at = pointer + pointerOf(name)
    if (valueMembers.includes(name)) return []
    if (
      name === '$schema' &&
      typeof value === 'string' &&
      !/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(value)
    )
      return [{ pointer: at, message: 'only draft 2020-12 is supported', hint: 'remove "$schema"' }]
    if ((name === '$ref' || name === '$dynamicRef') && typeof value === 'string' && !value.startsWith('#'))
      return [
        {
          pointer: at,
          message: `${JSON.stringify(value)} is outside this schema, and Vexil never fetches schemas`,
          hint: 'move the schema below "$defs" and refer to "#/$defs/NAME"',
        },
      ]
    if (name === 'pattern' && typeof value === 'string') return patternProblems(value, at)
    const names = name === 'patternProperties' && isJsonObject(value) ? Object.keys(value) : []
    return [
      ...names.flatMap(pattern => patternProblems(pattern, at + pointerOf(pattern))),
      ...foreignParts(value, at),
    ]
  })
}

function patternProblems(pattern: string, pointer: string): PayloadProblem[] {
  try {
    linearPattern(pattern)
    return []
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    return [
      {
        pointer,
        message: `the pattern ${JSON.stringify(pattern)} cannot be used: ${error.message}`,
        hint: 'write the pattern in RE2 syntax, without look-around and back references',
      },
    ]
  }
}

/** The library reports only the keyword: the first place with that keyword is used. */
function compileProblem(schema: JsonObject, error: unknown): PayloadProblem {
  const message = messageOf(error).replace(/^strict mode: /, '')
  const [, named] = /keyword: "([^"]+)"|format "([^"]+)"|reference (\S+)/.exec(message) ?? []
  return {
    pointer: (named !== undefined && placeOfMember(schema, named)) || '',
    message: `the schema cannot be used: ${message.split('\n')[0]}`,
  }
}

function placeOfMember(value: Json, wanted: string, pointer = ''): string | undefined {
  if (!isJsonObject(value) && !isJsonArray(value)) return undefined
  for (const [name, member] of Object.entries<Json>({ ...value })) {
    const at = pointer + pointerOf(name)
    const found = name === wanted ? at : placeOfMember(member, wanted, at)
    if (found !== undefined) return found
  }
  return undefined
}

function checkPayload(validate: ValidateFunction, payload: Json): readonly PayloadProblem[] {
  try {
    if (validate(plain(payload))) return []
  } catch (error) {
    if (error instanceof TooManySteps)
      return [
        {
          pointer: '',
          message: `checking this payload follows more than ${mostSteps} references of the schema`,
        },
      ]
    if (!(error instanceof RangeError)) throw error
    return [{ pointer: '', message: 'the schema refers to itself without end' }]
  }
  const all = (validate.errors ?? []).map(error => ({ pointer: error.instancePath, message: wordsOf(error) }))
  // If no alternative matches, each of them is reported, and then all together.
  return [...new Map(all.map(problem => [`${problem.pointer}\n${problem.message}`, problem])).values()]
}

function wordsOf({ keyword, message = keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${message}, as ${JSON.stringify(params.additionalProperty ?? params.unevaluatedProperty)}`
    case 'enum':
      return `${message}: ${(params.allowedValues as readonly unknown[]).map(value => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    default:
      return message
  }
}

/** A schema that counts the followed references. Values in it do not change. */
function counted<Value extends Json>(schema: Value): Value {
  // The type stays the same: only members are added.
  return countedJson(schema) as Value
}

function countedJson(schema: Json): Json {
  if (isJsonArray(schema)) return schema.map(countedJson)
  if (!isJsonObject(schema)) return schema
  const members = Object.entries(schema).map(([name, value]) => {
    if (valueMembers.includes(name)) return [name, value]
    if (!schemaMaps.includes(name) || !isJsonObject(value)) return [name, countedJson(value)]
    const byName = Object.entries(value).map(([own, part]) => [own, countedJson(part)])
    return [name, Object.fromEntries(byName)]
  })
  const refers = typeof schema.$ref === 'string' || typeof schema.$dynamicRef === 'string'
  return { ...Object.fromEntries(members), ...(refers ? { [step]: true } : {}) }
}

/** The value with numbers that the library supports; digits beyond a double do not matter to a schema. */
function plain<Value extends Json>(value: Value): Value {
  // The type stays the same: only numbers with many digits change.
  return plainJson(value) as Value
}

function plainJson(value: Json): Json {
  if (isJsonArray(value)) return value.map(plainJson)
  if (value instanceof BigNum) return doubleOf(value) ?? 0
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainJson(member)]))
}
