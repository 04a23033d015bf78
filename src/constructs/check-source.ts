import type { JsonObject } from '../model/json/json.ts'
import { type DeclarableKind, managedFields } from '../model/kind.ts'
import { checkManifest, checkSourceNames } from '../rules/check-object.ts'
import { isKnown } from '../rules/known-part.ts'
import { hasMark } from './engine/engine-marks.ts'
import { propertyOf } from './engine/property-name.ts'
import { partlyKnown } from './synthesized/terraform-references.ts'

/**
 * Throws the problems of an object's source files: their names, and contradictions between its properties and
 * the file that describes it, which the service would prefer. References count as right.
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
    ...described.map(({ field, rule, file, message, hint }) =>
      rule === 'manifest-text'
        ? lineOf(`source["${file}"]`, message, hint)
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
