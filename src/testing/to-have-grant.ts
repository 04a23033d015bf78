import { roleAccess } from '../kinds/index.ts'
import type { Json, JsonObject } from '../model/json/json.ts'
import { parentAttribute, typeName } from '../schema/terraform/terraform-names.ts'
import { expectBlocks, type Verdict } from './block-expectation.ts'
import { type Asymmetric, isAsymmetric } from './expected/asymmetric.ts'
import type { Equals } from './expected/differences.ts'
import { type BlockOptions, readOptions } from './expected/options.ts'
import { isKnownLater, requireKnown } from './require-known.ts'
import { blocksOf, type StackBlock } from './stack-blocks.ts'
import type { Subject } from './subject.ts'

/** A flag by its key, or whatever has one: a `Flag` of a stack. */
export type ExpectedFlag = string | { readonly key: string } | Asymmetric
/** A role by its id, or whatever has one: a `Role` of a stack. One that a plan looks up goes by its name: `{ name }`. */
export type ExpectedRole = string | { readonly id: string } | { readonly name: string } | Asymmetric

export interface GrantOptions extends BlockOptions {
  /** What the role may do, on services that have levels. */
  readonly accessLevel?: unknown
}

/** Whether a subject lets a role edit a flag, or gives it a level there. */
export function haveGrant(
  subject: Subject,
  flag: ExpectedFlag,
  role: ExpectedRole,
  options: GrantOptions,
  equals: Equals,
): Verdict {
  const { times, stack, accessLevel } = readOptions(options, ['times', 'stack', 'accessLevel'])
  const expected = {
    flag: memberOf(flag, 'key', 'flag'),
    ...expectedRole(role),
    ...(accessLevel === undefined ? {} : { access_level: accessLevel }),
  }
  const grants = grantsIn(blocksOf(subject, stack))
  return expectBlocks(
    { blocks: grants, called: 'grant', otherwise: () => 'no grants', expected, times },
    equals,
  )
}

/** By its name where its id is that of a role which a plan looks up. */
function expectedRole(role: ExpectedRole): object {
  if (typeof role === 'object' && !isAsymmetric(role) && 'name' in role && typeof role.name === 'string') {
    const id = 'id' in role ? role.id : undefined
    if (id === undefined || isKnownLater(id)) return { role_name: memberOf(role, 'name', 'role') }
  }
  return { role: memberOf(role, 'id', 'role') }
}

/** What is expected of one, as it is or as a construct has it. */
function memberOf(given: unknown, member: 'key' | 'id' | 'name', name: string): unknown {
  const isHolder = typeof given === 'object' && given !== null && !isAsymmetric(given)
  const expected: unknown = isHolder ? Reflect.get(given, member) : given
  requireKnown(expected, name)
  if (typeof expected === 'string' || isAsymmetric(expected)) return expected
  throw new TypeError(`"${name}" is no ${name}: give its ${member}, or what has one as "${member}"`)
}

const grantType = typeName(roleAccess.name)

/** Each grant, with the key of its flag in place of the reference to it, and the name of a role that is looked up. */
function grantsIn(blocks: readonly StackBlock[]): readonly StackBlock[] {
  return blocks
    .filter(({ type }) => type === grantType)
    .map(block => {
      const { role_id: role, access_level } = block.attributes
      const attributes: JsonObject = {
        flag: namedBy(block, blocks, block.attributes[parentAttribute(roleAccess) ?? ''], 'key'),
        ...(role === undefined ? {} : { role, role_name: namedBy(block, blocks, role, 'name') }),
        ...(access_level === undefined ? {} : { access_level }),
      }
      return { ...block, attributes }
    })
}

/** What stands at the other end of a reference to an id, under this name; the id where it is none. */
function namedBy(
  { stack }: StackBlock,
  blocks: readonly StackBlock[],
  id: Json | undefined,
  name: string,
): Json {
  const [, address] = /^\$\{([\w.-]+)(?:\[[^\]]*\])?\.id\}$/.exec(String(id)) ?? []
  const found = blocks.find(block => block.path === address && block.stack === stack)
  return found?.attributes[name] ?? id ?? null
}
