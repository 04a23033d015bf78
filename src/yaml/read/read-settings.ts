import { variables as serviceVariables } from '../../api/settings.ts'
import { isJsonObject } from '../../model/json/json.ts'
import { segmentsOf } from '../../model/json/pointer.ts'
import type { Problem } from '../../model/problem.ts'
import { checkSettings } from '../check/check-settings.ts'
import { type ParsedYaml, parseYaml } from '../parse/parse-yaml.ts'
import { failureProblem, interpolate, type Variables } from '../resolve/interpolate.ts'
import { type Settings, toSettings } from '../settings.ts'
import type { Finder } from './find-files.ts'
import { readOwnSchemas } from './read-own-schemas.ts'

/** The settings file of a repository: the name that is looked for, and the other spelling of its ending. */
export const settingsFiles = ['vexil.yaml', 'vexil.yml'] as const

export interface ReadSettings {
  readonly settings: Settings
  /** Undefined when the repository has none, which is allowed, or when it cannot be read. */
  readonly parsed?: ParsedYaml
  /** There is no settings file; then flags and environment variables say everything. */
  readonly isMissing?: true
  readonly problems: readonly Problem[]
  /** The texts of other files that it names, by their names. */
  readonly texts?: ReadonlyMap<string, string>
}

/** Reads the settings; with problems in them, what is usable. Variables of other environments may be unset. */
export async function readSettings(
  finder: Finder,
  variables: Variables,
  chosen: string | undefined,
): Promise<ReadSettings> {
  const searches = await Promise.all(settingsFiles.map(name => finder.findOne(name)))
  const outside = searches.flatMap(search => search.outside)
  const [file] = searches.flatMap(search => search.files)
  const nothing = toSettings({})
  if (outside[0] !== undefined) return { settings: nothing, problems: [leadsOut(outside[0])] }
  if (!file) return { settings: nothing, isMissing: true, problems: [] }
  const read = await finder.read(file)
  if ('problem' in read) return { settings: nothing, problems: [read.problem] }
  const parsed = parseYaml(read.text, file.name)
  if (parsed.value === undefined) return { settings: nothing, parsed, problems: parsed.problems }
  const { value, failures } = interpolate(parsed.value, variables, serviceVariables.apiKey)
  const unfilled = failures.filter(({ pointer }) => concernsEnvironment(pointer, chosen))
  const settings = isJsonObject(value) ? value : {}
  const own = await readOwnSchemas(finder, parsed, settings)
  // It brings a reader of versions, which few repositories need.
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

function leadsOut(name: string): Problem {
  return {
    code: 'outside-repository',
    severity: 'error',
    message: 'this is a link that leads out of the repository',
    hint: 'copy the file into it',
    source: { file: name, line: 1, column: 1 },
  }
}
