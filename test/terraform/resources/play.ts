import { beforeEach } from 'vitest'
import {
  isSameValue,
  isWhollyKnown,
  memberOf,
  type ObjectValue,
  showPath,
  type Value,
} from '../../../src/hcl/values/value.ts'
import {
  type CallContext,
  type Diagnostic,
  DiagnosticError,
  isComputed,
  type Private,
  type Resource,
  typeOfAttribute,
} from '../../../src/terraform/provider.ts'
import { type AttributeProblem, checkApply, checkPlan } from '../../../src/terraform/serve/plan-and-apply.ts'
import { createVexilProvider, type VexilProviderOptions } from '../../../src/terraform/vexil-provider.ts'
import { eachTime, type Service } from '../../support/service.ts'
import { testRuntime } from '../../support/test-runtime.ts'
import { overTheWire } from '../support/values.ts'

export type Config = Readonly<Record<string, Value>>

/** What Terraform keeps of one resource. */
export interface Kept {
  readonly state: ObjectValue
  readonly private: Private
}

export interface Planned {
  readonly planned: ObjectValue
  readonly private: Private
  readonly replaces: readonly string[]
  readonly warnings: readonly Diagnostic[]
  /** The attributes whose value the plan changes. */
  readonly changes: readonly string[]
}

/** Plays Terraform for one provider and checks every answer against Terraform's own rules. */
export async function playTerraform(
  service: Pick<Service, 'env'>,
  block: Config = {},
  options: Partial<VexilProviderOptions> = {},
) {
  const provider = createVexilProvider({
    runtime: testRuntime(),
    env: service.env,
    directory: '/',
    ...options,
  })
  const context: CallContext = { signal: new AbortController().signal }
  const begin = () => provider.configure(overTheWire(provider.schema, block), { version: '1.11.4' }, context)
  await begin()

  const resource = (type: string): Resource => {
    const found = provider.resources[`vexil_${type}`]
    if (!found) throw new Error(`no resource ${type}`)
    return found
  }
  const complete = (type: string, value: ObjectValue) => overTheWire(resource(type).schema, value)

  const validate = async (type: string, config: Config) =>
    (await resource(type).validate?.(complete(type, config), context)) ?? []

  const read = async (type: string, kept: Kept): Promise<Kept | null> => {
    const answer = await resource(type).read({ state: kept.state, private: kept.private }, context)
    if (answer.state === null) return null
    const state = complete(type, answer.state)
    if (!isWhollyKnown(state)) throw new Error('read answered with something unknown')
    return { state, private: answer.private ?? kept.private }
  }

  const plan = async (type: string, config: Config, kept: Kept | null): Promise<Planned> => {
    const given = complete(type, config)
    const problems = (await validate(type, config)).filter(({ severity }) => severity === 'error')
    if (problems.length > 0) throw new DiagnosticError(...problems)
    const { schema } = resource(type)
    const prior = kept?.state ?? null
    const proposed = Object.fromEntries(
      Object.entries(schema.block.attributes).map(([name, attribute]) => {
        const own = memberOf(given, name)
        return [name, own === null && isComputed(attribute) && prior ? memberOf(prior, name) : own]
      }),
    )
    const answer = await resource(type).plan(
      { prior, proposed, config: given, priorPrivate: kept?.private ?? new Uint8Array() },
      context,
    )
    const planned = complete(type, answer.planned)
    refuseBroken('invalid plan', checkPlan(schema.block, { prior, config: given, planned }))
    const changes = Object.entries(schema.block.attributes)
      .filter(([name, attribute]) => {
        const [was, will] = [memberOf(prior ?? undefined, name), memberOf(planned, name)]
        return !isSameValue(typeOfAttribute(attribute), was, will)
      })
      .map(([name]) => name)
    return {
      planned,
      private: answer.private ?? kept?.private ?? new Uint8Array(),
      replaces: (answer.requiresReplace ?? []).map(String),
      warnings: answer.diagnostics ?? [],
      changes: prior ? changes.sort() : ['create'],
    }
  }

  const carryOut = async (
    type: string,
    config: Config,
    kept: Kept | null,
    planned: Planned,
    signal = context.signal,
  ): Promise<{ kept: Kept | null; diagnostics: readonly Diagnostic[] }> => {
    const answer = await resource(type).apply(
      {
        prior: kept?.state ?? null,
        planned: planned.planned,
        config: complete(type, config),
        plannedPrivate: planned.private,
      },
      { ...context, signal },
    )
    const diagnostics = answer.diagnostics ?? []
    if (answer.state === null) {
      if (!diagnostics.some(({ severity }) => severity === 'error'))
        throw new Error('nothing was made, without a word')
      return { kept: null, diagnostics }
    }
    const state = complete(type, answer.state)
    if (!isWhollyKnown(state)) throw new Error('apply left something unknown')
    if (!diagnostics.some(({ severity }) => severity === 'error'))
      refuseBroken('inconsistent result', checkApply(resource(type).schema.block, planned.planned, state))
    return { kept: { state, private: answer.private ?? new Uint8Array() }, diagnostics }
  }

  return {
    provider,
    context,
    /** Begins a run of its own, as every command of Terraform does. */
    begin,
    validate,
    read,
    plan,
    carryOut,
    /** Plans and applies; throws what was refused. */
    async apply(type: string, config: Config, kept: Kept | null = null): Promise<Kept> {
      const planned = await plan(type, config, kept)
      const done = await carryOut(type, config, kept, planned)
      const errors = done.diagnostics.filter(({ severity }) => severity === 'error')
      if (errors.length > 0 || !done.kept) throw new DiagnosticError(...errors)
      return done.kept
    },
    /** Reads and plans as `terraform plan` does, in a run of its own: what would change, or `gone`. */
    async replan(type: string, config: Config, kept: Kept): Promise<readonly string[]> {
      await begin()
      const current = await read(type, kept)
      return current === null ? ['gone'] : (await plan(type, config, current)).changes
    },
    /** What a plan says of a removal. */
    planRemoval: async (type: string, kept: Kept) =>
      (await resource(type).planRemoval?.({ state: kept.state, private: kept.private }, context)) ?? [],
    /** Destroys in a run of its own. */
    async destroy(type: string, kept: Kept): Promise<readonly Diagnostic[]> {
      await begin()
      const answer = await resource(type).apply(
        { prior: kept.state, planned: null, config: null, plannedPrivate: kept.private },
        context,
      )
      if (answer.state !== null && !answer.diagnostics?.length) throw new Error('it was not destroyed')
      return answer.diagnostics ?? []
    },
    async import(type: string, id: string): Promise<Kept> {
      const answer = await resource(type).import?.(id, context)
      if (!answer) throw new Error('cannot be imported')
      const kept = await read(type, {
        state: complete(type, answer.state),
        private: answer.private ?? new Uint8Array(),
      })
      if (!kept) throw new Error('cannot import a non-existent remote object')
      return kept
    },
    data: async (type: string, config: Config): Promise<ObjectValue> => {
      const source = provider.dataSources[`vexil_${type}`]
      if (!source) throw new Error(`no data source ${type}`)
      const { state } = await source.read(overTheWire(source.schema, config), context)
      return overTheWire(source.schema, state)
    },
  }
}

/** Terraform on the service of each test of a file. */
export function useTerraform(service: Service): Player {
  let player: Player | undefined
  beforeEach(async () => {
    player = await playTerraform(service)
  })
  return eachTime(() => player)
}

export type Player = Awaited<ReturnType<typeof playTerraform>>

/** What a refusal says, as one text. */
export async function refusalOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics.map(showDiagnostic).join('\n')
    throw error
  }
  throw new Error('it was not refused')
}

export function showDiagnostic({ severity, summary, detail = '', attribute }: Diagnostic): string {
  const where = attribute ? ` [${attribute.join('.')}]` : ''
  return `${severity}${where}: ${summary}${detail ? ` | ${detail.replaceAll('\n\n', ' | ')}` : ''}`
}

function refuseBroken(what: string, [first]: readonly AttributeProblem[]): void {
  if (first) throw new Error(`${what} for ${showPath(first.path)}: ${first.reason}`)
}
