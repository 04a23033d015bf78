import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  appProfile,
  appStacks,
  beforeApp,
  leavesOfApp,
  textOfLeaves,
  writeApp,
} from '../stack/several-stacks.ts'
import { cli } from '../support/cli.ts'
import { inFolder, writeFiles } from '../support/folder.ts'
import { noRecords } from '../support/live-edits.ts'
import { liveLeaves } from '../support/live-leaves.ts'
import { type Service, startService } from '../support/service.ts'
import { useProvider } from './support/attached.ts'
import { run, terraform } from './support/binary.ts'
import { foundEngines } from './support/found-engines.ts'

const provider = useProvider()
const stacks = appStacks.map(name => `--stack stacks/${name}`).join(' ')

/** Runs a command of an engine in the folder of a stack; it has to succeed. */
async function runIn(command: string, directory: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await run(command, args, { directory, env: provider() })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** A service with the app beside it, synthesized for that service. */
async function withApp(work: (service: Service, folder: string) => Promise<void>): Promise<void> {
  const service = await startService({ seed: beforeApp, profile: appProfile })
  try {
    await inFolder({ 'vexil.yaml': 'version: 1\nsdks: {}\n' }, async folder => {
      await writeApp(folder, service)
      await work(service, folder)
    })
  } finally {
    await service.close()
  }
}

async function vexil(line: string, folder: string, service: Service): Promise<void> {
  const { code, stdout, stderr } = await cli(`${line.replace('STACKS', stacks)}`, {
    directory: folder,
    env: service.env,
  })
  expect([code, stderr.replace(noRecords, '')], stdout).toEqual([0, ''])
}

/** Has an engine apply all stacks in their order, and tells what it did of each. */
async function applyAll(command: string, folder: string): Promise<string[]> {
  const told: string[] = []
  for (const name of appStacks) {
    const stack = join(folder, 'stacks', name)
    await runIn(command, stack, 'init', '-no-color', '-input=false')
    const output = await runIn(command, stack, 'apply', '-no-color', '-input=false', '-auto-approve')
    told.push(/Resources: .*destroyed/.exec(output)?.[0] ?? output)
  }
  return told
}

/** What an engine would still do in all stacks, by address. */
async function planAll(command: string, folder: string): Promise<readonly string[]> {
  const changes: string[] = []
  for (const name of appStacks) {
    for (const { address, change } of await changesIn(command, join(folder, 'stacks', name)))
      changes.push(`${address}: ${change.actions.join()}`)
  }
  return changes
}

/** What a plan of one stack changes. */
async function changesIn(command: string, stack: string): Promise<readonly Change[]> {
  await runIn(command, stack, 'plan', '-no-color', '-input=false', '-out=made.plan')
  const { resource_changes: changes = [] } = JSON.parse(
    await runIn(command, stack, 'show', '-json', 'made.plan'),
  ) as { readonly resource_changes?: readonly Change[] }
  return changes.filter(({ change: { actions } }) =>
    actions.some(action => action !== 'no-op' && action !== 'read'),
  )
}

interface Change {
  readonly address: string
  readonly change: {
    readonly actions: readonly string[]
    readonly after: Readonly<Record<string, unknown>> | null
  }
}

/** The flag of a grant, which no plan says while the flag is new, by the address of the grant. */
const flagsOfGrants: readonly (readonly [RegExp, string])[] = [
  [/^module\.team\.module\.one\["(\w+)"\]/, 'team-$1'],
  [/\["(north|south)"\]$/, 'region-$1'],
  [/checkout/i, 'checkout'],
  [/legacy/i, 'legacy_nav'],
]

function flagOf(address: string): string {
  const [pattern, key] = flagsOfGrants.find(([each]) => each.test(address)) ?? []
  if (!pattern || key === undefined) throw new Error(`nobody says whose grant ${address} is`)
  return key.replace('$1', pattern.exec(address)?.[1] ?? '')
}

/** Has an engine import what is live into its state, stack by stack; each run may change nothing. */
async function importAll(command: string, folder: string): Promise<string[]> {
  const told: string[] = []
  for (const name of appStacks) {
    const stack = join(folder, 'stacks', name)
    await runIn(command, stack, 'init', '-no-color', '-input=false')
    const created = await changesIn(command, stack)
    const blocks = created.map(({ address, change: { after } }) => {
      const id = after?.key ?? after?.name ?? `${flagOf(address)}/${after?.role_id}`
      return `import {\n  to = ${address}\n  id = "${id}"\n}\n`
    })
    await writeFiles(stack, { 'imports.tf': blocks.join('') })
    const output = await runIn(command, stack, 'apply', '-no-color', '-input=false', '-auto-approve')
    const { length } = blocks
    told.push(
      (/Resources: .*destroyed/.exec(output)?.[0] ?? output).replace(`${length} imported`, 'all imported'),
    )
    await rm(join(stack, 'imports.tf'))
  }
  return told
}

/** What the stacks have in them, in their order. */
const added = [5, 10, 8].map(count => `Resources: ${count} added, 0 changed, 0 destroyed`)
// A flag with `release` comes as its filters, and its conditions are put into the state without a request.
const imported = [1, 5, 2].map(count => `Resources: all imported, 0 added, ${count} changed, 0 destroyed`)

describe.skipIf(!terraform)('one app of several stacks', () => {
  it.each(foundEngines)(
    'applied by $title ends in the recorded state, and neither it nor Vexil has anything left to do',
    async ({ command }) => {
      await withApp(async (service, folder) => {
        expect(await applyAll(command, folder)).toEqual(added)
        const leaves = await liveLeaves(service)
        expect(Object.keys(leaves)).toHaveLength(leavesOfApp)
        await expect(textOfLeaves(leaves)).toMatchFileSnapshot(
          '../stack/__snapshots__/several-stacks.json.snap',
        )
        expect(await planAll(command, folder)).toEqual([])
        await vexil('plan STACKS --detailed-exitcode', folder, service)
      })
    },
  )

  it.each(foundEngines)(
    'applied by Vexil is imported by $title, which then has nothing left to do',
    async ({ command }) => {
      await withApp(async (service, folder) => {
        await vexil('apply STACKS --auto-approve', folder, service)
        const made = await liveLeaves(service)
        const { result, requests } = await service.watch(() => importAll(command, folder))
        expect(result).toEqual(imported)
        expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
        // The sandbox remembers no more of them.
        expect(requests.length).toBeLessThan(1000)
        expect(await planAll(command, folder)).toEqual([])
        expect(await liveLeaves(service)).toEqual(made)
      })
    },
  )
})
