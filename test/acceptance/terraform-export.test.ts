import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/text/json.ts'
import { sampleWorld, type WorldFile } from '../../src/sandbox/index.ts'
import { cli } from '../support/cli.ts'
import { textTraps, worldOf } from '../support/live-worlds.ts'
import { type Attached, useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'

const open = useTerraform()

type Project = NonNullable<WorldFile['organizations'][number]['projects']>[number]
type LiveFlag = NonNullable<Project['feature_flags']>[number]

/** Exports into the folder of the stack, whose provider block is then the export's own. */
async function exportInto(stack: Attached, options = '') {
  await rm(join(stack.directory, 'main.tf'))
  await rm(join(stack.directory, 'provider.tf'))
  const { code, stderr } = await cli(`export --format hcl -d . ${options}`, {
    directory: stack.directory,
    env: stack.service.env,
  })
  expect(code, stderr).toBe(0)
  // The key is in no file, so Terraform is told of it here as the environment would tell it.
  const providers = await readFile(join(stack.directory, 'providers.tf'), 'utf8')
  const keyed = providers.replace(
    'provider "vexil" {',
    `$&\n  api_key = "${stack.service.env.VEXIL_API_KEY}"`,
  )
  await stack.write({ 'providers.tf': keyed })
  return stderr
}

async function expectImportsOnly(stack: Attached): Promise<number> {
  const planned = Object.values(await stack.plan())
  expect(planned.filter(actions => actions !== 'import')).toEqual([])
  const { requests } = await stack.service.watch(() => stack.apply('made.plan'))
  expect(requests.filter(line => !line.startsWith('GET'))).toEqual([])
  await rm(join(stack.directory, 'imports.tf'))
  expect(await stack.plan()).toEqual({})
  return planned.length
}

/** All but the file to which the key was added. */
async function expectFormatted(stack: Attached): Promise<void> {
  const files = (await readdir(stack.directory)).filter(file => /^(?!providers).*\.tf$/.test(file))
  expect((await stack.run('fmt', '-check', '-diff', ...files)).output).toBe('')
}

/** Texts that Terraform keeps as they are. */
const heldTexts = textTraps.filter(text => text.normalize('NFC') === text && text.trim() !== '')

function flagNamed(key: string, filters: JsonObject, more: Partial<LiveFlag> = {}): LiveFlag {
  return { key, active: true, filters, ...more }
}

const everyWay: readonly LiveFlag[] = [
  flagNamed('share', { groups: [{ rollout_percentage: 33.33 }] }),
  flagNamed('everybody', { groups: [{}] }),
  flagNamed('nobody', { groups: [] }),
  flagNamed('same-name', { groups: [{ rollout_percentage: 1 }] }),
  flagNamed('same_name', { groups: [{ rollout_percentage: 2 }] }, { active: false }),
  flagNamed('7', { groups: [{ rollout_percentage: 3 }] }, { role_access: ['Support Team'] }),
  flagNamed(
    'typed',
    {
      groups: [
        {
          properties: [
            { key: 'email', type: 'person', operator: 'icontains', value: '@example.com' },
            { key: 'id', type: 'cohort', value: 12 },
            { key: 'plan', type: 'person', operator: 'is_not', value: ['free', 'none'] },
          ],
          variant: 'one',
        },
        { properties: [], rollout_percentage: 5 },
      ],
      multivariate: {
        variants: [
          { key: 'one', name: 'One "page"', rollout_percentage: 34 },
          { key: 'two', rollout_percentage: 66 },
        ],
      },
      payloads: { one: '{"steps": [1, 2.50, null]}', two: `"$\{steps}"` },
    },
    { role_access: ['Support Team', 'Growth'], tags: ['shop', 'two words'] },
  ),
  flagNamed('json', {
    groups: [{ properties: [{ key: 'age', type: 'person', operator: 'exact', value: [5, 'six'] }] }],
    payloads: { true: 'not json' },
  }),
  flagNamed('digits', {
    groups: [
      {
        properties: [
          { key: 'n', type: 'person', operator: 'exact', value: [1e-7, 9007199254740991, 5e-324, 0.1] },
        ],
      },
    ],
  }),
  flagNamed('slip', { groups: [{ rollout_precentage: 10, rollout_percentage: 40 }] }),
]

const trapFlags = heldTexts.map((text, index) =>
  flagNamed(
    `trap_${index}`,
    {
      groups: [
        {
          properties: [{ key: `p ${text}`, type: 'person', operator: 'exact', value: [text, 'other'] }],
          ...(index % 2 ? { users: { [text]: text } } : {}),
        },
      ],
      payloads: { true: JSON.stringify({ [text]: [text] }) },
    },
    { name: text },
  ),
)

describe.skipIf(!terraform)('what Vexil has exported, with the real Terraform', () => {
  it('is imported, changes nothing, and is formatted', async () => {
    const stack = await open('', { seed: sampleWorld })
    expect(await exportInto(stack)).toMatch(/^5 files written; run terraform init/)
    const files = (await readdir(stack.directory)).filter(file => file.endsWith('.tf'))
    expect(files.sort()).toEqual([
      'event_definitions.tf',
      'feature_flags.tf',
      'imports.tf',
      'plugins.tf',
      'providers.tf',
    ])
    const { output } = await stack.run(
      'fmt',
      '-check',
      '-diff',
      'feature_flags.tf',
      'plugins.tf',
      'imports.tf',
    )
    expect(output).toBe('')
    expect(await expectImportsOnly(stack)).toBe(9)
  })

  it('may be of every shape and hold any text', async () => {
    const source = Object.fromEntries(
      heldTexts.map((text, index) => [`file ${index}.ts`, `${text}\n\n${text}\n`]),
    )
    const seed = worldOf(
      [
        { name: 'geo', plugin_type: 'source', source },
        { name: 'geo', plugin_type: 'source', source: { 'index.ts': 'export {}\n' } },
        { name: 'folders', plugin_type: 'source', source: { 'src/index.ts': 'export {}\n' } },
      ],
      {
        feature_flags: [...everyWay, ...trapFlags],
        event_definitions: [{ name: '$pageview' }, { name: 'paid "twice"', tags: ['a', 'b'] }],
      },
    )
    const stack = await open('', { seed })
    const told = (await exportInto(stack)).split('\n').slice(1, -1)
    expect(told).toEqual([
      expect.stringMatching(/^left to the service, .*: flag "slip" \(id \d+\): filters$/),
      expect.stringMatching(/^left to the service, .*: plugin "folders" \(id \d+\): source$/),
    ])
    await expectFormatted(stack)
    const grants = 3
    expect(await expectImportsOnly(stack)).toBe(everyWay.length + trapFlags.length + grants + 3 + 2)
  })
})
