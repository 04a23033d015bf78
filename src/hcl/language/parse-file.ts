import { literalTemplate } from '../literal-template.ts'
import type { ExactJson } from '../values/convert.ts'
import { isNumber, negate } from '../values/number.ts'
import { invalid, Refusal } from '../values/type.ts'
import type { Expression } from './expression.ts'
import { ExpressionReader } from './parse-expression.ts'
import { type Token, unexpected } from './template.ts'

/** A configuration in Terraform's language, as the equivalent JSON. */
export interface HclFile {
  readonly json: ExactJson
  /** The offset in the text where the body of each block begins. */
  readonly offsets: WeakMap<object, number>
}

/** A problem in a file, and its offset in the text. */
export class HclError extends Error {
  override readonly name = 'HclError'
  readonly at: number
  readonly remedy: string | undefined

  constructor(at: number, { message, remedy }: Refusal) {
    super(message)
    this.at = at
    this.remedy = remedy
  }
}

/** Parses a file in Terraform's language. Throws an `HclError` if it cannot be parsed. */
export function parseHcl(text: string): HclFile {
  const reader = new HclReader(text)
  const body = located(
    () => reader.position,
    () => reader.file(),
  )
  const writer = new JsonWriter(reader)
  return { json: writer.file(body), offsets: writer.offsets }
}

function located<Result>(position: () => number, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refusal ? new HclError(position(), error) : error
  }
}

class JsonWriter {
  readonly offsets = new WeakMap<object, number>()
  readonly #reader: HclReader

  constructor(reader: HclReader) {
    this.#reader = reader
  }

