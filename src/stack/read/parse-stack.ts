import { type ExactJson, isExactObject } from '../../hcl/index.ts'

import { isOurType } from '../../schema/terraform/terraform-names.ts'
import type { StackProblems } from '../evaluate/stack-problems.ts'
import { blockLabels } from './configuration-file.ts'
import { localNameIn } from './provider-names.ts'
import { Refusals } from './refusals.ts'
import {
  type Block,
  type Body,
  bodiesIn,
  type FileOf,
  membersOf,
  notBodiesIn,
  providerAddress,
  type RawBody,
  rawBodiesIn,
  type StackFile,
  withoutComment,
} from './stack-file.ts'

/** Takes a configuration apart; what Vexil does not manage is refused by name. */
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
  // The state of a module is that of its stack, whatever the module says.
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

/** A block as it is written, before it is known whose file it stands in. */
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

/** A block may be written as a list of one. */
function oneLifecycle(body: Body): Body {
  const { lifecycle } = body
  return Array.isArray(lifecycle) && lifecycle.length < 2
    ? { ...body, lifecycle: lifecycle[0] ?? null }
    : body
}

/** The outputs of another stack of the app can be worked out; nothing else of other providers can. */
function isForeign({ is, type }: Block): boolean {
  if (is !== 'resource' && is !== 'data') return false
  return !isOurType(type) && !(is === 'data' && type === 'terraform_remote_state')
}

/** What constructs write for us into the comment of a block, and what it is called in a `Block`. */
const comments = { live_edits: 'liveEdits', sensitive: 'sensitive', tests: 'tests' } as const

function bodyOf(
  raw: RawBody,
): Pick<Written, 'body' | 'path' | 'raw' | (typeof comments)[keyof typeof comments]> {
  const { metadata, vexil } = membersOf(raw['//'])
  const { path } = membersOf(metadata)
  const said = membersOf(vexil)
  const body = withoutComment(raw)
  const named = typeof path === 'string' ? { body, path, raw } : { body, raw }
  const others = Object.entries(comments).flatMap(([written, member]) => {
    const value = said[written]
    return value === undefined ? [] : [[member, value] as const]
  })
  return { ...named, ...Object.fromEntries(others) }
}
