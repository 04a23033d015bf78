import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { support, useWorkspace as useBench } from '../support/workspace.ts'

// Flags have settings of any shape.
const quirks = { flag_fields: '2024' } as const
const bench = useBench({ 'vexil.yaml': `version: 1\nroles: { support: ${support} }\n` }, { quirks })
const vexil = (line: string) => bench().vexil(line)

const german = { key: 'country', value: ['DE'], type: 'person', operator: 'exact' }
const germansAt = (percent: number) => ({ properties: [german], rollout_percentage: percent })
const everyoneAt = (percent: number) => ({ properties: [], rollout_percentage: percent })

const checkout = {
  name: 'New checkout',
  active: false,
  filters: {
    groups: [germansAt(10), everyoneAt(5)],
    payloads: { true: { theme: 'night', limit: 3 } },
  },
}
const source = 'export function processEvent(event) {\n  return event\n}\n'
const geoip = { plugin_type: 'source', config_schema: { size: 1 }, source: { 'index.ts': source } }

async function declare(objects: object): Promise<void> {
  await bench().write({ 'all.yaml': stringify(objects) })
}

/** The lines about one object in a text, without their indentation of six. */
function linesOf(text: string, title: string): string[] {
  const lines = text.split('\n')
  const start = lines.findIndex(line => line.startsWith(`  ${title}`))
  const rest = lines.slice(start + 1)
  return rest
    .slice(
      0,
      rest.findIndex(line => !line.startsWith('      ')),
    )
    .map(line => line.slice(6))
}

async function wordsAfter(before: object, after: object, title: string): Promise<string[]> {
  await declare(before)
  const applied = await vexil('apply --auto-approve')
  expect(applied.code, applied.stdout + applied.stderr).toBe(0)
  await declare(after)
  return linesOf((await vexil('plan')).stdout, title)
}

