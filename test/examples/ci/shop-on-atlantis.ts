import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { packageRoot } from '../../support/built.ts'
import { type Comment, playWorkflow } from '../../support/pipelines/atlantis/play-workflow.ts'
import { aRemote } from '../../support/pipelines/remote.ts'
import { aRunner, type Runner } from '../../support/pipelines/runner.ts'
import { type Shop, shopFiles, shopKeys, shopService } from '../../support/pipelines/shop.ts'

export interface ShopOnAtlantis extends Shop {
  readonly runner: Runner
  /** Takes a branch for a new pull request: the clone is one of its own. Answers with its folder. */
  open(branch: string): Promise<string>
  /** What Atlantis comments on the pull request that was opened last, in which nobody is shown a key. */
  play(workflow: string, command: 'plan' | 'apply', project?: string): Promise<Comment>
}

export const readExample = (name: string) => readFile(join(packageRoot, 'examples/ci/atlantis', name), 'utf8')

/** The shop with `examples/ci/atlantis`. */
export async function aShopOnAtlantis(): Promise<ShopOnAtlantis> {
  const service = await shopService()
  const runner = await aRunner()
  const config = await readExample('repos.yaml')
  const files = shopFiles(service)
  const remote = await aRemote({
    ...files,
    // As docs/ci.md says, since atlantis.yaml declares nothing.
    'vexil.yaml': `${files['vexil.yaml']}files: ["!atlantis.yaml"]\n`,
    'atlantis.yaml': await readExample('atlantis.yaml'),
  })
  let pulls = 0
  const folder = () => join(runner.folder, `work/pull-${pulls}`)
  const playIn = async (directory: string, ...[workflow, command, name = 'production']: Parameters<Play>) => {
    const server = { VEXIL_READ_KEY: shopKeys.read, VEXIL_WRITE_KEY: shopKeys.write }
    const comment = await playWorkflow(config, workflow, command, { runner, directory, name, server })
    for (const secret of Object.values(shopKeys)) expect(comment.text.includes(secret)).toBe(false)
    return comment
  }
  const open = async (branch: string) => {
    pulls++
    await remote.clone(folder(), branch)
    return folder()
  }
  return {
    service,
    remote,
    runner,
    open,
    play: (...given) => playIn(folder(), ...given),
    // A pull request that has main as it is now.
    async deliver(meanwhile = async () => {}) {
      const directory = await open('main')
      const planned = await playIn(directory, 'vexil', 'plan')
      expect(planned.isDone, planned.text).toBe(true)
      await meanwhile()
      const { isDone, text } = await playIn(directory, 'vexil', 'apply')
      return { isDone, shown: `${planned.text}${text}` }
    },
  }
}

type Play = ShopOnAtlantis['play']
