import type { ExactJson } from '../../cty/encoding/json-value.ts'
import { invalid, unsupported } from '../../cty/invalid-value.ts'
import { isObjectValue, type Value } from '../../cty/value.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { isUuid } from '../../model/text/uuid.ts'
import { identityAttributes, importIdOf } from '../../schema/terraform/terraform-identity.ts'
import { withoutTypedMark } from '../../schema/terraform/terraform-import-ids.ts'
import { typesElsewhere } from '../../schema/terraform/terraform-names.ts'
import { resourceSchemas } from '../evaluate/provider-schemas.ts'
import type { ResourceInstance } from '../evaluate/resource-evaluation.ts'
import type { StackProblems } from '../evaluate/stack-problems.ts'
import { evaluateDeclared } from '../language/evaluate-declared.ts'
import { expressionOf } from '../language/expression-of.ts'
import { requireKnown } from '../language/require-known.ts'
import type { Scope } from '../language/scope.ts'
import { modulesIn, prefixOf, type StackModule } from '../read/module-tree.ts'
import { withoutBraces } from '../read/references-of.ts'
import { bodiesIn, type StackFile, switchIn } from '../read/stack-file.ts'

/** What import blocks say, by the address of the instance. */
export function importIds(
  { imports }: StackFile,
  scope: Scope,
  addresses: ReadonlySet<string>,
  problems: StackProblems,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  for (const { to, id, identity, for_each: forEach } of imports) {
    const address = addressIn(to)
    const place = { address: `import of ${address ?? 'nothing'}` }
    problems.attempt(place, '', () => {
      if (forEach !== undefined) throw unsupported('an import with for_each', 'write one import for each')
      if (address === undefined || !addresses.has(address)) throw invalid('there is no such resource')
      if (ids.has(address)) throw invalid('it is imported twice', 'keep one of them')
      if (id !== undefined && identity !== undefined)
        throw invalid('it has both an id and an identity', 'take one of them out')
      const read = (json: ExactJson, what: string) =>
        requireKnown(evaluateDeclared(expressionOf(json), scope).plain, what)
      const value =
        identity === undefined
          ? read(id ?? null, 'the id')
          : namedBy(read(identity, 'the identity'), typeIn(address))
      if (typeof value !== 'string') throw invalid('the id is not a text')
      ids.set(address, value)
    })
  }
  return ids
}

/** The id that means the same as an identity. */
function namedBy(identity: Value, type: string): string {
  const { kind } = resourceSchemas.get(type) ?? {}
  if (!(kind && isObjectValue(identity)))
    throw invalid('the identity is not an object', 'write identity = { ... }')
  const attributes = Object.keys(identityAttributes(kind))
  const stray = Object.keys(identity).find(name => !attributes.includes(name))
  if (stray !== undefined)
    throw invalid(
      `the identity has no ${JSON.stringify(stray)}`,
      meantHint(stray, attributes, `there are ${attributes.join(', ')}`),
    )
  const id = importIdOf(kind, identity)
  if (id !== undefined) return id
  const { [`${kind.scope}_id`]: _owner, ...naming } = identityAttributes(kind)
  throw invalid(
    `the identity does not name one ${kind.title}`,
    `it takes texts: ${Object.keys(naming).join(', ')}, of an id and a name only one`,
  )
}

/**
 * The id under which an instance is found in the service, where its identity is not enough; throws a refusal where the
 * import means something else than what is declared.
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
  // In which form a state has it is nothing to who keeps none.
  const own = whole === identity ? whole : (withoutTypedMark(kind, whole) ?? whole)
  if (parent !== null) {
    if (own.toLowerCase() === `${parent}/${identity}`.toLowerCase()) return undefined
    throw unsupported(
      `it imports ${JSON.stringify(imported)}, and a grant is found by its flag and its role`,
      'take the import out',
    )
  }
  if (own === identity) return undefined
  const isId = kind.parameters?.id === 'integer' ? /^\d+$/.test(own) : isUuid(own)
  if (isId) return own
  throw unsupported(
    `it imports ${JSON.stringify(imported)}, which is neither an id nor ${JSON.stringify(identity)}`,
    `Vexil renames nothing: declare the ${kind.title} as it is called, or run this stack with Terraform`,
  )
}

/**
 * Addresses say nothing to who finds things by what they are called, so a move is done by being declared. `addresses`
 * are those of all that the stack declares.
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
  for (const each of modules) checkMovesOf(each, { addresses, blocks }, problems)
}

interface DeclaredAddresses {
  /** Of all instances. */
  readonly addresses: ReadonlySet<string>
  /** Of all blocks, also of those that stand for nothing. */
  readonly blocks: ReadonlySet<string>
}

function checkMovesOf(
  module: StackModule,
  { addresses, blocks }: DeclaredAddresses,
  problems: StackProblems,
): void {
  const prefix = prefixOf(module)
  const { moved, removed } = module.file
  for (const { from, to } of moved) {
    const [before, after] = [addressIn(from), addressIn(to)]
    problems.attempt({ address: `move of ${prefix}${before ?? 'nothing'}` }, '', () => {
      if (before === undefined || after === undefined) throw invalid('it names no resource')
      if (before === after) throw invalid('it moves nothing')
      const [was, becomes] = [typeIn(before), typeIn(after)]
      if (was !== becomes && !isTypeElsewhere(was, becomes))
        throw unsupported(
          `it makes ${after} of it, which is of another type`,
          'run this stack with Terraform',
        )
      if (isDeclared(`${prefix}${before}`, addresses))
        throw invalid('it is still declared', `remove ${before}, or the move`)
    })
  }
  for (const { from, lifecycle } of removed) {
    const address = addressIn(from)
    problems.attempt({ address: `removal of ${prefix}${address ?? 'nothing'}` }, '', () => {
      if (address === undefined) throw invalid('it names no resource')
      if (blocks.has(`${prefix}${address}`))
        throw invalid('it is still declared', `remove ${address}, or the removal`)
      if (!switchIn(bodiesIn(lifecycle)[0] ?? {}, 'destroy', true)) return
      throw unsupported(
        'Vexil keeps no state, so it does not know what that was',
        'delete it in the product or with `prune`, or set lifecycle.destroy to false',
      )
    })
  }
}

/** Whether the stack still has something of that address, or a module of that address still has something in it. */
function isDeclared(address: string, addresses: ReadonlySet<string>): boolean {
  return addresses.has(address) || [...addresses].some(each => each.startsWith(`${address}.`))
}

function addressIn(json: ExactJson | undefined): string | undefined {
  return typeof json === 'string' ? withoutBraces(json) : undefined
}

function isTypeElsewhere(was: string, becomes: string): boolean {
  const schema = resourceSchemas.get(becomes)
  return schema !== undefined && typesElsewhere(schema.kind.name).includes(was)
}

/** The type of a resource by its address; `module` for one that ends with a module. */
function typeIn(address: string): string {
  const below = address.replace(/^(?:module\.[\w-]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?\.)+/, '')
  return below.split('.')[0] ?? ''
}
