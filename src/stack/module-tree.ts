import { posix } from 'node:path'
import { invalid, Refusal, unsupported } from '../hcl/index.ts'
import { deepestModule, mostModules } from '../model/limits.ts'
import { combineFiles, type ModuleFile, type ModuleFolders } from './configuration-file.ts'
import { asset, type Block, type StackFile } from './stack-file.ts'
import { type StackProblems, subjectOf } from './stack-problems.ts'

/** A module in a call, with the modules that it calls itself; the root is the stack. */
export interface StackModule {
  /** `module.shop.module.flags`, without the keys of instances; empty for the stack. */
  readonly address: string
  /** Its folder, relative to the stack's folder: `assets/flags`; `.` for the stack. */
  readonly path: string
  readonly file: StackFile
  /** The block that calls it; the stack has none. */
  readonly caller?: { readonly module: StackModule; readonly block: Block }
  /** By the names of the calls; an unreadable module is absent, and reported. */
  readonly calls: ReadonlyMap<string, StackModule>
}

/** A stack and all modules below it. Each has to be in the folder of the stack. */
export function readModules(
  files: readonly ModuleFile[],
  folders: ModuleFolders,
  problems: StackProblems,
): StackModule {
  const file = combineFiles(files, '', problems)
  return new TreeReader(folders, problems).moduleOf({ address: '', path: '.', folders: ['.'], file })
}

export function prefixOf({ address }: Pick<StackModule, 'address'>): string {
  return address === '' ? '' : `${address}.`
}

/** A stack and its modules, each before those that it calls. */
export function modulesIn(module: StackModule): readonly StackModule[] {
  return [module, ...[...module.calls.values()].flatMap(modulesIn)]
}

interface Found extends Omit<StackModule, 'calls'> {
  /** Its folder, and the folders of the modules that call it. */
  readonly folders: readonly string[]
}

class TreeReader {
  readonly #folders: ModuleFolders
  readonly #problems: StackProblems
  #count = 0

  constructor(folders: ModuleFolders, problems: StackProblems) {
    this.#folders = folders
    this.#problems = problems
  }

  moduleOf({ folders, ...found }: Found): StackModule {
    const calls = new Map<string, StackModule>()
    const module = { ...found, file: this.#declaredOnce(found), calls }
    for (const block of module.file.blocks) {
      if (block.is !== 'module') continue
      const place = subjectOf(`${prefixOf(found)}${block.address}`, block)
      const called = this.#problems.attempt(place, 'source', () => this.#called(block, module, folders))
      if (called) calls.set(block.name, this.moduleOf(called))
    }
    return module
  }

  #called(block: Block, caller: StackModule, folders: readonly string[]): Found | undefined {
    const path = posix.join(caller.path, localSource(block)).replace(/\/$/, '')
    const address = `${prefixOf(caller)}${block.address}`
    if (block.body.version !== undefined)
      throw invalid('a local module cannot have a version', 'remove version')
    if (folders.includes(path))
      throw invalid(
        `a module calls itself: ${[...folders.slice(folders.indexOf(path)), path].join(' -> ')}`,
        'let one of them use another folder',
      )
    if (folders.length > deepestModule)
      throw unsupported(`modules are nested more than ${deepestModule} levels deep`, elsewhere)
    this.#count += 1
    if (this.#count > mostModules) throw unsupported(`there are more than ${mostModules} modules`, elsewhere)
    const files = inside(() => this.#folders.at(path))
    if (!files) return undefined
    const file = this.#inModule(address, combineFiles(files, `${address}.`, this.#problems))
    return { address, path, file, caller: { module: caller, block }, folders: [...folders, path] }
  }

  /** Reports a block that is declared twice, and keeps the first. */
  #declaredOnce(found: Pick<Found, 'address' | 'file'>): StackFile {
    const seen = new Set<string>()
    const blocks = found.file.blocks.filter(block => {
      const isNew = !seen.has(block.address)
      if (!isNew) {
        const place = subjectOf(`${prefixOf(found)}${block.address}`, block)
        this.#problems.refuse(place, '', invalid('it is declared twice', 'remove one of them'))
      }
      seen.add(block.address)
      return isNew
    })
    return { ...found.file, blocks }
  }

  /** Reports and removes blocks that only a stack may declare. */
  #inModule(address: string, file: StackFile): StackFile {
    for (const block of file.blocks)
      if (block.is === 'provider')
        this.#problems.refuse(
          subjectOf(`${address}.${block.address}`, block),
          '',
          unsupported('a module gets its provider from its caller', 'configure the provider in the stack'),
        )
    if (file.imports.length > 0)
      this.#problems.refuse(
        { address },
        'import',
        invalid('a module cannot import objects', 'move the import to the stack'),
      )
    return { ...file, imports: [], blocks: file.blocks.filter(({ is }) => is !== 'provider') }
  }
}

const elsewhere = 'use fewer modules, or plan the stack with Terraform: --plan-json'
const beside =
  'move the module next to the app and write its path as "./modules/..."; or plan the stack with Terraform: --plan-json'

/** The path from a module to a called module; only local folders can be read. */
function localSource({ body: { source } }: Block): string {
  if (typeof source !== 'string' || source === '')
    throw invalid('source must be the folder of a module', beside)
  if (source.includes('${')) throw invalid('source must be literal text', beside)
  if (/^\.\.?\//.test(source)) return source
  throw unsupported(`${JSON.stringify(source)} is a module that Terraform downloads`, beside)
}

function inside<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal) || error.remedy !== asset) throw error
    throw unsupported(
      error.message,
      'let the app copy it there: remove skipAssetCreationFromLocalModules; or plan the stack with Terraform: --plan-json',
    )
  }
}
