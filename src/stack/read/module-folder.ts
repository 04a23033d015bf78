import { join } from 'node:path'
import { type ExactJson, isExactObject } from '../../cty/encoding/json-value.ts'
import { Refusal } from '../../cty/invalid-value.ts'
import { FileError } from '../../model/files/read-regular-file.ts'
import { textFrom } from '../../model/files/read-text-file.ts'
import { nounOf } from '../../model/json/json-shape.ts'
import type { Source } from '../../model/problem.ts'
import { lineStartsOf, positionAt } from '../../model/text/text-position.ts'
import type { StackProblems } from '../evaluate/stack-problems.ts'
import { HclError, parseHcl } from '../hcl/hcl-file.ts'
import { isConfiguration, isOfOpenTofu, parseConfiguration } from './configuration-file.ts'
import type { StackFiles } from './stack-files.ts'

/** One file of a module's configuration. */
export interface ModuleFile {
  readonly json: ExactJson
  readonly sourceOf: (body: ExactJson) => Source
}

/** The folders of modules in the folder of a stack, each read once, however many call it. */
export class ModuleFolders {
  /** What was read, by the name that people see. */
  readonly texts = new Map<string, string>()
  readonly #files: StackFiles
  readonly #shownAs: string
  readonly #problems: StackProblems
  readonly #read = new Map<string, readonly ModuleFile[] | undefined>()

  constructor(files: StackFiles, shownAs: string, problems: StackProblems) {
    this.#files = files
    this.#shownAs = shownAs
    this.#problems = problems
  }

  /** Undefined where something in the folder cannot be read, which is told. Throws a refusal where there is none. */
  at(path: string): readonly ModuleFile[] | undefined {
    if (!this.#read.has(path)) this.#read.set(path, this.#readFolder(path))
    return this.#read.get(path)
  }

  #readFolder(path: string): readonly ModuleFile[] | undefined {
    const names = this.#files.list(path)?.filter(isConfiguration)
    if (names === undefined || names.length === 0)
      throw new Refusal('invalid', 'there is no module in its folder', 'let it have files *.tf or *.tf.json')
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
    if (isOverride.test(name))
      return refuse('Vexil reads no files that override others', 'write it into the file that it overrides')
    if (isOfOpenTofu(name))
      return refuse('OpenTofu alone reads this file', 'call it *.tf, which all engines read')
    try {
      const text = textFrom(this.#files.read(path))
      this.texts.set(file, text)
      if (!name.endsWith('.json')) return this.#readHcl(file, text)
      const json = parseConfiguration(text)
      if (isExactObject(json)) return { json, sourceOf: () => source }
      return refuse(`this is ${nounOf(json)} of JSON`, 'write it as one object')
    } catch (error) {
      if (error instanceof FileError) return refuse(`this file ${error.message}`)
      if (error instanceof SyntaxError) return refuse('this is not JSON', 'write it as JSON')
      if (error instanceof Refusal && path.endsWith('.json')) return refuse(error.message, error.remedy)
      throw error
    }
  }

  #readHcl(file: string, text: string): ModuleFile | undefined {
    const lineStarts = lineStartsOf(text)
    const sourceAt = (offset: number) => ({ file, ...positionAt(lineStarts, offset) })
    try {
      const { json, offsets } = parseHcl(text)
      return { json, sourceOf: body => sourceAt(isExactObject(body) ? (offsets.get(body) ?? 0) : 0) }
    } catch (error) {
      if (!(error instanceof HclError)) throw error
      const { message, remedy, at } = error
      const hint = remedy === undefined ? {} : { hint: remedy }
      this.#problems.add({ address: file, source: sourceAt(at) }, { code: 'stack-invalid', message, ...hint })
      return undefined
    }
  }
}

const isOverride = /(^|_)override\.(tf|tofu)(\.json)?$/
