import { escapePath } from 'tinyglobby'
import { declarableKinds } from '../../kinds/index.ts'
import { isJsonArray, isJsonObject } from '../../model/json/json.ts'
import type { Problem } from '../../model/problem.ts'
import { didYouMean } from '../../model/text/did-you-mean.ts'
import { listNames } from '../../model/text/list-names.ts'
import { testSections } from '../../schema/input/test-schema.ts'
import { quote } from '../check/problem-order.ts'
import { isSectionWord, settingNames } from '../check/schema-problem.ts'
import { audienceSection } from '../declaration.ts'
import type { ParsedYaml } from '../parse/parse-yaml.ts'

/**
 * The treatment of a YAML file that was found, and that nothing names, by its top-level keys:
 *
 * | keys                                                      | beside vexil.yaml | without one |
 * |-----------------------------------------------------------|-------------------|-------------|
 * | a section that only we have, or a slip of one             | checked           | checked     |
 * | those of a well-known tool, or its file name              | skipped, warning  | skipped     |
 * | any section, a slip of one, settings only, or none at all | checked           | checked     |
 * | anything else                                             | one error         | skipped     |
 *
 * So a misspelled section is never overlooked, and the files of other tools never cause many errors.
 */
export type Verdict = 'declarations' | { readonly tool: string } | 'unknown'

export function judge(parsed: ParsedYaml): Verdict {
  const keys = topKeys(parsed)
  if (keys === undefined) return parsed.value === null ? 'declarations' : 'unknown'
  if (hasNear(keys, ourSections)) return 'declarations'
  const tool = toolOf(parsed.file, keys)
  if (tool !== undefined) return { tool }
  const isOurs =
    keys.some(isSectionWord) ||
    hasNear(keys, allSections) ||
    keys.every(key => settingNames.has(key) || key.startsWith('x-'))
  return isOurs ? 'declarations' : 'unknown'
}

/** The problems of a file that holds no declarations. */
export function foreignProblems(parsed: ParsedYaml, verdict: Exclude<Verdict, 'declarations'>): Problem[] {
  const source = { file: parsed.file, line: 1, column: 1 }
  // A pattern of "files" that excludes only this file.
  const hint = `leave it out with files: [${quote(`!${escapePath(parsed.file)}`)}] in vexil.yaml, or name there the files of declarations`
  if (verdict !== 'unknown') {
    const message = `left alone: this looks like a file of ${verdict.tool}`
    return [{ code: 'foreign-file', severity: 'warning', message, hint, source }]
  }
  // A file that cannot be read at all may still be ours; for a foreign file one line is enough.
  if (parsed.value === undefined) return parsed.problems.slice(0, 1)
  const sections = listNames(declarableKinds.map(({ section }) => section))
  const message = `this holds no declarations: ${contentText(parsed)}`
  return [
    {
      code: 'no-section',
      severity: 'error',
      message,
      hint: `write them under ${sections}, or ${hint}`,
      source,
    },
  ]
}

function contentText({ value }: ParsedYaml): string {
  if (!isJsonObject(value)) return isJsonArray(value) ? 'it is a list' : 'it is a single value'
  const names = Object.keys(value)
  const shown = names.slice(0, 3).map(quote)
  const more = names.length - shown.length
  return `no section is called ${more > 0 ? `${shown.join(', ')} or one of ${more} more` : listNames(shown)}`
}

/** The keys at the top of a file; if it cannot be read, the words in the places of keys. */
function topKeys({ value, text }: ParsedYaml): string[] | undefined {
  if (isJsonObject(value)) return Object.keys(value)
  if (value !== undefined) return undefined
  return Array.from(text.matchAll(/^["']?([\w-]+)["']?[ \t]*:/gm), match => match[1] ?? '')
}

const allSections = [
  'include',
  audienceSection,
  ...Object.keys(testSections),
  ...declarableKinds.map(({ section }) => section),
]

/** Sections with names that only Vexil uses; `plugins` is in the files of many tools. */
const ourSections = allSections.filter(section => section.includes('_'))

function hasNear(keys: readonly string[], sections: readonly string[]): boolean {
  return (
    keys.some(key => sections.includes(key)) ||
    keys.slice(0, mostLookedAt).some(key => didYouMean(key, sections) !== undefined)
  )
}

/** No declaration file has more sections; files of other tools may have thousands of keys. */
const mostLookedAt = 100

/** YAML files of other tools, by their names or by the keys at their top: all words of one of the texts. */
interface WellKnown {
  readonly tool: string
  readonly file?: RegExp
  readonly keys?: readonly string[]
}

/** The tool that a file clearly belongs to, if it is one that many repositories have. */
function toolOf(file: string, keys: readonly string[]): string | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return wellKnown.find(
    known =>
      known.file?.test(name) ||
      known.keys?.some(needed => needed.split(' ').every(key => keys.includes(key))),
  )?.tool
}

const wellKnown: readonly WellKnown[] = [
  {
    tool: 'Docker Compose',
    file: /^(docker-)?compose([.-].+)?\.ya?ml$/,
    keys: ['services volumes', 'services networks', 'services version'],
  },
  {
    tool: 'GitHub Actions',
    keys: ['on jobs', 'runs name'],
  },
  {
    tool: 'GitLab CI',
    keys: ['stages script', 'stages variables'],
  },
  { tool: 'Kubernetes', keys: ['apiVersion kind'] },
  { tool: 'Helm', file: /^(Chart|values([.-].+)?)\.ya?ml$/ },
  { tool: 'pnpm', file: /^pnpm-(lock|workspace)\.yaml$/ },
  { tool: 'OpenAPI', keys: ['openapi', 'swagger', 'asyncapi'] },
  { tool: 'CloudFormation', keys: ['AWSTemplateFormatVersion', 'Resources'] },
  { tool: 'Serverless', file: /^serverless\.ya?ml$/, keys: ['service provider functions'] },
  { tool: 'Azure Pipelines', file: /^azure-pipelines([.-].+)?\.ya?ml$/ },
  { tool: 'Bitbucket Pipelines', file: /^bitbucket-pipelines\.ya?ml$/ },
  { tool: 'Cloud Build', file: /^cloudbuild\.ya?ml$/ },
  { tool: 'MkDocs', file: /^mkdocs\.ya?ml$/, keys: ['site_name'] },
  { tool: 'Jekyll', file: /^_config\.ya?ml$/ },
  { tool: 'Task', file: /^Taskfile(\.dist)?\.ya?ml$/ },
  { tool: 'Atlantis', file: /^atlantis\.ya?ml$/, keys: ['repos workflows'] },
  { tool: 'Buildkite', file: /^buildkite\.ya?ml$/ },
  { tool: 'CodeBuild', file: /^buildspec([.-].+)?\.ya?ml$/ },
  { tool: 'Lefthook', file: /^lefthook\.ya?ml$/ },
  { tool: 'Pulumi', file: /^Pulumi(\..+)?\.ya?ml$/ },
  { tool: 'Buf', file: /^buf(\.gen|\.work)?\.yaml$/ },
  { tool: 'Codecov', file: /^codecov\.ya?ml$/ },
  { tool: 'Prometheus', keys: ['scrape_configs'] },
  { tool: 'Conda', keys: ['channels dependencies'] },
  { tool: 'Dart', file: /^pubspec\.(yaml|lock)$/ },
]
