import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { pointerOf } from '../../model/json/pointer.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import type { SchemaFiles } from '../../policies/check-policy.ts'
import { saidPolicy } from '../../policies/written-policies.ts'
import { type ParsedYaml, parseYaml } from '../parse/parse-yaml.ts'
import { quote } from '../parse/quote.ts'
import type { Finder } from './find-files.ts'
import { leadsOut } from './leads-out.ts'

/** The schemas that the policies of settings name, and what is wrong with them. */
export interface OwnSchemas {
  readonly schemas: SchemaFiles
  readonly problems: readonly Problem[]
  /** The texts of their files. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reads each file once, from the folder of the settings and below it; a schema that cannot be used is a problem of its own lines. */
export async function readOwnSchemas(
  finder: Finder,
  settings: ParsedYaml,
  value: JsonObject,
): Promise<OwnSchemas> {
  const named = namedFiles(value)
  if (named.length === 0) return { schemas: new Map(), problems: [], texts: new Map() }
  // It brings a compiler of schemas, which few repositories need.
  const { PayloadSchemas } = await import('../../rules/payload-schema.ts')
  const schemas = new Map<string, ReturnType<SchemaFiles['get']> & object>()
  const texts = new Map<string, string>()
  const problems: Problem[] = []
  for (const { file, pointer } of named) {
    if (texts.has(file)) continue
    const search = await finder.findOne(file)
    const [found] = search.files
    const source = settings.locate(pointer)
    if (!found) {
      problems.push({ ...(search.outside.length > 0 ? leadsOut(quote(file)) : noSuchFile(file)), source })
      continue
    }
    const read = await finder.read(found)
    if ('problem' in read) {
      problems.push(read.problem)
      continue
    }
    texts.set(file, read.text)
    const parsed = parseYaml(read.text, file)
    problems.push(...parsed.problems)
    if (hasErrors(parsed.problems) || parsed.value === undefined) continue
    if (!isJsonObject(parsed.value)) {
      problems.push({ ...ownSchema, message: 'a JSON Schema is a map', source: parsed.locate('') })
      continue
    }
    const compiled = new PayloadSchemas().compile(parsed.value)
    if ('check' in compiled) schemas.set(file, compiled.check)
    else
      problems.push(
        ...compiled.problems.map(({ pointer: place, ...told }) => ({
          ...ownSchema,
          ...told,
          source: parsed.locate(place),
        })),
      )
  }
  return { schemas, problems, texts }
}

const ownSchema = { code: 'own-schema', severity: 'error' } as const

function noSuchFile(file: string): Omit<Problem, 'source'> {
  return {
    code: 'no-such-file',
    severity: 'error',
    message: `there is no file ${quote(file)}`,
    hint: 'name it from the folder of the settings',
  }
}

interface NamedFile {
  readonly file: string
  readonly pointer: string
}

function namedFiles({ policies = null, environments = null }: JsonObject): readonly NamedFile[] {
  const own = isJsonObject(environments) ? Object.entries(environments) : []
  return [
    ...filesIn(policies, pointerOf('policies')),
    ...own.flatMap(([name, environment]) =>
      isJsonObject(environment)
        ? filesIn(environment.policies ?? null, pointerOf('environments', name, 'policies'))
        : [],
    ),
  ]
}

function filesIn(policies: Json, pointer: string): readonly NamedFile[] {
  const said = isJsonObject(policies) ? policies.schemas : undefined
  if (said === undefined || said === null) return []
  return Object.entries(saidPolicy('schemas', said).options).flatMap(([section, file]) =>
    typeof file === 'string' && file !== ''
      ? [{ file, pointer: pointer + pointerOf('schemas', section) }]
      : [],
  )
}
