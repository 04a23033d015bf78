import { type ExactJson, isExactObject } from '../../cty/encoding/json-value.ts'
import { isOurType } from '../../schema/terraform/terraform-names.ts'
import type { StackProblems } from '../evaluate/stack-problems.ts'

export type Body = Readonly<Record<string, ExactJson>>

/** One thing that a configuration declares. */
export interface Block {
  readonly is: 'variable' | 'local' | 'output' | 'resource' | 'data' | 'provider' | 'check'
  /** `vexil_feature_flag.checkout`, `data.vexil_feature_flag.legacy`, `var.share`, `provider.vexil.eu`. */
  readonly address: string
  /** Of a resource or a data source. */
  readonly type: string
  readonly name: string
  /** The construct that it comes from. */
  readonly path?: string
  readonly body: Body
}

/** A synthesized stack, taken apart. */
export interface StackFile {
  /** What Terraform keeps this stack's state under, for other stacks to find it. */
  readonly statePath?: string
  readonly blocks: readonly Block[]
  readonly imports: readonly Body[]
  readonly moved: readonly Body[]
  readonly removed: readonly Body[]
}

/** Takes a synthesized stack apart; what Vexil has nothing to do with is refused by name. */
export function parseStack(json: ExactJson, problems: StackProblems): StackFile {
  const top = isExactObject(json) ? json : {}
  for (const [name, member] of Object.entries(top)) {
    if (!known.has(name) && name !== '//') refuseTopLevel(name, member, problems)
  }
  const terraform = membersOf(top.terraform)
  refuseBackend(terraform, problems)
  const statePath = backendPath(terraform)
  return {
    ...(statePath === undefined ? {} : { statePath }),
    blocks: [
      ...providersIn(top.provider),
      ...named('variable', 'var', top.variable),
      ...bodiesIn(top.locals).flatMap(locals =>
        Object.entries(locals).map(([name, value]) => local(name, value)),
      ),
      ...typed('data', top.data, problems),
      ...typed('resource', top.resource, problems),
      ...named('output', 'output', top.output),
      ...named('check', 'check', top.check),
    ],
    imports: bodiesIn(top.import),
    moved: bodiesIn(top.moved),
    removed: bodiesIn(top.removed),
  }
}

/** The address of a provider's configuration: `provider.vexil`, `provider.vexil.eu`. */
export function providerAddress(alias: string | undefined): string {
  return alias === undefined ? 'provider.vexil' : `provider.vexil.${alias}`
}

/** The bodies of a block, which is written as an object or as a list of them; comments are left out. */
export function bodiesIn(json: ExactJson | undefined): readonly Body[] {
  if (Array.isArray(json)) return json.flatMap(bodiesIn)
  return json === undefined || !isExactObject(json) ? [] : [withoutComment(json)]
}

const known = new Set([
  'terraform',
  'provider',
  'variable',
  'locals',
  'data',
  'resource',
  'output',
  'check',
  'import',
  'moved',
  'removed',
])

function refuseTopLevel(name: string, member: ExactJson, problems: StackProblems): void {
  const names = Object.keys(membersOf(member))
  const address = [name, ...names.slice(0, 1)].join('.')
  problems.add(
    { address },
    {
      code: 'stack-unsupported',
      message: `${address}: Vexil reads no ${name} block`,
      hint: 'declare its flags in this stack itself, or run this stack with Terraform',
    },
  )
}

/** State that is kept elsewhere belongs to Terraform, which would not know of what is done without it. */
function refuseBackend(terraform: Body, problems: StackProblems): void {
  const backends = [...Object.keys(membersOf(terraform.backend)), ...('cloud' in terraform ? ['cloud'] : [])]
  for (const backend of backends.filter(name => name !== 'local')) {
    const address = backend === 'cloud' ? 'terraform.cloud' : `terraform.backend.${backend}`
    problems.add(
      { address },
      {
        code: 'stack-unsupported',
        message: `${address}: the state of this stack is kept elsewhere, so it is run by Terraform`,
        hint: 'take the backend out, since Vexil keeps no state; or run this stack with Terraform',
      },
    )
  }
}

function backendPath(terraform: Body): string | undefined {
  const { path } = membersOf(membersOf(terraform.backend).local)
  return typeof path === 'string' ? path : undefined
}

function providersIn(json: ExactJson | undefined): Block[] {
  return bodiesIn(json).flatMap(providers =>
    bodiesIn(providers.vexil).map(({ alias, ...body }) => {
      const name = typeof alias === 'string' ? alias : undefined
      return {
        is: 'provider',
        address: providerAddress(name),
        type: 'vexil',
        name: name ?? '',
        body,
      } as const
    }),
  )
}

function named(is: 'variable' | 'output' | 'check', prefix: string, json: ExactJson | undefined): Block[] {
  return bodiesIn(json).flatMap(blocks =>
    Object.entries(blocks).flatMap(([name, written]) =>
      bodiesOf(written).map(({ body, path }) => ({
        is,
        address: `${prefix}.${name}`,
        type: '',
        name,
        ...(path === undefined ? {} : { path }),
        body,
      })),
    ),
  )
}

function local(name: string, value: ExactJson): Block {
  return { is: 'local', address: `local.${name}`, type: '', name, body: { value } }
}

function typed(is: 'resource' | 'data', json: ExactJson | undefined, problems: StackProblems): Block[] {
  return bodiesIn(json).flatMap(types =>
    Object.entries(types).flatMap(([type, written]) =>
      bodiesIn(written).flatMap(names =>
        Object.entries(names).flatMap(([name, one]) =>
          bodiesOf(one).flatMap(({ body, path }) => {
            const address = is === 'data' ? `data.${type}.${name}` : `${type}.${name}`
            const whole = oneLifecycle(body)
            const block: Block = {
              is,
              address,
              type,
              name,
              ...(path === undefined ? {} : { path }),
              body: whole,
            }
            if (!isForeign(block)) return [block]
            refuseForeign(block, problems)
            return []
          }),
        ),
      ),
    ),
  )
}

/** A block may be written as a list of one. */
function oneLifecycle(body: Body): Body {
  const { lifecycle } = body
  return Array.isArray(lifecycle) && lifecycle.length === 1
    ? { ...body, lifecycle: lifecycle[0] ?? null }
    : body
}

/** The outputs of another stack of the app can be worked out; nothing else of other providers can. */
function isForeign({ is, type }: Block): boolean {
  return !isOurType(type) && !(is === 'data' && type === 'terraform_remote_state')
}

function refuseForeign({ address, type, path, is }: Block, problems: StackProblems): void {
  const noun = is === 'data' ? 'data source' : 'resource'
  problems.add(
    { address, path },
    {
      code: 'stack-unsupported',
      message: `${address}: ${type} is a ${noun} of another provider`,
      hint: 'put it into a stack of its own, or run this stack with Terraform',
    },
  )
}

function bodiesOf(json: ExactJson): { readonly body: Body; readonly path: string | undefined }[] {
  if (Array.isArray(json)) return json.flatMap(bodiesOf)
  if (!isExactObject(json)) return []
  const { path } = membersOf(membersOf(json['//']).metadata)
  return [{ body: withoutComment(json), path: typeof path === 'string' ? path : undefined }]
}

function withoutComment(json: { readonly [name: string]: ExactJson }): Body {
  const { '//': _comment, ...body } = json
  return body
}

export function membersOf(json: ExactJson | undefined): Body {
  return isExactObject(json) ? json : {}
}