  file({ attributes: [stray], blocks }: HclBody): ExactJson {
    if (stray) throw new HclError(stray.at, invalid(`"${stray.name}" stands outside of a block`))
    const members: Record<string, ExactJson[]> = {}
    for (const block of blocks) {
      const type = located(
        () => block.at,
        () => typeOf(topLevel, block),
      )
      members[block.type] ??= []
      for (const body of this.#bodies(block, type)) members[block.type]?.push(labelled(block.labels, body))
    }
    return members
  }

  /** Each local is a separate block, so that it has its own position. */
  #bodies(block: HclBlock, type: BlockType): ExactJson[] {
    if (block.type !== 'locals') return [this.#body(block, type)]
    if (block.body.blocks[0]) throw new HclError(block.body.blocks[0].at, invalid('locals have no blocks'))
    return block.body.attributes.map(attribute => {
      const local = { [attribute.name]: this.#value(attribute, 'expression') }
      this.offsets.set(local, attribute.at)
      return local
    })
  }

  #body({ at, body }: HclBlock, type: BlockType): ExactJson {
    const members = new Map<string, ExactJson>()
    for (const attribute of body.attributes) {
      if (type.blocks !== 'any' && Object.hasOwn(type.blocks, attribute.name))
        throw new HclError(
          attribute.at,
          invalid(`"${attribute.name}" is a block`, `write ${attribute.name} { ... }`),
        )
      members.set(attribute.name, this.#value(attribute, type.raw?.[attribute.name] ?? 'expression'))
    }
    for (const block of body.blocks) {
      const inner = located(
        () => block.at,
        () => typeOf(type.blocks, block),
      )
      const before = members.get(block.type)
      const made = labelled(block.labels, this.#body(block, inner))
      members.set(block.type, Array.isArray(before) ? [...before, made] : [made])
    }
    const json = Object.fromEntries(members)
    this.offsets.set(json, at)
    return json
  }

  #value({ at, expression }: HclAttribute, as: 'expression' | RawAttribute): ExactJson {
    return located(
      () => at,
      () => {
        if (as === 'constant') return constantOf(expression)
        if (as === 'expression') return this.#json(expression)
        if (as === 'reference') return this.#reference(expression)
        if (isText(expression)) throw invalid('it is in quotes', 'take the quotes away')
        return this.#reader.textOf(expression)
      },
    )
  }

  /** Addresses as in JSON. Engines also accept quoted addresses, with a warning. */
  #reference(expression: Expression): ExactJson {
    if (expression.is === 'tuple') return expression.elements.map(each => this.#reference(each))
    if (expression.is === 'object')
      return Object.fromEntries(expression.members.map(members => members.map(each => this.#reference(each))))
    return isText(expression) ? constantOf(expression) : this.#reader.textOf(expression)
  }

  /** JSON with `${...}` for parts that must be evaluated. */
  #json(expression: Expression): ExactJson {
    switch (expression.is) {
      case 'literal':
        return isText(expression) ? literalTemplate(String(expression.value.plain)) : constantOf(expression)
      case 'tuple':
        return expression.elements.map(element => this.#json(element))
      case 'object':
        return this.#object(expression)
      default:
        return this.#filledIn(expression)
    }
  }

  #object(object: Extract<Expression, { is: 'object' }>): ExactJson {
    const members = object.members.map(([key, member]) => [this.#key(key), member] as const)
    // JSON keeps one member per name, so the references of the others would be lost.
    if (new Set(members.map(([name]) => name)).size < members.length) return this.#filledIn(object)
    return Object.fromEntries(members.map(([name, member]) => [name, this.#json(member)]))
  }

  #key(key: Expression): string {
    return isText(key) && key.is === 'literal'
      ? literalTemplate(String(key.value.plain))
      : this.#filledIn(key)
  }

  #filledIn(expression: Expression): string {
    const text = this.#reader.textOf(expression)
    // A heredoc ends with the line of its end word.
    return text.includes('<<') ? `\${${text}\n}` : `\${${text}}`
  }
}

function typeOf(types: BlockType['blocks'], { type, labels, body }: HclBlock): BlockType {
  if (types === 'any') return any
  const found = Object.hasOwn(types, type) ? types[type] : undefined
  if (!found) {
    const names = [...body.attributes, ...body.blocks.map(({ type: name }) => ({ name }))].map(
      ({ name }) => name,
    )
    throw invalid(
      `there is no block "${type}" here`,
      names.length > 0 ? `where an attribute is meant, write ${type} = { ... } or [{ ... }]` : undefined,
    )
  }
  if (labels.length !== found.labels && found.labels !== 'any')
    throw invalid(`"${type}" has ${labels.length} labels and needs ${found.labels}`, found.example)
  return found
}

function labelled(labels: readonly string[], body: ExactJson): ExactJson {
  return labels.reduceRight<ExactJson>((inner, label) => ({ [label]: inner }), body)
}

function isText(expression: Expression): boolean {
  return expression.is === 'literal' && typeof expression.value.plain === 'string'
}

/** A value that does not depend on the rest of the configuration. */
function constantOf(expression: Expression): ExactJson {
  switch (expression.is) {
    case 'literal': {
      const { plain } = expression.value
      if (plain === null || typeof plain === 'boolean' || typeof plain === 'string' || isNumber(plain))
        return plain
      break
    }
    case 'tuple':
      return expression.elements.map(constantOf)
    case 'object':
      return Object.fromEntries(
        expression.members.map(([key, member]) => [constantKey(key), constantOf(member)]),
      )
    case 'unary': {
      const operand = constantOf(expression.operand)
      if (expression.operator === '-' && isNumber(operand)) return negate(operand)
      if (expression.operator === '!' && typeof operand === 'boolean') return !operand
    }
  }
  throw invalid('it has to be a constant', 'write the value itself')
}

function constantKey(key: Expression): string {
  const name = constantOf(key)
  if (typeof name === 'string') return name
  throw invalid('the name of a member has to be a text', 'write it in quotes')
}

/** The content of a file, or of a block's braces. `at` is the offset of the block's name. */
interface HclBody {
  readonly attributes: readonly HclAttribute[]
  readonly blocks: readonly HclBlock[]
}

interface HclAttribute {
  readonly name: string
  readonly at: number
  readonly expression: Expression
}

export interface HclBlock {
  readonly type: string
  readonly labels: readonly string[]
  readonly at: number
  readonly body: HclBody
}

/** Reads a file in Terraform's own language. `position` is the offset of a refusal. */
export class HclReader extends ExpressionReader {
  readonly #texts = new WeakMap<Expression, string>()
  #last: Token | undefined

  /** The offset of a problem: the last token that was read. */
  get position(): number {
    const last = this.#last
    return last?.end === this.at ? this.at - last.text.length : this.at
  }

  protected override next(): Token {
    this.#last = super.next()
    return this.#last
  }

  file(): HclBody {
    if (this.text.startsWith('\ufeff')) this.at = 1
    return this.inside(true, () => {
      const body = this.#body()
      this.requireEnd()
      return body
    })
  }

  override expression(): Expression {
    const from = this.at
    const expression = super.expression()
    this.#texts.set(expression, this.text.slice(from, this.at).trim())
    return expression
  }

  textOf(expression: Expression): string {
    return this.#texts.get(expression) ?? ''
  }

  #body(): HclBody {
    const attributes: HclAttribute[] = []
    const blocks: HclBlock[] = []
    for (;;) {
      this.skipLines()
      const token = this.peek()
      if (token.is === 'end' || token.text === '}') return { attributes, blocks }
      const name = this.#name()
      const at = this.at - name.length
      if (this.take('=')) {
        if (attributes.some(each => each.name === name)) {
          this.at = at
          throw invalid(`"${name}" is there twice`, 'keep one of them')
        }
        attributes.push({ name, at, expression: this.expression() })
      } else blocks.push(this.#block(name, at))
      this.#requireLineEnd()
    }
  }

  #block(type: string, at: number): HclBlock {
    const labels: string[] = []
    while (!this.take('{')) labels.push(this.#label())
    const body = this.deeper(() => this.inside(true, () => this.#body()))
    this.require('}')
    return { type, labels, at, body }
  }

  #label(): string {
    if (this.peek().text !== '"') return this.#name()
    this.next()
    const parts = this.template('quoted')
    this.at += 1
    if (parts.some(part => typeof part !== 'string')) throw invalid('a label has something to fill in')
    return parts.join('')
  }

  #name(): string {
    const token = this.next()
    if (token.is !== 'name' || token.text.includes('::')) throw unexpected(token, 'a name')
    return token.text
  }

  #requireLineEnd(): void {
    const token = this.peek()
    if (token.is !== 'line-end' && token.is !== 'end' && token.text !== '}')
      throw unexpected(token, 'the end of the line')
  }
}

/** A type of block: its labels, and the blocks that it may contain. */
interface BlockType {
  readonly labels: number | 'any'
  readonly example?: string
  /** `any` if these blocks are not read, or if other code refuses them. */
  readonly blocks: 'any' | { readonly [type: string]: BlockType }
  /** Attributes that are not expressions. */
  readonly raw?: { readonly [attribute: string]: RawAttribute }
}

/** A value without references, a type, an unquoted address, or addresses that may be quoted. */
type RawAttribute = 'constant' | 'type' | 'address' | 'reference'

const any: BlockType = { labels: 'any', blocks: 'any' }
const plain: BlockType = { labels: 0, blocks: {} }
const check = { precondition: plain, postcondition: plain }
const lifecycle: BlockType = {
  labels: 0,
  blocks: check,
  raw: { ignore_changes: 'reference', replace_triggered_by: 'reference' },
}
const depends = { depends_on: 'reference' } as const
const moved = { from: 'address', to: 'address' } as const
const ofResource = { ...depends, provider: 'reference' } as const
const resource = { lifecycle, provisioner: any, connection: any, dynamic: any }

const topLevel: { readonly [type: string]: BlockType } = {
  terraform: { labels: 0, blocks: 'any' },
  provider: { labels: 1, example: 'provider "vexil" { ... }', blocks: {} },
  variable: {
    labels: 1,
    example: 'variable "name" { ... }',
    blocks: { validation: plain },
    raw: { default: 'constant', type: 'type' },
  },
  locals: { labels: 0, blocks: {} },
  data: { labels: 2, example: 'data "type" "name" { ... }', blocks: resource, raw: ofResource },
  resource: { labels: 2, example: 'resource "type" "name" { ... }', blocks: resource, raw: ofResource },
  output: { labels: 1, example: 'output "name" { ... }', blocks: { precondition: plain }, raw: depends },
  module: {
    labels: 1,
    example: 'module "name" { ... }',
    blocks: {},
    raw: { ...depends, providers: 'reference' },
  },
  check: { labels: 1, example: 'check "name" { ... }', blocks: { assert: plain, data: any } },
  import: { ...plain, raw: { to: 'address', provider: 'reference' } },
  moved: { ...plain, raw: moved },
  removed: { labels: 0, blocks: { lifecycle: plain, provisioner: any, connection: any }, raw: moved },
  ephemeral: { labels: 2, blocks: 'any' },
}
