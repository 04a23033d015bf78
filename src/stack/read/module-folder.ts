import { join } from 'node:path'
import { type Engine, type ExactJson, HclError, isExactObject, parseHcl, Refusal } from '../../hcl/index.ts'
import { FileError, textFrom } from '../../model/files.ts'
import { nounOf } from '../../model/json/json-shape.ts'
import type { Source } from '../../model/problem.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import type { StackProblems } from '../evaluate/stack-problems.ts'
import { configurationNames, isOfOpenTofu, parseConfiguration } from './configuration-file.ts'
import type { StackFiles } from './stack-files.ts'

/** One file of a module's configuration. */
export interface ModuleFile {
  readonly json: ExactJson
  /** Where a body stands; what a construct wrote is found by that. */
  readonly sourceOf?: (body: ExactJson) => Source
  /** What it changes stands in other files: `override.tf`, `x_override.tofu.json`. */
  readonly isOverride: boolean
}

/** The files of modules in the folder of a stack, each read once, however many call it. */
export class ModuleFolders {
  /** What was read, by the name that people see. */
  readonly texts = new Map<string, string>()
  readonly #files: StackFiles
  readonly #shownAs: string
  readonly #problems: StackProblems
  readonly #engine: Engine | undefined
  readonly #read = new Map<string, readonly ModuleFile[] | undefined>()

  constructor(files: StackFiles, shownAs: string, problems: StackProblems, engine: Engine | undefined) {
    this.#files = files
    this.#shownAs = shownAs
    this.#problems = problems
    this.#engine = engine
  }

  /** Undefined where something in the folder cannot be read, which is told. Throws a refusal where there is none. */
  at(path: string): readonly ModuleFile[] | undefined {
    if (!this.#read.has(path)) this.#read.set(path, this.#readFolder(path))
    return this.#read.get(path)
  }

  #readFolder(path: string): readonly ModuleFile[] | undefined {
    const names = configurationNames(this.#files.list(path) ?? [], this.#engine)
    if (names.length === 0)
      throw new Refusal('invalid', 'there is no module in its folder', 'let it have files *.tf or *.tf.json')
    return this.files(path, names)
  }

  /** Some files of a folder. */
  files(path: string, names: readonly string[]): readonly ModuleFile[] | undefined {
    const found = names.map(name => this.#readFile(join(path, name), name))
    const files = found.filter(file => file !== undefined)
    return files.length < found.length ? undefined : files
  }

  #readFile(path: string, name: string): ModuleFile | undefined {
    const file = join(this.#shownAs, path)
    const source = { file, line: 1, column: 1 }
    const refuse = (message: string, hint?: string): undefined => {
      const remedy = hint === undefined ? {} : { hint }
      this.#problems.add({ address: file, source }, { code: 'stack-folder', message, ...remedy })
    }
    if (isOfOpenTofu(name) && this.#engine === undefined)
      return refuse(
        'OpenTofu alone reads this file',
        'choose who runs the stack: --engine tofu, or --engine terraform',
      )
    const isOverride = /(^|_)override\.(tf|tofu)(\.json)?$/.test(name)
    try {
      const text = textFrom(this.#files.read(path))
      this.texts.set(file, text)
      if (!name.endsWith('.json')) return this.#readHcl(file, text, isOverride)
      const json = parseConfiguration(text)
      if (isExactObject(json)) return { json, sourceOf: () => source, isOverride }
      return refuse(`this is ${nounOf(json)} of JSON`, 'write it as one object')
    } catch (error) {
      if (error instanceof FileError) return refuse(`this file ${error.message}`)
      if (error instanceof SyntaxError) return refuse('this is not JSON', 'write it as JSON')
      if (error instanceof Refusal) return refuse(error.message, error.remedy)
      throw error
    }
  }

  #readHcl(file: string, text: string, isOverride: boolean): ModuleFile | undefined {
    const lineStarts = lineStartsOf(text)
    const sourceAt = (offset: number) => ({ file, ...positionAt(lineStarts, offset) })
    try {
      const { json, offsets } = parseHcl(text)
      const sourceOf = (body: ExactJson) => sourceAt(isExactObject(body) ? (offsets.get(body) ?? 0) : 0)
      return { json, sourceOf, isOverride }
    } catch (error) {
      if (!(error instanceof HclError)) throw error
      const { message, remedy, at } = error
      const hint = remedy === undefined ? {} : { hint: remedy }
      this.#problems.add({ address: file, source: sourceAt(at) }, { code: 'stack-invalid', message, ...hint })
      return undefined
    }
  }
}
