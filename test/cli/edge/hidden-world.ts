import { commitAll, git } from '../../git/repository.ts'
import { canary, canaryFiles } from '../../support/canaries.ts'
import { folderWith } from '../../support/cli.ts'
import { startService } from '../../support/service.ts'
import {
  anOrganization,
  aWorkspace,
  support,
  type Workspace,
  writeTwoEnvironments,
} from '../../support/workspace.ts'
import { filesOfOthers } from './commands.ts'

/** A folder and a service in which every payload, description and value is a canary, and is to be hidden. */
export interface HiddenWorld extends Workspace {
  /** The process environment of command lines. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The repository that records are pushed to. */
  readonly remote: string
  /** Makes the declarations, the base and the live objects differ from each other again. */
  stir(): Promise<void>
  close(): Promise<void>
}

/** The ref on which records are shared, of the remote beside the folder. */
export const sharedRef = 'refs/vexil/runs'

const settings = `redact: [payloads, descriptions, values]
ownership: { tag: ours, prune: owned }
runs: { ref: ${sharedRef} }
policies: { no_personal_email: warning }
`

const twoProjects = anOrganization({
  roles: [{ id: support, name: 'Support' }],
  projects: [
    { id: 1, name: 'Production' },
    { id: 2, name: 'Staging', feature_flags: [{ key: 'known', ...liveFields('staging') }] },
  ],
})

/** What an undo has set is sent for its address alone. */
const undone = ['feature_flag.banner', 'feature_flag.checkout', 'plugin.geoip']
  .map(address => `--allow live_edit=${address}`)
  .join(' ')

/**
 * | object   | base   | declared | live   |
 * |----------|--------|----------|--------|
 * | known    | one    | another  | a third |
 * | checkout | one    | another  | as the base |
 * | held     | one    | as the base | another |
 * | fresh    |        | one      |        |
 * | gone     | one    | absent   | another |
 * | ours     |        |          | one, with the ownership tag |
 *
 * Banner and the plugin are as the flag checkout.
 */
export async function hiddenWorld(): Promise<HiddenWorld> {
  const service = await startService({ seed: twoProjects })
  const workspace = await aWorkspace(service)
  const env = await writeTwoEnvironments(workspace, settings)
  let round = 0
  const declare = async (kept: string, side: string, more: string) => {
    const { 'flags.yaml': flags = '' } = canaryFiles(side)
    await workspace.write({
      'flags.yaml': flags,
      'more.yaml': `feature_flags:\n${flagText('known', side)}${flagText('held', kept)}${more}`,
      'events.yaml': 'event_definitions: { paid: { tags: [shop] } }\n',
    })
  }
  const commit = async () => {
    await git(workspace.path, 'add', '--all')
    await git(workspace.path, 'commit', '--quiet', '--allow-empty', '--message', 'More')
  }
  const stir = async () => {
    service.faults()
    round++
    await declare(`base${round}`, `base${round}`, flagText('gone', `base${round}`))
    await commit()
    const { code, stderr, stdout } = await workspace.vexil(
      `apply --env production --auto-approve --allow live_edit --allow rollout_step --allow feature --allow soft_deleted ${undone}`,
      { env },
    )
    if (code !== 0) throw new Error(`${code}: ${stdout}${stderr}`)
    for (const key of ['known', 'held', 'gone']) await workspace.edit(key, liveFields(`live${round}`))
    await declare(
      `base${round}`,
      `now${round}`,
      `${flagText('fresh', `now${round}`)}  gone: { ensure: absent }\n`,
    )
    await commit()
  }
  await workspace.write({ ...filesOfOthers('shop', `${canary}-other`), '.gitignore': '.vexil\n' })
  await commitAll(workspace.path)
  const remote = await folderWith({})
  await git(remote.path, 'init', '--quiet', '--bare')
  await git(workspace.path, 'remote', 'add', 'origin', remote.path)
  return {
    ...workspace,
    env,
    remote: remote.path,
    stir,
    async close() {
      await service.close()
      await workspace.remove()
      await remote.remove()
    },
  }
}

function liveFields(side: string) {
  const at = (place: string) => `${canary}-${side}-${place}`
  return {
    name: at('name'),
    filters: {
      groups: [
        {
          properties: [
            { key: 'email', type: 'person', operator: 'exact', value: [`${at('mail')}@gmail.com`] },
          ],
          rollout_percentage: 30,
          description: at('condition'),
        },
      ],
      multivariate: { variants: [{ key: 'control', rollout_percentage: 100, name: at('variant') }] },
      payloads: { control: JSON.stringify({ text: at('payload') }) },
    },
  }
}

function flagText(key: string, side: string): string {
  const { name, filters } = liveFields(side)
  return `  ${key}: { name: ${name}, active: true, filters: ${JSON.stringify(filters)} }\n`
}