describe('a plan', () => {
  it('says of a flag that is turned on together with an edit who gets it, and only what differs', async () => {
    const after = {
      ...checkout,
      active: true,
      filters: { ...checkout.filters, groups: [germansAt(20), everyoneAt(5)] },
    }
    expect(
      await wordsAfter(
        { feature_flags: { checkout } },
        { feature_flags: { checkout: after } },
        '~ flag checkout',
      ),
    ).toEqual([
      'active: off -> on',
      'who gets it from now on: country is DE at 20%; everyone at 5%',
      'condition 1  country is DE  10% -> 20%',
    ])
  })

  it('says of a flag that is turned off together with an edit who had it, and only what differs', async () => {
    const before = { ...checkout, active: true }
    const after = { ...checkout, name: 'Old checkout' }
    expect(
      await wordsAfter(
        { feature_flags: { checkout: before } },
        { feature_flags: { checkout: after } },
        '~ flag checkout',
      ),
    ).toEqual([
      'HIGH: nobody gets it any more: 2 conditions of up to 10% stop (turned_off)',
      'active: on -> off, nobody gets it any more',
      'who had it until now: country is DE at 10%; everyone at 5%',
      'description: "New checkout" -> "Old checkout"',
    ])
  })

  it('shows values before and after: payloads by member, texts, and settings of any shape', async () => {
    const after = {
      ...checkout,
      name: `New checkout${'!'.repeat(100)}`,
      filters: { ...checkout.filters, payloads: { true: { theme: 'day', limit: 3 } } },
      rollback_conditions: [{ threshold: 5 }],
    }
    expect(
      await wordsAfter(
        { feature_flags: { checkout } },
        { feature_flags: { checkout: after } },
        '~ flag checkout',
      ),
    ).toEqual([
      'inactive: nobody gets it, before and after',
      'payload of "true"  theme: "night" -> "day"',
      `description: "New checkout" -> "New checkout${'!'.repeat(18)}…${'!'.repeat(29)}" (112 characters)`,
      'rollback_conditions added: [{"threshold":5}]',
    ])
  })

  it('shows what changes in the source files of a plugin, and in what it asks for', async () => {
    const after = {
      ...geoip,
      config_schema: { size: 2, unit: 'mm' },
      source: { 'index.ts': source.replace('return event', 'return { ...event, seen: true }') },
    }
    expect(await wordsAfter({ plugins: { geoip } }, { plugins: { geoip: after } }, '~ plugin geoip')).toEqual(
      [
        'HIGH: the code that runs on events changes (source_changed)',
        'config_schema  size: 1 -> 2',
        'config_schema  unit added: "mm"',
        'source index.ts changed: 1 line added, 1 removed',
        '  @@ -1,3 +1,3 @@',
        '   export function processEvent(event) {',
        '  -  return event',
        '  +  return { ...event, seen: true }',
        '   }',
      ],
    )
  })

  it('shows everything of a new flag: who gets it, variants, payloads, labels and who may edit it', async () => {
    await declare({
      feature_flags: {
        search_ai: {
          name: 'Search by meaning',
          active: true,
          filters: {
            groups: [germansAt(10), { ...everyoneAt(100), variant: 'fast' }],
            multivariate: {
              variants: [
                { key: 'fast', name: 'Quick', rollout_percentage: 40 },
                { key: 'deep', rollout_percentage: 60 },
              ],
            },
            payloads: { deep: { model: 'x'.repeat(50), limits: { tokens: 100 } } },
          },
          tags: ['search', 'ai'],
          role_access: ['support'],
        },
      },
    })
    expect(linesOf((await vexil('plan')).stdout, '+ flag search_ai')).toEqual([
      'condition 1  country is DE at 10%',
      'condition 2  everyone at 100%, each gets variant "fast"',
      'variant "fast" 40%',
      '  name: "Quick"',
      'variant "deep" 60%',
      'payload of "deep"  limits: {"tokens":100}',
      `payload of "deep"  model: "${'x'.repeat(50)}"`,
      'description: "Search by meaning"',
      'tags +ai +search',
      'may be edited by role support',
    ])
  })

  it('puts a leap to everybody above everything and before the question, and into the document', async () => {
    const at = (percent: number) => ({
      feature_flags: { checkout: { active: true, filters: { groups: [everyoneAt(percent)] } } },
    })
    await declare(at(10))
    await vexil('apply --auto-approve')
    await declare(at(100))
    const { stdout } = await vexil('plan --out plan.json')
    const lines = stdout.trimEnd().split('\n')
    expect([lines[0]?.split(':')[0], lines[1], lines.at(-2)]).toEqual([
      'CRITICAL risk',
      '  !! flag checkout  everyone: 10% -> 100%',
      '  !! flag checkout  everyone: 10% -> 100%',
    ])
    expect((await vexil('show plan.json')).stdout.split('\n')[1]).toBe(lines[1])
    expect(JSON.parse((await vexil('plan --json')).stdout).changes[0]).toMatchObject({
      alert: 'everyone: 10% -> 100%',
      summary: ['condition 1  everyone  10% -> 100%'],
    })
  })

  it('tells what somebody changed in the service, with the values', async () => {
    const declared = { feature_flags: { checkout: { ...checkout, active: true } } }
    await declare(declared)
    await vexil('apply --auto-approve')
    await bench().edit('checkout', {
      name: 'Theirs',
      filters: { ...checkout.filters, groups: [germansAt(100), everyoneAt(5)] },
    })
    for (const [command, code] of [
      ['plan', 0],
      ['drift', 6],
    ] as const) {
      const told = await vexil(command)
      expect(told.code, command).toBe(code)
      expect(linesOf(told.stdout, '= flag checkout'), command).toEqual([
        expect.stringMatching(/^name: reverted, changed in the product( by |$)/),
        '  description: "New checkout" -> "Theirs"',
      ])
      const held = told.stdout.split('HELD')[1] ?? ''
      expect(linesOf(held, '= flag checkout').slice(0, 2), command).toEqual([
        expect.stringMatching(/^filters: held, changed in the product( by |$)/),
        '  condition 1  country is DE  10% -> 100%',
      ])
    }
  })
})
