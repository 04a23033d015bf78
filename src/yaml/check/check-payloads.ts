import { targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { canonicalText, isJsonObject, type JsonObject } from '../../model/text/json.ts'
import { pointerOf } from '../../model/text/pointer.ts'
import { type CompiledSchema, type PayloadProblem, PayloadSchemas } from '../../rules/payload-schema.ts'
import { isJsonText, payloadValue } from '../../targeting/canonical-filters.ts'
import { hasPayloadSchemas, type Layer, type ObjectDeclaration } from '../declaration.ts'
import { effectiveIn, layersIn, placeInFile } from '../resolve/layers.ts'
import { type Environment, environmentsOf, type Settings } from '../settings.ts'
import { reporter, shownProblem } from './check-declaration.ts'
import { once, quote } from './problem-order.ts'

/** Payloads that do not match their flag's `payload_schema`, in each environment, and invalid schemas. */
export function checkPayloads(objects: readonly ObjectDeclaration[], settings: Settings): Problem[] {
  const schemas = new PayloadSchemas()
  const compiled = new Map<string, CompiledSchema>()
  // Flags share a schema by an anchor. Compiling the schema takes longer than all other checks of a flag.
  const compile = (schema: JsonObject) => {
    const text = canonicalText(schema)
    const known = compiled.get(text) ?? schemas.compile(schema)
    compiled.set(text, known)
    return known
  }
  const environments = environmentsOf(settings)
  const named = objects.filter(one => hasPayloadSchemas([one]))
  return once(named.flatMap(one => environments.flatMap(each => problemsIn(one, each, compile))))
}

function problemsIn(
  declaration: ObjectDeclaration,
  environment: Environment,
  compile: (schema: JsonObject) => CompiledSchema,
): Problem[] {
  const layers = layersIn(declaration, environment.name)
  const holder = layers.find(({ payloadSchema }) => payloadSchema !== undefined)
  const schema = holder?.payloadSchema
  if (!holder || !isJsonObject(schema)) return []
  const compiled = compile(schema)
  if ('problems' in compiled) return compiled.problems.map(problem => ofSchema(declaration, holder, problem))
  const field = targetingField(declaration.kind) ?? ''
  const filled = layers.find(({ fields }) => fields[field] !== undefined)
  const isPresent = effectiveIn(declaration, environment)?.ensure === 'present'
  return filled && isPresent ? ofPayloads(declaration, filled, field, compiled.check) : []
}

function ofSchema(declaration: ObjectDeclaration, { pointer }: Layer, problem: PayloadProblem): Problem {
  const place = pointer + pointerOf('payload_schema') + problem.pointer
  const reported = { ...problem, code: 'payload-schema', severity: 'error' } as const
  return reporter(declaration)(place, shownProblem(declaration.file, reported, place))
}

function ofPayloads(
  declaration: ObjectDeclaration,
  layer: Layer,
  field: string,
  check: Extract<CompiledSchema, { check: unknown }>['check'],
): Problem[] {
  const filters = layer.fields[field]
  const payloads = isJsonObject(filters) ? filters.payloads : undefined
  if (!isJsonObject(payloads)) return []
  const { file } = declaration
  return Object.entries(payloads).flatMap(([name, payload]) =>
    check(payloadValue(payload)).map(({ pointer, message }) => {
      // A text has no inner lines to show.
      const isText = typeof payload === 'string' && isJsonText(payload)
      const inside = isText ? '' : pointer
      const place = placeInFile(layer, pointerOf(field, 'payloads', name) + inside)
      const where = pointer === '' ? '' : `${quote(pointer)} `
      const reported = {
        code: 'payload-mismatch',
        severity: 'error',
        message: `the payload of ${quote(name)} does not match payload_schema: ${where}${message}`,
        hint: 'correct the payload or the schema',
      } as const
      return reporter(declaration)(place, shownProblem(file, reported, place))
    }),
  )
}
