import { type Client, isServiceError } from '../api/index.ts'
import { identityKey, type Live, toLive } from '../core/live.ts'
import { type Reader, readRecord } from '../core/read/read-record.ts'
import { invalid, Refusal } from '../hcl/index.ts'
import { roleKind } from '../kinds/index.ts'
import { pathParameters } from '../model/endpoint.ts'
import { type IdentifiedKind, pluralTitle } from '../model/kind.ts'
import { hasErrors, type Problem } from '../model/problem.ts'
import type { StackConnection } from './declare/choose-target.ts'
import { type Answers, type Found, type LookUp, lookUpKey } from './evaluate/look-ups.ts'
import type { LoadedStack } from './load-stack.ts'
import { once } from './read/once.ts'

export interface CompleteOptions {
  /** The UUIDs of roles, by name: what the settings say is not asked for. */
  readonly roles?: Readonly<Record<string, string>>
  /** Opens a connection to the place that a stack is for. Called where the service has to be asked, and once. */
  readonly open: (stack: LoadedStack) => Promise<Pick<Reader, 'client' | 'signal'>>
}

/**
 * Reads stacks, asks the service for what their data sources look up, and reads them again with the answers, until nothing
 * is left to ask. What has errors and cannot be asked for is told with those errors alone.
 */
export async function completeStack(
  load: (answers: Answers) => Promise<LoadedStack>,
  { roles = {}, open }: CompleteOptions,
): Promise<LoadedStack> {
  const answers = new Map<string, Found>()
  let service: Service | undefined
  for (;;) {
    const stack = await load(answers)
    const { connection } = stack
    const wanted = stack.lookUps
      .flatMap(({ askable }) => askable)
      .filter(one => isSameService(one, connection))
    if (wanted.length === 0) return withoutStandIns(stack)
    for (const one of wanted) {
      const declared = one.kind === roleKind && one.by === 'identity' ? roles[one.value] : undefined
      if (declared === undefined) {
        service ??= await openFor(stack, open)
        if (service === undefined) return stack
      }
      const found =
        declared === undefined ? await service?.find(one, connection) : { id: declared, identity: one.value }
      if (found) answers.set(lookUpKey(one), found)
    }
  }
}

/** Undefined where there is no way to the service, and the stack has errors of its own. */
async function openFor(stack: LoadedStack, open: CompleteOptions['open']): Promise<Service | undefined> {
  try {
    return new Service(await open(stack))
  } catch (error) {
    if (hasErrors(stack.problems)) return undefined
    throw error
  }
}

/** What a run is not for has its own address and key, which it does not use. */
function isSameService({ place }: LookUp, connection: StackConnection): boolean {
  return (['baseUrl', 'apiKey', 'profile'] as const).every(name => place[name] === connection[name])
}

/** Nothing that stands for something else is ever planned. */
function withoutStandIns(stack: LoadedStack): LoadedStack {
  const { lookUps, declarations, problems } = stack
  if (lookUps.every(({ open }) => open.size === 0)) return stack
  const found = declarations.desired.flatMap(desired => {
    const text = JSON.stringify(desired)
    const standIn = lookUps.map(each => each.standInIn(text)).find(one => one !== undefined)
    return standIn ? [[standIn.subject.address, desired.source] as const] : []
  })
  const lost = [...new Map(found)].map(
    ([address, source]): Problem => ({
      code: 'stack-unsupported',
      severity: 'error',
      message: `${address}: it looks in another service than the one that is planned, and that plan depends on it`,
      hint: 'give the value itself, or let Terraform plan the stack',
      ...(source ? { source } : {}),
    }),
  )
  if (lost.length === 0) return stack
  return { ...stack, declarations: { desired: [], ownedGrants: [] }, problems: [...problems, ...lost] }
}

/** Finds objects, and reads each list once. */
class Service {
  readonly #client: Client
  readonly #reader: Pick<Reader, 'client' | 'signal'>
  readonly #lists = new Map<string, Promise<readonly Live[] | Refusal>>()

  constructor(reader: Pick<Reader, 'client' | 'signal'>) {
    this.#client = reader.client
    this.#reader = reader
  }

  async find(one: LookUp, connection: StackConnection): Promise<Found> {
    const { kind, by, value, place } = one
    const owner = place[kind.scope]
    const [parameter = ''] = pathParameters(kind.endpoints[kind.lifecycle.list]?.path ?? '')
    const params: Record<string, string> =
      owner === undefined || owner === connection[kind.scope] ? {} : { [parameter]: owner }
    if (by === 'id') {
      const live = await readRecord(kind, { ...params, id: value }, this.#reader)
      return live && !live.isSoftDeleted ? live : missing(kind, `with the id "${value}"`)
    }
    const all = await once(this.#lists, JSON.stringify([kind.name, params]), () => this.#list(kind, params))
    if (all instanceof Refusal) return all
    const named = all.filter(({ identity }) => identityKey(kind, identity) === identityKey(kind, value))
    const [live] = named
    if (live === undefined) return missing(kind, `"${value}"`)
    if (named.length === 1) return live
    return invalid(
      `${named.length} ${pluralTitle(kind)} are called "${value}"`,
      `give the id of one: ${named.map(({ id }) => id).join(', ')}`,
    )
  }

  async #list(
    kind: IdentifiedKind,
    params: Readonly<Record<string, string>>,
  ): Promise<readonly Live[] | Refusal> {
    const list = this.#client.list(kind.name, { params, signal: this.#reader.signal })
    const living: Live[] = []
    try {
      for await (const record of list) {
        const live = toLive(kind, record)
        if (live && !live.isSoftDeleted) living.push(live)
      }
    } catch (error) {
      if (!isServiceError(error) || error.status !== 404 || !kind.lifecycle.mayBeGone) throw error
      return invalid(`the service does not list its ${pluralTitle(kind)}`, byId)
    }
    if (list.inventory.complete) return living
    return invalid(`the list of ${pluralTitle(kind)} could not be read whole`, byId)
  }
}

const byId = 'give the id: Role.fromId(id, name) in constructs, or name it under `roles` in vexil.yaml'

function missing({ title, scope }: IdentifiedKind, which: string): Refusal {
  return invalid(
    `there is no ${title} ${which}`,
    `is it spelled as in the service, and is the ${scope} right?`,
  )
}
