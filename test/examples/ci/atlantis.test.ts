import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { parse } from 'yaml'
import { writeFiles } from '../../support/folder.ts'
import { editShopFlag, liveShopFlag, shopFlag, shopKeys } from '../../support/pipelines/shop.ts'
import { aShopOnAtlantis, readExample, type ShopOnAtlantis } from './shop-on-atlantis.ts'

/** `examples/ci/atlantis`: each workflow, against the sandbox. */

let service: ShopOnAtlantis['service']
let remote: ShopOnAtlantis['remote']
let runner: ShopOnAtlantis['runner']
let open: ShopOnAtlantis['open']
let play: ShopOnAtlantis['play']

beforeEach(async () => {
  ;({ service, remote, runner, open, play } = await aShopOnAtlantis())
})

it('lets no pull request choose a workflow, or write one', async () => {
  const { repos, workflows } = parse(await readExample('repos.yaml'))
  for (const repo of repos) {
    expect(repo).toMatchObject({ allowed_overrides: [], allow_custom_workflows: false })
    expect(repo.apply_requirements).toContain('approved')
    expect(Object.keys(workflows)).toContain(repo.workflow)
  }
})

it('comments the plan of each environment, and applies exactly that', async () => {
  const projects: readonly { name: string; dir: string }[] = parse(
    await readExample('atlantis.yaml'),
  ).projects
  expect(projects.map(({ name, dir }) => [name, dir])).toEqual([['production', '.']])
  await remote.push('more', { 'flags.yaml': shopFlag(100) })
  await open('more')

  const planned = await play('vexil', 'plan')
  expect(planned.isDone, planned.text).toBe(true)
  expect(planned.text).toMatch(/1 test of 1 flag: 1 passed[\s\S]*flag checkout_v2[\s\S]*everyone at 100%/)
  expect(await liveShopFlag(service)).toBeUndefined()

  const applied = await play('vexil', 'apply')
  expect(applied.isDone, applied.text).toBe(true)
  expect((await liveShopFlag(service))?.filters.groups[0]?.rollout_percentage).toBe(100)
  expect(await remote.git('rev-parse', '--verify', 'refs/vexil/runs')).toMatch(/^[0-9a-f]{40}$/)

  // Applied once more, and after somebody has changed the flag: never anything but the plan.
  expect((await play('vexil', 'apply')).text).toContain('already')
  await editShopFlag(service, false)
  expect((await play('vexil', 'apply')).isDone).toBe(false)
  expect((await liveShopFlag(service))?.active).toBe(false)
})

it('comments what is wrong, and has no plan to apply', async () => {
  await remote.push('broken', { 'flags.yaml': shopFlag(100).replace('active', 'actve') })
  await open('broken')
  const { result, requests } = await service.watch(() => play('vexil', 'plan'))
  expect(result).toMatchObject({ isDone: false, text: expect.stringMatching(/^flags\.yaml:4:5 .*"actve"/m) })
  expect(requests).toEqual([])
  expect((await play('vexil', 'apply')).isDone).toBe(false)
})

it('takes the name of a project for a name alone', async () => {
  const directory = await open('main')
  const { isDone, text } = await play('vexil', 'plan', 'x";touch injected;"')
  expect(isDone).toBe(false)
  expect(text).toContain('is not an environment')
  await expect(readFile(join(directory, 'injected'))).rejects.toThrow()
})

it('tells below a plan of Terraform what it means for people', async () => {
  await open('main')
  const filters = (share: number) =>
    JSON.stringify({ groups: [{ properties: [], rollout_percentage: share }] })
  const flag = (share: number) => ({
    id: 7,
    key: 'checkout',
    name: 'New',
    active: true,
    filters: filters(share),
  })
  const plan = {
    format_version: '1.2',
    terraform_version: '1.9.8',
    planned_values: { root_module: {} },
    configuration: { root_module: {} },
    resource_changes: [
      {
        address: 'vexil_feature_flag.checkout',
        mode: 'managed',
        type: 'vexil_feature_flag',
        name: 'checkout',
        change: {
          actions: ['update'],
          before: flag(10),
          after: flag(100),
          after_unknown: {},
          before_sensitive: {},
          after_sensitive: {},
        },
      },
    ],
  }
  // A stand-in of Terraform: it has to get the key for reading to plan, the one for writing to apply, and none else.
  const { read: readKey, write: writeKey } = shopKeys
  const terraform = `#!/bin/sh
case "$1 $VEXIL_API_KEY" in
  "init ${readKey}") echo initialized ;;
  "plan ${readKey}") : > "$PLANFILE"; echo 'Plan: 0 to add, 1 to change, 0 to destroy.' ;;
  "show ${readKey}") [ "$*" = "show -json $PLANFILE" ] && cat "$DIR/../shown.json" ;;
  "apply ${writeKey}") [ -f "$PLANFILE" ] && echo 'Apply complete!' ;;
  *) exit 1 ;;
esac
`
  await writeFiles(runner.folder, {
    'bin/terraform1.9.8': terraform,
    'work/shown.json': JSON.stringify(plan),
  })
  await chmod(join(runner.folder, 'bin/terraform1.9.8'), 0o755)

  const planned = await play('vexil-terraform', 'plan')
  expect(planned.isDone, planned.text).toBe(true)
  expect(planned.text).toMatch(/Plan: 0 to add, 1 to change[\s\S]*CRITICAL[\s\S]*everyone[\s\S]*10% -> 100%/)
  expect(await play('vexil-terraform', 'apply')).toEqual({ isDone: true, text: 'Apply complete!\n' })
})
