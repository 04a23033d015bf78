import { isNumber, negate } from '../../cty/big-float.ts'
import type { ExactJson } from '../../cty/encoding/json-value.ts'
import { invalid, Refusal } from '../../cty/invalid-value.ts'
import { literalTemplate } from '../../model/text/literal-template.ts'
import type { Expression } from '../language/syntax.ts'
import { any, type BlockType, type RawAttribute, topLevel } from './block-types.ts'
import { type HclAttribute, type HclBlock, type HclBody, HclReader } from './hcl-reader.ts'

/** A configuration in Terraform's language, as the JSON that means the same. */
export interface HclFile {
  readonly json: ExactJson
  /** Where the bodies of blocks begin, as offsets in the text. */
  readonly offsets: WeakMap<object, number>
}

/** What is wrong with a file, and at which offset of its text. */
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

/** Reads a file of Terraform's language. Throws an `HclError` where it cannot be read. */
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

  /** Each local is a block of its own, so that it has its own place. */
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
        if (isText(expression)) throw invalid('it stands in quotes', 'take the quotes away')
        return this.#reader.textOf(expression)
      },
    )
  }

  /** Addresses as JSON has them. Engines also take them in quotes, with a warning. */
  #reference(expression: Expression): ExactJson {
    if (expression.is === 'tuple') return expression.elements.map(each => this.#reference(each))
    if (expression.is === 'object')
      return Object.fromEntries(expression.members.map(members => members.map(each => this.#reference(each))))
    return isText(expression) ? constantOf(expression) : this.#reader.textOf(expression)
  }

  /** JSON with `${...}` where something is to be worked out. */
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
    // JSON has one member of a name, and what the others refer to would be lost.
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
    // A text of several lines ends with the line of its word.
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

/** What is the same whatever else the configuration says. */
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
