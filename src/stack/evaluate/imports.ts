import {
  convert,
  type ExactJson,
  evaluateDeclared,
  fixedSteps,
  invalid,
  isNumber,
  isObjectValue,
  requireKnown,
  type Scope,
  unsupported,
  type Value,
} from '../../hcl/index.ts'
import { isUuid } from '../../model/text/json-shape.ts'
import { meantHint } from '../../model/text/names.ts'
import {
  identityAttributes,
  importIdOf,
  withoutTypedMark,
} from '../../schema/terraform/terraform-identity.ts'
import { typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import { expressionOf, referenceIn } from '../expressions.ts'
import { modulesIn, prefixOf, type StackModule } from '../module-tree.ts'
import { type Body, bodiesIn, requireMembers, type StackFile, switchIn } from '../stack-file.ts'
import type { StackProblems } from '../stack-problems.ts'
import { resourceSchemas } from './attributes.ts'
import type { ResourceInstance } from './resources.ts'

/** The ids in import blocks, by the address of the instance. */
export function importIds(
  { imports }: StackFile,
  scope: Scope,
  addresses: ReadonlySet<string>,
  problems: StackProblems,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const body of imports) {
    const { to, id, identity, for_each: forEach } = body
    problems.attempt({ address: `import of ${shown(to)}` }, '', () => {
      requireMembers(body, ['to', 'id', 'identity', 'for_each', 'provider'])
      const { address = '', type = '' } = addressedBy(to) ?? {}
      if (forEach !== undefined)
        throw unsupported(
          'Vexil does not support an import with for_each',
          'write one import block for each object',
        )
      if (!addresses.has(address)) throw invalid('this resource does not exist')
      if (ids.has(address)) throw invalid('this object is imported twice', 'remove one of them')
      if (id !== undefined && identity !== undefined)
        throw invalid('it has both an id and an identity', 'remove one of them')
      const found = evaluateDeclared(expressionOf(identity ?? id ?? null), scope)
      const plain = requireKnown(found.plain, identity === undefined ? 'the id' : 'the identity')
      const value = identity === undefined ? convert(found, 'string').plain : namedBy(plain, type)
      if (typeof value !== 'string') throw invalid('its id is missing')
      ids.set(address, value)
    })
  }
  return ids
}

/** The id for an identity. */
function namedBy(identity: Value, type: string): string {
  const { kind } = resourceSchemas.get(type) ?? {}
  if (!(kind && isObjectValue(identity)))
    throw invalid('the identity is not an object', 'write identity = { ... }')
  const attributes = Object.keys(identityAttributes(kind))
  const stray = Object.keys(identity).find(name => !attributes.includes(name))
  if (stray !== undefined)
    throw invalid(
      `the identity does not have ${JSON.stringify(stray)}`,
      meantHint(stray, attributes, `there are ${attributes.join(', ')}`),
    )
  const id = importIdOf(kind, identity)
  if (id !== undefined) return id
  const { [`${kind.scope}_id`]: _owner, ...naming } = identityAttributes(kind)
  throw invalid(
    `the identity does not identify exactly one ${kind.title}`,
    `write texts: ${Object.keys(naming).join(', ')}, and only one of an id and a name`,
  )
}

/**
 * The id that finds an instance in the service, if its identity is not enough. Throws a refusal if the import
 * refers to another object than the declaration.
 */
export function importedId(
  { kind, place }: ResourceInstance,
  identity: string,
  parent: string | null,
  imported: string,
): string | undefined {
  const owner = kind.scope === 'project' ? place.project : place.organization
  const whole =
    owner !== undefined && imported.startsWith(`${owner}/`) ? imported.slice(owner.length + 1) : imported
  // The mark of the typed form only matters for a state, which Vexil does not have.
  const own = whole === identity ? whole : (withoutTypedMark(kind, whole) ?? whole)
  if (parent !== null) {
    if (own.toLowerCase() === `${parent}/${identity}`.toLowerCase()) return undefined
    throw unsupported(
      `it imports ${JSON.stringify(imported)}, but Vexil finds a grant by its flag and its role`,
      'remove the import',
    )
  }
  if (own === identity) return undefined
  const isId = kind.parameters?.id === 'integer' ? /^\d+$/.test(own) : isUuid(own)
  if (isId) return own
  throw unsupported(
    `it imports ${JSON.stringify(imported)}, which is neither an id nor ${JSON.stringify(identity)}`,
    `Vexil does not rename objects: declare the ${kind.title} with its live name, or run this stack with Terraform`,
  )
}

/**
 * Vexil finds objects by name, not by address, so declaring a moved resource is enough. `addresses` are those
 * of everything that the stack declares.
 */
