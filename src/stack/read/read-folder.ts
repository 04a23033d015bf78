import { basename, join } from 'node:path'
import { type Engine, type ExactJson, isExactObject, parseExactJson, Refusal } from '../../hcl/index.ts'
import { FileError, listFolder, readTextFile } from '../../model/files.ts'
import { nounOf } from '../../model/json/json-shape.ts'
import { largestSaved } from '../../model/limits.ts'
import type { Problem } from '../../model/problem.ts'
import { configurationNames, engineOfLocks, parseConfiguration } from './configuration-file.ts'

/** The contents of a synthesized stack's folder. */
export interface StackFolder {
  /** The name of the file with the stack. */
  readonly file: string
  /** The stack as it was synthesized; undefined if it cannot be read. */
  readonly json: ExactJson | undefined
  readonly text: string
  /** The variables in its files; later files win. */
  readonly variables: ReadonlyMap<string, { readonly json: ExactJson; readonly from: string }>
  readonly problems: readonly Problem[]
  /** The engine that runs it, if known. */
  readonly engine: Engine | undefined
  /** The names of the other files to read. */
  readonly others: readonly string[]
}

export const stackFileName = 'cdk.tf.json'

/** Reads the folder of a stack. Every file that its engine would read there is read, or refused. */
export async function readStackFolder(
  folder: string,
  shownAs: string,
  chosenEngine: Engine | undefined,
): Promise<StackFolder> {
  const listed = await listFolder(folder).catch(unread)
  const names = listed === undefined || listed instanceof FileError ? [] : listed
  const refuse = (name: string, message: string, hint: string): Problem => ({
    code: 'stack-folder',
    severity: 'error',
    message,
    hint,
    source: { file: join(shownAs, name), line: 1, column: 1 },
  })
  const locks = await readTextFile(join(folder, '.terraform.lock.hcl'), largestSaved).catch(unread)
  const engine = chosenEngine ?? (typeof locks === 'string' ? engineOfLocks(locks) : undefined)
  const configuration = configurationNames(names, engine)
  const problems = names
    .filter(name => name === 'terraform.tfvars' || name.endsWith('.auto.tfvars'))
    .map(name =>
      refuse(name, 'Vexil reads variables from JSON files', `write it as ${name}.json, or pass --var`),
    )
  const variables = new Map<string, { json: ExactJson; from: string }>()
  if (listed instanceof FileError)
    problems.push(refuse('.', `this folder ${listed.message}`, 'let Vexil see which files give variables'))
  for (const name of variableFiles(names)) {
    const read = await readTextFile(join(folder, name), largestSaved).catch(unread)
    const json = typeof read === 'string' ? readJson(read) : undefined
    if (read instanceof FileError)
      problems.push(refuse(name, `this file ${read.message}`, 'write {"name": value}'))
    else if (json instanceof Refusal || !isExactObject(json))
      problems.push(refuse(name, 'this is no JSON object', 'write {"name": value}'))
    else
      for (const [variable, value] of Object.entries(json))
        variables.set(variable, { json: value, from: name })
  }
  // OpenTofu ignores the synthesized stack if a file of its own has the same base name.
  const isHidden = names.includes(stackFileName) && !configuration.includes(stackFileName)
  const file = isHidden ? 'cdk.tofu.json' : stackFileName
  const read = await readTextFile(join(folder, file), largestSaved).catch(unread)
  const text = typeof read === 'string' ? read : undefined
  const json = text === undefined ? undefined : readJson(text, parseConfiguration)
  if (read instanceof FileError) problems.push(refuse(file, `this file ${read.message}`, again))
  else if (json instanceof Refusal) problems.push(refuse(file, json.message, json.remedy ?? again))
  else if (json === undefined) problems.push(refuse(file, ...missing(text, names, shownAs)))
  else if (!isExactObject(json))
    problems.push(refuse(file, `this is ${nounOf(json)} of JSON, and no synthesized stack`, again))
  return {
    file,
    json: json instanceof Refusal ? undefined : json,
    text: text ?? '',
    variables,
    problems,
    engine,
    others: configuration.filter(name => json !== undefined && name !== file),
  }
}

const again = 'synthesize the stack again'

/** The reason why a file cannot be read; undefined if it does not exist. */
function unread(error: unknown): FileError | undefined {
  if (!(error instanceof FileError)) throw error
  return error.code === 'ENOENT' ? undefined : error
}

/** In the order in which Terraform reads them. */
function variableFiles(names: readonly string[]): readonly string[] {
  const automatic = names.filter(name => name.endsWith('.auto.tfvars.json')).sort()
  return [...names.filter(name => name === 'terraform.tfvars.json'), ...automatic]
}

function readJson(text: string, parse = parseExactJson): ExactJson | Refusal | undefined {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    if (error instanceof Refusal) return error
    throw error
  }
}

function missing(text: string | undefined, names: readonly string[], shownAs: string): [string, string] {
  if (text !== undefined) return ['this is not JSON', again]
  if (names.includes('cdk.tf'))
    return ['the stack was synthesized as HCL', 'synthesize it as JSON: leave --hcl and hclOutput out']
  return [`there is no synthesized stack in "${basename(shownAs)}"`, 'run the app first, or let --app run it']
}
