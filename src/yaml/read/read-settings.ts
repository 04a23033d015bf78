import { variables as serviceVariables } from '../../api/settings.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json/json.ts'
import { pointerOf, segmentsOf } from '../../model/json/pointer.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import type { SchemaFiles } from '../../policies/check-policy.ts'
import { parsePolicy } from '../../policies/written-policies.ts'
import { checkSettings } from '../check/check-settings.ts'
import { quote } from '../check/problem-order.ts'
import { type ParsedYaml, parseYaml } from '../parse/parse-yaml.ts'
import { failureProblem, interpolate, type Variables } from '../resolve/interpolate.ts'
import { type Settings, toSettings } from '../settings.ts'
import { type Finder, leadsOut } from './find-files.ts'

/** The settings file of a repository: the standard name, and the other spelling of its ending. */
export const settingsFiles = ['vexil.yaml', 'vexil.yml'] as const

export interface ReadSettings {
  readonly settings: Settings
  /** Undefined when the repository has none, which is allowed, or when it cannot be read. */
  readonly parsed?: ParsedYaml
  /** There is no settings file; then flags and environment variables hold all settings. */
  readonly isMissing?: true
  readonly problems: readonly Problem[]
  /** The texts of other files that it names, by their names. */
  readonly texts?: ReadonlyMap<string, string>
}

/** Reads the settings; if they have problems, the usable part. Variables of other environments may be unset. */
export async function readSettings(
  finder: Finder,
  variables: Variables,
  chosen: string | undefined,
): Promise<ReadSettings> {
  const searches = await Promise.all(settingsFiles.map(name => finder.findOne(name)))
  const outside = searches.flatMap(search => search.outside)
  const [file] = searches.flatMap(search => search.files)
  const nothing = toSettings({})
  if (outside[0] !== undefined)
    return {
      settings: nothing,
      problems: [{ ...leadsOut('this is a link that'), source: { file: outside[0], line: 1, column: 1 } }],
    }
  if (!file) return { settings: nothing, isMissing: true, problems: [] }
  const read = await finder.read(file)
  if ('problem' in read) return { settings: nothing, problems: [read.problem] }
  const parsed = parseYaml(read.text, file.name)
  if (parsed.value === undefined) return { settings: nothing, parsed, problems: parsed.problems }
  const { value, failures } = interpolate(parsed.value, variables, serviceVariables.apiKey)
  const unfilled = failures.filter(({ pointer }) => concernsEnvironment(pointer, chosen))
  const settings = isJsonObject(value) ? value : {}
  const own = await readOwnSchemas(finder, parsed, settings)
  // This loads a reader of versions, which few repositories need.
  const sdks = /\bsdks\b/.test(read.text) ? await import('../check/check-sdks.ts') : undefined
  const problems: Problem[] = [
    ...parsed.problems,
    ...unfilled.map(failure => failureProblem(failure, parsed)),
    ...checkSettings(parsed, value ?? {}, new Set(failures.map(({ pointer }) => pointer))),
    ...(sdks?.checkSdks(parsed, settings) ?? []),
    ...own.problems,
  ]
  return {
    settings: toSettings(settings, own.schemas, sdks?.sdkVersions),
    parsed,
    problems,
    texts: own.texts,
  }
}

function concernsEnvironment(pointer: string, chosen: string | undefined): boolean {
  const [first, name] = segmentsOf(pointer)
  return first !== 'environments' || chosen === undefined || name === chosen
}

/** The schemas that the policies of settings name, and their problems. */
export interface OwnSchemas {
  readonly schemas: SchemaFiles
  readonly problems: readonly Problem[]
  /** The texts of their files. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reads each file once, from the settings' folder and below; an unusable schema is a problem of its own lines. */
async function readOwnSchemas(finder: Finder, settings: ParsedYaml, value: JsonObject): Promise<OwnSchemas> {
  const named = namedFiles(value)
  if (named.length === 0) return { schemas: new Map(), problems: [], texts: new Map() }
  // This loads a compiler of schemas, which few repositories need.
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
        ...compiled.problems.map(({ pointer: place, ...rest }) => ({
          ...ownSchema,
          ...rest,
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
  const schemas = isJsonObject(policies) ? policies.schemas : undefined
  if (schemas === undefined || schemas === null) return []
  return Object.entries(parsePolicy('schemas', schemas).options).flatMap(([section, file]) =>
    typeof file === 'string' && file !== ''
      ? [{ file, pointer: pointer + pointerOf('schemas', section) }]
      : [],
  )
}
