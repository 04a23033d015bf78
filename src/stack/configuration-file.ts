import { join } from 'node:path'
import {
  type Engine,
  type ExactJson,
  type ExactObject,
  HclError,
  invalid,
  isExactObject,
  isListValue,
  parseExactJson,
  parseHcl,
  Refusal,
  unsupported,
} from '../hcl/index.ts'
import { membersWritten } from '../hcl/json.ts'
import { withWholeCharacters } from '../hcl/strict-json.ts'
import { FileError, textFrom } from '../model/files.ts'
import type { Source } from '../model/problem.ts'
import { nounOf } from '../model/text/json-shape.ts'
import { readJsonIfAny } from '../model/text/json-text.ts'
import { lineStartsOf, positionAt } from '../model/text/text-position.ts'
import { isOurType } from '../schema/terraform/terraform-names.ts'
import {
  type Block,
  type Body,
  blockMembers,
  bodiesIn,
  type FileOf,
  localNameIn,
  notBodiesIn,
  providerAddress,
  type RawBody,
  rawBodiesIn,
  type StackFile,
  type StackFiles,
  withoutComment,
} from './stack-file.ts'
import { Refusals, type StackProblems, subjectOf } from './stack-problems.ts'

/** The blocks of a configuration, with their number of labels. */
const blockLabels: ReadonlyMap<string, number> = new Map([
  ['terraform', 0],
  ['provider', 1],
  ['variable', 1],
  ['locals', 0],
  ['data', 2],
  ['resource', 2],
  ['module', 1],
  ['output', 1],
  ['check', 1],
  ['import', 0],
  ['moved', 0],
  ['removed', 0],
])

