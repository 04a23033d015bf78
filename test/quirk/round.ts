import type { JsonObject } from '../../src/model/text/json.ts'
import type { Profile, Quirks } from '../../src/sandbox/index.ts'
import { type CliResult, cli, folderWith } from '../support/cli.ts'
import { holdingOf } from './holding.ts'
import { filesOf, startQuirkService } from './repository.ts'

/** What is seen of `plan`, `apply`, `plan`, `apply` in a row. What a plan blocks is told by its rule, by address. */
export interface Round {
  readonly plan: { readonly code: number; readonly blocked: Readonly<Record<string, string>> }
  readonly apply: {
    readonly code: number
    /** Status and code of what the service refused, by address. */
    readonly failed: Readonly<Record<string, string>>
    readonly notKept: Readonly<Record<string, readonly string[]>>
  }
  readonly second: {
    readonly code: number
    readonly changes: readonly string[]
    readonly blocked: Readonly<Record<string, string>>
    readonly drift: readonly string[]
  }
  readonly again: { readonly code: number; readonly writes: number }
  /** Declared addresses that are not as declared in the end. */
  readonly undone: readonly string[]
  readonly wrong: readonly string[]
}

/** A round after which there is nothing left to do. */
export const converged: Round = {
  plan: { code: 2, blocked: {} },
  apply: { code: 0, failed: {}, notKept: {} },
  second: { code: 0, changes: [], blocked: {}, drift: [] },
  again: { code: 0, writes: 0 },
  undone: [],
  wrong: [],
}

export interface RoundOptions {
  readonly profile: Profile
  readonly quirks: Partial<Quirks>
  readonly postToChat?: boolean
}

export async function runRound({ profile, quirks, postToChat = false }: RoundOptions): Promise<Round> {
  const service = await startQuirkService(profile, quirks)
  const folder = await folderWith(filesOf({ postToChat }))
  const host = { runtime: service.world }
  const vexil = async (line: string) => {
    await service.world.sleep(1000)
    return cli(`${line} --json --profile ${profile}`, { directory: folder.path, env: service.env, host })
  }
  try {
    const plan = planned(await vexil('plan --detailed-exitcode'))
    const apply = applied(await vexil('apply --auto-approve'))
    const second = planned(await vexil('plan --detailed-exitcode'))
    const again = await service.watch(() => vexil('apply --auto-approve'))
    return {
      plan: { code: plan.code, blocked: plan.blocked },
      apply,
      second,
      again: {
        code: again.result.code,
        writes: again.requests.filter(line => !line.startsWith('GET ')).length,
      },
      ...(await holdingOf(service, { profile, postToChat })),
    }
  } finally {
    await service.close()
    await folder.remove()
  }
}

function planned({ code, stdout, stderr }: CliResult): Round['second'] {
  const document = JSON.parse(stdout) as JsonObject
  if ('errors' in document) return { code, changes: [stderr], blocked: {}, drift: [] }
  const { changes, blocked, drift } = document as unknown as Readonly<Record<string, readonly JsonObject[]>>
  return {
    code,
    changes: changes!.map(({ address }) => String(address)),
    blocked: Object.fromEntries(blocked!.map(({ address, rule }) => [address, String(rule)])),
    drift: drift!.map(({ address }) => String(address)),
  }
}

function applied({ code, stdout }: CliResult): Round['apply'] {
  const lines = stdout.split('\n').filter(line => line !== '')
  const events = lines.map(line => JSON.parse(line) as JsonObject)
  const failed = events.filter(
    ({ type }) => type !== 'change_done' && /_(failed|pending|stale|skipped)$/.test(String(type)),
  )
  const lost = events.filter(({ not_kept }) => Array.isArray(not_kept) && not_kept.length > 0)
  return {
    code,
    failed: Object.fromEntries(
      failed.map(({ address, status, code: said, reason }) => [
        address,
        String(reason ?? `${status} ${said}`),
      ]),
    ),
    notKept: Object.fromEntries(
      lost.map(({ address, not_kept }) => [address, not_kept as readonly string[]]),
    ),
  }
}