export function checkMoves(
  stack: StackModule,
  addresses: ReadonlySet<string>,
  problems: StackProblems,
): void {
  const modules = modulesIn(stack)
  const blocks = new Set(
    modules.flatMap(each => each.file.blocks.map(block => `${prefixOf(each)}${block.address}`)),
  )
  const moves = new Moves(addresses)
  for (const module of modules) {
    const prefix = prefixOf(module)
    for (const body of module.file.moved)
      problems.attempt({ address: `move of ${prefix}${shown(body.from)}` }, '', () => moves.add(body, prefix))
    for (const body of module.file.removed)
      problems.attempt({ address: `removal of ${prefix}${shown(body.from)}` }, '', () =>
        checkRemoval(body, prefix, blocks),
      )
  }
}

/** The moves of a stack and its modules. As engines require, each target has one source, without cycles. */
class Moves {
  readonly #declared: ReadonlySet<string>
  readonly #to = new Map<string, string>()
  readonly #from = new Map<string, string>()

  constructor(declared: ReadonlySet<string>) {
    this.#declared = declared
  }

  add(body: Body, prefix: string): void {
    requireMembers(body, ['from', 'to'])
    const [before, after] = [addressedBy(body.from), addressedBy(body.to)]
    if (!before || !after) throw invalid('the address is not that of a resource')
    const [from, to] = [`${prefix}${before.address}`, `${prefix}${after.address}`]
    if (from === to) throw invalid('both addresses are the same')
    if (before.type !== after.type && !isTypeElsewhere(before.type, after.type))
      throw unsupported(
        `it moves the object to ${after.address}, which has another type`,
        'run this stack with Terraform',
      )
    if (isDeclared(from, this.#declared))
      throw invalid('it is still declared', `remove ${before.address}, or the move`)
    const other = this.#to.get(from) ?? to
    if (other !== to) throw invalid(`it is also moved to ${other}`, 'remove one of the two moves')
    const rival = this.#from.get(to) ?? from
    if (rival !== from) throw invalid(`${rival} is also moved to ${to}`, 'remove one of the two moves')
    for (let next: string | undefined = to; next !== undefined; next = this.#to.get(next))
      if (next === from) throw invalid('these moves form a circle', 'keep only the last one of them')
    this.#to.set(from, to)
    this.#from.set(to, from)
  }
}

function checkRemoval(body: Body, prefix: string, blocks: ReadonlySet<string>): void {
  requireMembers(body, ['from', 'lifecycle'])
  const removed = addressedBy(body.from)
  const lifecycle = bodiesIn(body.lifecycle)[0] ?? {}
  requireMembers(lifecycle, ['destroy'])
  if (!removed || removed.type.startsWith('data.')) throw invalid('the address is not that of a resource')
  const { address } = removed
  if (removed.isInstance) throw invalid('it refers to one instance', 'remove the brackets')
  if (blocks.has(`${prefix}${address}`))
    throw invalid('it is still declared', `remove ${address}, or the removal`)
  if (!switchIn(lifecycle, 'destroy', true)) return
  throw unsupported(
    'Vexil keeps no state, so it does not know which object this was',
    'delete the object in the product or with `prune`, or set lifecycle.destroy to false',
  )
}

/** Whether the stack still declares this address or, for a module, anything in the module. */
function isDeclared(address: string, addresses: ReadonlySet<string>): boolean {
  return addresses.has(address) || [...addresses].some(each => each.startsWith(`${address}.`))
}

function isTypeElsewhere(was: string, becomes: string): boolean {
  const schema = resourceSchemas.get(becomes)
  return schema !== undefined && typesElsewhere(schema.kind.name).includes(was)
}

interface Addressed {
  /** The displayed address: `module.shop["de"].vexil_feature_flag.search[0]`. */
  readonly address: string
  /** The type of a resource, `data.vexil_feature_flag`, or `module`. */
  readonly type: string
  readonly isInstance: boolean
}

/** The address that a block refers to; undefined for anything else. Throws a refusal for unreadable text. */
function addressedBy(json: ExactJson | undefined): Addressed | undefined {
  const reference = referenceIn(json)
  if (!reference) return undefined
  const steps = fixedSteps(reference.steps)
  const ends = steps.map(({ index: { plain }, isNamed }) => {
    if (isNumber(plain)) return `[${plain}]`
    if (typeof plain !== 'string') return '[]'
    return isNamed ? `.${plain}` : `[${JSON.stringify(plain)}]`
  })
  const address = [reference.root, ...ends].join('')
  const match = steps.length < reference.steps.length ? undefined : wholeAddress.exec(address)?.groups
  return match && { address, type: match.type ?? 'module', isInstance: match.key !== undefined }
}

const instance = String.raw`\[(?:"(?:[^"\\]|\\.)*"|\d+)\]`
const calls = String.raw`module\.[^.[]+(?:${instance})?`
const wholeAddress = new RegExp(
  `^(?:(?:${calls}\\.)*(?<type>(?!module\\.)(?:data\\.)?[^.[]+)\\.[^.[]+(?<key>${instance})?|${calls}(?:\\.${calls})*)$`,
)

function shown(json: ExactJson | undefined): string {
  return typeof json === 'string' && json !== '' ? json : 'nothing'
}
