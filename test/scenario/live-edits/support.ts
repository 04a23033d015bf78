import { afterEach, beforeEach } from 'vitest'
import type { JsonObject } from '../../../src/model/json/json.ts'
import { commitAll, gitEnv } from '../../git/repository.ts'
import type { CliResult } from '../../support/cli.ts'
import { startService } from '../../support/service.ts'
import { aWorkspace, type Workspace } from '../../support/workspace.ts'

/** A git repository, a service, and people who click in it. */
export interface World extends Workspace {
  /** Writes the flags of the repository, as they stand below `feature_flags`, and commits them; answers with the commit. */
  commit(flags: string): Promise<string>
  apply(more?: string): Promise<CliResult>
  /** What a plan says of live edits and of what it sends. */
  plan(more?: string): Promise<Told>
  /** What somebody does in the product. */
  click(key: string, change: object): Promise<void>
}

/** The parts of a plan that tell what becomes of each field. */
export interface Told {
  readonly code: number
  /** By address, what is sent. */
  readonly sent: Readonly<Record<string, JsonObject>>
  /** By address, the rule that blocks it. */
  readonly blocked: Readonly<Record<string, string>>
  /** `feature_flag.checkout active held`, in order. */
  readonly edits: readonly string[]
}

interface ShownPlan {
  readonly changes: readonly { readonly address: string; readonly after: JsonObject }[]
  readonly blocked: readonly { readonly address: string; readonly rule: string }[]
  readonly live_edits: readonly {
    readonly address: string
    readonly fields: readonly { readonly field: string; readonly treatment: string }[]
  }[]
}

const settings = 'version: 1\nlimits: { delete: 5, rollout_step: 25 }\n'

/** A new one for each test. */
export function useWorld(
  files: Readonly<Record<string, string>> = { 'vexil.yaml': settings, '.gitignore': '.vexil\n' },
): () => World {
  let current: World | undefined
  beforeEach(async () => {
    const service = await startService()
    const env = { ...service.env, ...gitEnv }
    current = worldOf(await aWorkspace(service, files, { env }))
  })
  afterEach(async () => {
    await current?.service.close()
    await current?.remove()
  })
  return () => current as World
}

function worldOf(workspace: Workspace): World {
  const { vexil, declareFlags, path, edit } = workspace
  return {
    ...workspace,
    async commit(flags) {
      await declareFlags(flags)
      return commitAll(path)
    },
    apply: (more = '') => vexil(`apply --auto-approve ${more}`),
    async plan(more = '') {
      const { code, stdout } = await vexil(`plan --json ${more}`)
      const { changes, blocked, live_edits } = JSON.parse(stdout) as ShownPlan
      return {
        code,
        sent: Object.fromEntries(changes.map(({ address, after }) => [address, after])),
        blocked: Object.fromEntries(blocked.map(({ address, rule }) => [address, rule])),
        edits: live_edits.flatMap(({ address, fields }) =>
          fields.map(({ field, treatment }) => `${address} ${field} ${treatment}`),
        ),
      }
    },
    click: edit,
  }
}
