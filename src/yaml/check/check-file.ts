import { declarableKinds } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject, type Json } from '../../model/json/json.ts'
import { segmentsOf } from '../../model/json/pointer.ts'
import { type DeclarableKind, objectAddress, targetingField } from '../../model/kind.ts'
import type { Problem } from '../../model/problem.ts'
import { declarationSchema } from '../../schema/input/declaration-schema.ts'
import { validateDeclarationFile } from '../../schema/validate-against.ts'
import type { DeclarationFile } from '../declaration-file.ts'
import { withArticle } from '../parse/quote.ts'
import { type ExplainUnknownKey, violationProblem } from './schema-problem.ts'
import { kindMeantBy, settingNames } from './section-words.ts'

/**
 * Whatever in a file does not fit the schema of declarations, the values of fields aside: those have rules of their own.
 * What could not be filled in from the environment is reported elsewhere.
 */
export function checkFile({ parsed, value, unfilled }: DeclarationFile): Problem[] {
  const violations = validateDeclarationFile(value ?? {}).filter(({ pointer }) => !unfilled.has(pointer))
  if (violations.length === 0) return []
  const schema = declarationSchema()
  return violations.map(violation => {
    const address = addressAt(parsed.value ?? null, violation.pointer)
    const problem = violationProblem(violation, parsed, schema, explainUnknownKey)
    return address === undefined ? problem : { ...problem, address }
  })
}

/** What people mean by a key that a declaration does not take, where nearness of letters would not tell. */
const explainUnknownKey: ExplainUnknownKey = (pointer, key) => {
  const [section, identity, ...inside] = segmentsOf(pointer)
  if (section === undefined) return { noun: 'a section', ...sectionHint(key) }
  const kind = kindOf(section)
  if (!kind || identity === undefined || inside.includes('source')) return { noun: 'known here' }
  return { noun: `a field of ${withArticle(kind.title)}`, ...fieldHint(kind, key) }
}

function fieldHint(kind: DeclarableKind, key: string): { readonly hint?: string } {
  if (kind.identity.by === 'field' && kind.identity.field === key)
    return { hint: `the ${key} of ${withArticle(kind.title)} is what stands before its ":"` }
  if (kind.lifecycle.softDelete?.field === key) return { hint: 'write "ensure: absent" to delete it' }
  const targeting = targetingField(kind)
  if (targeting !== undefined && key === 'tests')
    return { hint: 'tests stand beside the flag; "env: NAME" in a test says for which environment it is' }
  if (targeting !== undefined && percentages.has(key)) return { hint: 'did you mean "rollout_percentage"?' }
  if (targeting !== undefined && filterMembers.has(key))
    return { hint: `"${key}" belongs under "${targeting}"` }
  const field = kind.fields[key]
  return field && field.access !== 'managed' ? { hint: 'the service sets it; it cannot be declared' } : {}
}

const filterMembers = new Set(['groups', 'multivariate'])
const percentages = new Set(['rollout', 'percentage'])

function sectionHint(key: string): { readonly hint?: string } {
  const kind = kindMeantBy(key)
  if (kind) return { hint: `did you mean "${kind.section}"?` }
  return settingNames.has(key) ? { hint: `"${key}" belongs into vexil.yaml` } : {}
}

function addressAt(value: Json, pointer: string): string | undefined {
  const [section = '', name] = segmentsOf(pointer)
  const kind = kindOf(section)
  if (!kind || name === undefined) return undefined
  if (!kind.lifecycle.parent) return objectAddress(kind.name, name.trim())
  const list = isJsonObject(value) ? value[section] : undefined
  const grant = isJsonArray(list) ? list[Number(name)] : undefined
  if (!isJsonObject(grant) || typeof grant.flag !== 'string' || typeof grant.role !== 'string')
    return undefined
  return objectAddress(kind.name, grant.role, grant.flag)
}

function kindOf(section: string): DeclarableKind | undefined {
  return declarableKinds.find(kind => kind.section === section)
}