/** The engine that wrote a lock file: each engine has its own registry of providers. */
export function engineOfLocks(locks: string): Engine | undefined {
  if (/^provider "registry\.opentofu\.org\//m.test(locks)) return 'OpenTofu'
  return /^provider "registry\.terraform\.io\//m.test(locks) ? 'Terraform' : undefined
}

/**
 * The files of a folder that an engine reads as configuration; no hidden files or copies of editors. OpenTofu
 * reads `main.tofu` instead of `main.tf`; Terraform ignores OpenTofu's files. Without an engine, all count.
 */
export function configurationNames(names: readonly string[], engine: Engine | undefined): readonly string[] {
  return names.filter(name => {
    if (!/\.(tf|tofu)(\.json)?$/.test(name) || /^\.|~$|^#.*#$/.test(name)) return false
    if (isOfOpenTofu(name)) return engine !== 'Terraform'
    return engine !== 'OpenTofu' || !names.includes(name.replace(/\.tf(?=$|\.json$)/, '.tofu'))
  })
}

function isOfOpenTofu(name: string): boolean {
  return /\.tofu(\.json)?$/.test(name)
}

/** Nested blocks that may occur several times. */
const nested: ReadonlySet<string> = new Set(['precondition', 'postcondition', 'validation', 'assert'])

/**
 * Parses a configuration in JSON as engines do: a block may occur twice, in one object or in a list of
 * objects at the top. Throws a SyntaxError for invalid JSON, and a refusal for other repeated members.
 */
export function parseConfiguration(text: string): ExactJson {
  const plain = withoutRepeats(text)
  if (plain) return plain
  const json = parseExactJson(withMarks(text))
  const bodies = isListValue(json) ? json : [json]
  if (!bodies.every(isExactObject)) return json
  const whole: Record<string, ExactJson> = {}
  for (const [name, member] of bodies.flatMap(body => Object.entries(body))) {
    const plain = withoutMark(name)
    add(whole, plain, blockOf(member, blockLabels.get(plain) ?? 0))
  }
  return whole
}

/** Most files repeat nothing, and need no marks; undefined for any other text. */
function withoutRepeats(text: string): ExactObject | undefined {
  try {
    const json = parseExactJson(text)
    return isExactObject(json) && membersIn(json) === membersWritten(text) ? json : undefined
  } catch {
    return undefined
  }
}

function membersIn(json: ExactJson): number {
  let members = 0
  if (isListValue(json)) for (const element of json) members += membersIn(element)
  else if (isExactObject(json))
    for (const name of Object.keys(json)) members += 1 + membersIn(json[name] ?? null)
  return members
}

function blockOf(json: ExactJson, labels: number): ExactJson {
  if (isListValue(json)) return json.map(each => blockOf(each, labels))
  if (!isExactObject(json)) return json
  const members: Record<string, ExactJson> = {}
  for (const [name, member] of Object.entries(json)) {
    const plain = withoutMark(name)
    const mayRepeat = labels > 0 || nested.has(plain) || plain === '//'
    if (name !== plain && !mayRepeat)
      throw invalid(`${JSON.stringify(plain)} is used twice in one object`, 'remove one of them')
    // Inside a block, only its nested blocks may occur twice.
    add(members, plain, blockOf(member, Math.max(0, labels - 1)))
  }
  return members
}

function add(members: Record<string, ExactJson>, name: string, member: ExactJson): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined
  const value =
    before === undefined || name === '//'
      ? member
      : [...(isListValue(before) ? before : [before]), ...(isListValue(member) ? member : [member])]
  Object.defineProperty(members, name, { value, enumerable: true, writable: true, configurable: true })
}

/** Marks each repeated member name, because JSON readers keep only one of such members. */
function withMarks(text: string): string {
  const open: (Map<string, number> | undefined)[] = []
  return text.replace(
    /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|[{}[\]]/gs,
    (token, written?: string, colon?: string) => {
      if (token === '{' || token === '[') open.push(token === '{' ? new Map() : undefined)
      else if (written === undefined) open.pop()
      if (written === undefined || colon === undefined) return token
      const [names, name] = [open.at(-1), readJsonIfAny(withWholeCharacters(written))]
      if (names === undefined || typeof name !== 'string') return token
      const count = names.get(name) ?? 0
      names.set(name, count + 1)
      return count === 0 ? token : `${written.slice(0, -1)}\\u0000${count}"`
    },
  )
}

function withoutMark(name: string): string {
  return name.replace(/\0\d+$/, '')
}

/**
 * Combines the files of a module, or of a stack. Engines merge override files into the declarations of the
 * others, in the order of their names:
 *
 * | in an override                             | engines                                           |
 * |--------------------------------------------|---------------------------------------------------|
 * | an argument, a rule of `lifecycle`         | replace the declared one                          |
 * | an empty `ignore_changes`, or one of `all` | change nothing                                    |
 * | `depends_on`, conditions, `check`          | refuse it                                         |
 * | `import`, `moved`, `removed`               | refuse it                                         |
 * | what no other file declares                | refuse it, except the provider without an alias   |
 */
export function combineFiles(
  files: readonly ModuleFile[],
  prefix: string,
  problems: StackProblems,
): StackFile {
  const localName = localNameIn(files.map(({ json }) => json))
  const parsed = files.map(file => {
    const { json, sourceOf } = file
    return { ...file, ...parseStack(json, problems, { prefix, localName, ...(sourceOf && { sourceOf }) }) }
  })
  const read = parsed.filter(({ isOverride }) => !isOverride)
  const [, again] = read
    .flatMap(({ json }) => bodiesIn(blockMembers(json).terraform))
    .flatMap(terraform => bodiesIn(terraform.required_providers))
  if (again)
    problems.refuse(
      { address: `${prefix}terraform.required_providers` },
      '',
      invalid('it is declared twice', 'remove one of them'),
    )
  const blocks = read.flatMap(file => file.blocks)
  for (const file of parsed.filter(({ isOverride }) => isOverride)) {
    for (const name of ['import', 'moved', 'removed'])
      for (const body of bodiesIn(blockMembers(file.json)[name]))
        problems.refuse(
          { address: `${prefix}${name}`, source: file.sourceOf?.(body) },
          '',
          invalid('a file of overrides cannot contain this block', 'move it to another file'),
        )
    for (const block of file.blocks)
      problems.attempt(subjectOf(`${prefix}${block.address}`, block), '', () =>
        override(blocks, block, localName),
      )
  }
  const statePath = parsed.findLast(file => file.statePath !== undefined)?.statePath
  return {
    localName,
    ...(statePath === undefined ? {} : { statePath }),
    blocks,
    imports: read.flatMap(({ imports }) => imports),
    moved: read.flatMap(({ moved }) => moved),
    removed: read.flatMap(({ removed }) => removed),
  }
}

function override(blocks: Block[], block: Block, localName: string): void {
  const members = [...Object.keys(block.body), ...Object.keys(blockMembers(block.body.lifecycle))]
  const fixed = block.is === 'check' ? 'a check' : members.find(name => cannotChange.has(name))
  if (fixed !== undefined) throw invalid(`${fixed} cannot be overridden`, 'move it to another file')
  const at = blocks.findIndex(({ address }) => address === block.address)
  const declared = blocks[at]
  if (declared !== undefined) blocks[at] = merged(declared, block)
  else if (block.address === providerAddress(localName)) blocks.push(block)
  else throw invalid('this override has no original in any other file', 'check the spelling of its name')
}

const cannotChange: ReadonlySet<string> = new Set([
  'depends_on',
  'precondition',
  'postcondition',
  'validation',
])

function merged(declared: Block, { body: { lifecycle, ...body } }: Block): Block {
  // Engines convert the default to the first declared type.
  if (declared.is === 'variable' && 'type' in body && !('default' in body) && 'default' in declared.body)
    throw unsupported('Vexil does not support an override of only the type', 'override the default too')
  const rules = overriddenRules(declared.body.lifecycle, lifecycle)
  return {
    ...declared,
    body: { ...declared.body, ...body, ...(rules === undefined ? {} : { lifecycle: rules }) },
  }
}

function overriddenRules(
  declared: ExactJson | undefined,
  written: ExactJson | undefined,
): ExactJson | undefined {
  if (!isExactObject(written)) return written ?? declared
  const { ignore_changes: ignored = [] } = written
  const { ignore_changes: before = [] } = blockMembers(declared)
  // `all` is the only possible text.
  const isKept = (Array.isArray(ignored) && ignored.length === 0) || typeof before === 'string'
  return { ...blockMembers(declared), ...written, ignore_changes: isKept ? before : ignored }
}

/** Splits a configuration into its blocks; unsupported parts are refused by name. */
export function parseStack(json: ExactJson, problems: StackProblems, of: FileOf = { prefix: '' }): StackFile {
  const top = isExactObject(json) ? json : {}
  const refusals = new Refusals(problems, of)
  for (const [name, member] of Object.entries(top)) {
    if (name === '//') continue
    const labels = blockLabels.get(name)
    if (labels === undefined) refusals.topLevel(name, member)
    else for (const each of notBodiesIn(member, labels, [name])) refusals.notBody(each)
  }
  const terraform = bodiesIn(top.terraform)
  refusals.terraform(terraform)
  const { localName = localNameIn([json]) } = of
  refusals.providers(terraform, bodiesIn(top.provider), localName)
  for (const { backend } of terraform)
    for (const each of notBodiesIn(backend, 1, ['terraform', 'backend'])) refusals.notBody(each)
  // A module has no state of its own, whatever backend it declares.
  if (of.prefix === '') refusals.backend(terraform)
  const statePath = backendPath(terraform)
  refusals.comment(of.prefix === '' ? 'the stack' : 'the module', top, of.prefix === '' ? ['policies'] : [])
  const written = [
    ...providersIn(top.provider, localName),
    ...named('variable', 'var', top.variable),
    ...rawBodiesIn(top.locals).flatMap(locals =>
      Object.entries(withoutComment(locals)).map(([name, value]) => local(name, value, locals)),
    ),
    ...typed('data', top.data),
    ...typed('resource', top.resource),
    ...named('module', 'module', top.module),
    ...named('output', 'output', top.output),
    ...named('check', 'check', top.check),
  ]
  for (const { address, is, raw } of written)
    if (is !== 'local') refusals.comment(address, raw, is === 'resource' ? Object.keys(comments) : [])
  for (const locals of rawBodiesIn(top.locals)) refusals.comment('locals', locals, [])
  const blocks = written.map(block => placed(block, of))
  for (const block of blocks) refusals.block(block)
  for (const block of blocks) if (isForeign(block)) refusals.foreign(block)
  return {
    localName,
    ...(statePath === undefined ? {} : { statePath }),
    blocks: blocks.filter(block => !isForeign(block)),
    imports: bodiesIn(top.import),
    moved: bodiesIn(top.moved),
    removed: bodiesIn(top.removed),
  }
}

function backendPath(terraform: readonly Body[]): string | undefined {
  const [backend] = terraform.flatMap(each => bodiesIn(each.backend)).flatMap(each => bodiesIn(each.local))
  return typeof backend?.path === 'string' ? backend.path : undefined
}

/** A block as written, not yet assigned to a file. */
type Written = Block & { readonly raw: RawBody }

function placed({ raw, ...block }: Written, { prefix, sourceOf }: FileOf): Block {
  if (!sourceOf) return block
  return { ...block, source: sourceOf(raw), origin: `${prefix}${block.address}` }
}

function providersIn(json: ExactJson | undefined, localName: string): Written[] {
  return bodiesIn(json).flatMap(providers =>
    rawBodiesIn(providers[localName]).map(raw => {
      const { alias, ...body } = withoutComment(raw)
      const name = typeof alias === 'string' ? alias : undefined
      const address = providerAddress(localName, name)
      return { is: 'provider', address, type: localName, name: name ?? '', body, raw }
    }),
  )
}

function named(
  is: 'variable' | 'module' | 'output' | 'check',
  prefix: string,
  json: ExactJson | undefined,
): Written[] {
  return bodiesIn(json).flatMap(blocks =>
    Object.entries(blocks).flatMap(([name, written]) =>
      rawBodiesIn(written).map(raw => ({ is, address: `${prefix}.${name}`, type: '', name, ...bodyOf(raw) })),
    ),
  )
}

function local(name: string, value: ExactJson, raw: RawBody): Written {
  return { is: 'local', address: `local.${name}`, type: '', name, body: { value }, raw }
}

function typed(is: 'resource' | 'data', json: ExactJson | undefined): Written[] {
  return bodiesIn(json).flatMap(types =>
    Object.entries(types).flatMap(([type, written]) =>
      bodiesIn(written).flatMap(names =>
        Object.entries(names).flatMap(([name, one]) =>
          rawBodiesIn(one).map(raw => {
            const address = is === 'data' ? `data.${type}.${name}` : `${type}.${name}`
            const { body, ...rest } = bodyOf(raw)
            return { is, address, type, name, ...rest, body: oneLifecycle(body) }
          }),
        ),
      ),
    ),
  )
}

/** A block may be written as a list with one element. */
function oneLifecycle(body: Body): Body {
  const { lifecycle } = body
  return Array.isArray(lifecycle) && lifecycle.length < 2
    ? { ...body, lifecycle: lifecycle[0] ?? null }
    : body
}

/** Of other providers, Vexil only evaluates outputs of other stacks of the app. */
function isForeign({ is, type }: Block): boolean {
  if (is !== 'resource' && is !== 'data') return false
  return !isOurType(type) && !(is === 'data' && type === 'terraform_remote_state')
}

/** Vexil's members in the comment of a block, which constructs write, and their names in a `Block`. */
const comments = { live_edits: 'liveEdits', sensitive: 'sensitive', tests: 'tests' } as const

function bodyOf(
  raw: RawBody,
): Pick<Written, 'body' | 'path' | 'raw' | (typeof comments)[keyof typeof comments]> {
  const { metadata, vexil } = blockMembers(raw['//'])
  const { path } = blockMembers(metadata)
  const members = blockMembers(vexil)
  const body = withoutComment(raw)
  const named = typeof path === 'string' ? { body, path, raw } : { body, raw }
  const others = Object.entries(comments).flatMap(([written, member]) => {
    const value = members[written]
    return value === undefined ? [] : [[member, value] as const]
  })
  return { ...named, ...Object.fromEntries(others) }
}

export interface ModuleFile {
  readonly json: ExactJson
  /** The position of a body; it also identifies the construct that wrote the body. */
  readonly sourceOf?: (body: ExactJson) => Source
  /** Set if the file changes declarations of other files: `override.tf`, `x_override.tofu.json`. */
  readonly isOverride: boolean
}

/** The files of modules in the folder of a stack, each read once, even if several blocks call it. */
export class ModuleFolders {
  /** The texts that were read, by their displayed names. */
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

  /** Undefined if something there is unreadable, which is reported. Throws a refusal if it does not exist. */
  at(path: string): readonly ModuleFile[] | undefined {
    if (!this.#read.has(path)) this.#read.set(path, this.#readFolder(path))
    return this.#read.get(path)
  }

  #readFolder(path: string): readonly ModuleFile[] | undefined {
    const names = configurationNames(this.#files.list(path) ?? [], this.#engine)
    if (names.length === 0)
      throw new Refusal(
        'invalid',
        'the folder of this module has no configuration files',
        'add files *.tf or *.tf.json to the folder',
      )
    return this.files(path, names)
  }

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
        'only OpenTofu reads this file',
        'select the engine of the stack: --engine tofu, or --engine terraform',
      )
    const isOverride = /(^|_)override\.(tf|tofu)(\.json)?$/.test(name)
    try {
      const text = textFrom(this.#files.read(path))
      this.texts.set(file, text)
      if (!name.endsWith('.json')) return this.#readHcl(file, text, isOverride)
      const json = parseConfiguration(text)
      if (isExactObject(json)) return { json, sourceOf: () => source, isOverride }
      return refuse(`this is ${nounOf(json)} of JSON`, 'write one JSON object')
    } catch (error) {
      if (error instanceof FileError) return refuse(`this file ${error.message}`)
      if (error instanceof SyntaxError) return refuse('this file is not JSON', 'write JSON')
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
