import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type ExactJson, isExactObject, parseExactJson } from '../../cty/encoding/json-value.ts'
import { Refusal } from '../../cty/invalid-value.ts'
import { FileError } from '../../model/files/read-regular-file.ts'
import { textFrom } from '../../model/files/read-text-file.ts'
import type { Problem } from '../../model/problem.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import { evaluateStack } from '../evaluate/evaluate-stack.ts'
import { LookUps } from '../evaluate/look-ups.ts'
import { StackProblems } from '../evaluate/stack-problems.ts'
import { HclError, parseHclValues } from '../hcl/hcl-file.ts'
import type { GivenVariables } from '../language/variables.ts'
import { ModuleFolders } from '../read/module-folder.ts'
import { joined, readModules } from '../read/module-tree.ts'
import { parseStack } from '../read/parse-stack.ts'
import type { StackFile } from '../read/stack-file.ts'
import { StackFiles } from '../read/stack-files.ts'
import { ConfiguredResources, notWorkedOut } from './configured-resources.ts'
import type { StateResource } from './read-state.ts'

export interface ConfigurationOptions {
  /** The folder that Terraform is run in, absolute. */
  readonly folder: string
  /** What the places of problems are relative to. */
  readonly directory: string
  /** Where `TF_VAR_name` is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ReadConfiguration {
  /** Resources of all providers, with what the configuration says of them. */
  readonly resources: readonly StateResource[]
  /** What cannot be read: errors, and then there are no resources. Else what could not be worked out. */
  readonly problems: readonly Problem[]
}

/** Reads the files of a configuration of Terraform, its local modules included, and works out what it says of its resources. */
export function readConfiguration({ folder, directory, env }: ConfigurationOptions): ReadConfiguration {
  const shownAs = relative(directory, folder)
  const problems = new StackProblems(() => undefined)
  const files = new StackFiles(folder)
  const folders = new ModuleFolders(files, shownAs, problems)
  const read = problems.attempt({ address: shownAs || '.' }, '', () => folders.at('.'))
  const takes = () => true
  const file = joined(
    (read ?? []).map(({ json, sourceOf }) => parseStack(json, problems, { prefix: '', sourceOf }, takes)),
  )
  // Where its state is kept is nothing to whoever reads it.
  problems.withdraw(({ message }) => /^terraform\.(?:backend|cloud)\b/.test(message))
  const variables = variablesOf(file, { files, folder, shownAs, env }, problems)
  const broken = problems.all.filter(({ code }) => code === 'stack-folder' || code === 'stack-invalid')
  if (!read || broken.length > 0) return { resources: [], problems: problems.all }
  const module = readModules(file, folders, problems, takes)
  let found: ConfiguredResources | undefined
  evaluateStack(
    module,
    { variables, remoteStates: new Map(), files, lookUps: new LookUps() },
    problems,
    options => {
      found = new ConfiguredResources(options)
      return found
    },
  )
  const resources = found?.found ?? []
  // What nobody names here may have its value where Terraform is run.
  const isMissed = resources.some(({ configured }) =>
    Object.values(configured?.unknown ?? {}).includes(notWorkedOut),
  )
  if (!isMissed) problems.withdraw(({ message }) => /^var\.[^:]+: it has no value$/.test(message))
  const warnings = problems.all.map(problem => ({ ...problem, severity: 'warning' as const }))
  return { resources, problems: warnings }
}

interface VariablesIn extends Pick<ConfigurationOptions, 'folder' | 'env'> {
  readonly files: StackFiles
  readonly shownAs: string
}

/** In the order in which Terraform reads them: each file over those before it, and all over the environment. */
function variablesOf(
  { blocks }: StackFile,
  { files, folder, shownAs, env }: VariablesIn,
  problems: StackProblems,
): GivenVariables {
  const names = readdirSync(folder)
  const automatic = names.filter(name => /\.auto\.tfvars(?:\.json)?$/.test(name)).sort()
  const own = ['terraform.tfvars', 'terraform.tfvars.json'].filter(name => names.includes(name))
  const json = new Map<string, { readonly json: ExactJson; readonly from: string }>()
  for (const name of [...own, ...automatic]) {
    for (const [variable, value] of Object.entries(valuesIn(files.read(name), join(shownAs, name), problems)))
      json.set(variable, { json: value, from: name })
  }
  const texts = new Map<string, { readonly text: string; readonly from: string }>()
  for (const { is, name } of blocks) {
    const text = is === 'variable' && !json.has(name) ? env[`TF_VAR_${name}`] : undefined
    if (text !== undefined) texts.set(name, { text, from: `TF_VAR_${name}` })
  }
  return { texts, json }
}

function valuesIn(
  bytes: Uint8Array,
  file: string,
  problems: StackProblems,
): Readonly<Record<string, ExactJson>> {
  let text = ''
  const refuse = (message: string, offset: number) => {
    const source = { file, ...positionAt(lineStartsOf(text), offset) }
    problems.add({ address: file, source }, { code: 'stack-invalid', message })
    return {}
  }
  try {
    text = textFrom(bytes)
    if (!file.endsWith('.json')) return parseHclValues(text)
    const json = parseExactJson(text)
    return isExactObject(json) ? json : refuse('this is no JSON object', 0)
  } catch (error) {
    if (error instanceof FileError) return refuse(`this file ${error.message}`, 0)
    if (error instanceof HclError) return refuse(error.message, error.at)
    if (error instanceof SyntaxError || error instanceof Refusal) return refuse('this is not JSON', 0)
    throw error
  }
}
