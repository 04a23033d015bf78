import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retireSteps } from '../../src/model/removal.ts'
import type { JsonObject } from '../../src/model/text/json.ts'
import { cli } from '../support/cli.ts'
import { folderWith } from '../support/folder.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startService } from '../support/service.ts'

/** Conditions and variants of which some give everybody the same and some do not. */
const someFlag = fc.record({
  active: fc.constantFrom(true, true, false),
  filters: fc.record(
    {
      groups: fc.array(
        fc.record(
          {
            properties: fc.constantFrom(
              [],
              [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }],
            ),
            rollout_percentage: fc.constantFrom(0, 30, 100, 100),
            variant: fc.constantFrom('blue', 'red'),
          },
          { requiredKeys: ['properties', 'rollout_percentage'] },
        ),
        { minLength: 1, maxLength: 2 },
      ),
      multivariate: fc.constantFrom(
        {
          variants: [
            { key: 'blue', rollout_percentage: 100 },
            { key: 'red', rollout_percentage: 0 },
          ],
        },
        {
          variants: [
            { key: 'blue', rollout_percentage: 50 },
            { key: 'red', rollout_percentage: 50 },
          ],
        },
      ),
    },
    { requiredKeys: ['groups'] },
  ),
})

type SomeFlag = { readonly active: boolean; readonly filters: JsonObject }

let service: Service
let number = 0

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('a flag that is retired', () => {
  it('ends, never reaches more people but where a value is said, and plans what each step said', async () => {
    let ended = 0
    await fc.assert(
      fc.asyncProperty(someFlag, fc.constantFrom('off', 'most'), async (flag, value) => {
        number += 1
        const key = `flag-${number}`
        // What forces a variant that there is not is an error of the file.
        const text = textOf(key, flag as SomeFlag)
        const folder = await folderWith({
          'vexil.yaml': 'version: 1\n',
          'shop.ts': 'pay()\n',
          'flags.yaml': text,
        })
        try {
          ended += await walk(folder.path, key, value === 'off' ? 'off' : mostOf(flag as SomeFlag))
        } finally {
          await folder.remove()
        }
      }),
      { numRuns: rounds(20) },
    )
    expect(ended).toBeGreaterThan(0)
  })
})

/** Retires a flag to its end; answers with 1 where it has come there. */
async function walk(directory: string, key: string, value: string): Promise<number> {
  const vexil = (line: string) => cli(line, { directory, env: service.env })
  const applied = await vexil('apply --auto-approve')
  if (applied.code === 1) return 0
  expect(applied.code, applied.stdout).toBe(0)
  const taken: string[] = []
  for (let calls = 0; calls <= retireSteps.length; calls += 1) {
    const first = await retire(vexil, key, '')
    const isOpen = first.code === 3
    // Without a value nothing is written while people get different values.
    if (isOpen) expect(first.retire.step).toBe('decide')
    const { code, retire: said } = isOpen ? await retire(vexil, key, `--value ${value}`) : first
    expect(code, JSON.stringify(said)).toBe(0)
    taken.push(said.step)
    const changes = await planned(vexil)
    expect(changes.map(({ action, after }) => [action, Object.keys(after)])).toEqual(
      plannedBy(said.step, value),
    )
    for (const { exposure } of changes)
      if (!isOpen) expect(['none', 'narrower', undefined]).toContain(exposure?.direction)
    if (said.step === 'forget') break
    const { code: done, stdout } = await vexil('apply --auto-approve')
    expect(done, stdout).toBe(0)
  }
  expect(taken.at(-1)).toBe('forget')
  expect(new Set(taken).size).toBe(taken.length)
  expect(await vexil('plan --detailed-exitcode')).toMatchObject({ code: 0 })
  return 1
}

type Vexil = (line: string) => ReturnType<typeof cli>

async function retire(vexil: Vexil, key: string, options: string) {
  const { code, stdout, stderr } = await vexil(`retire ${key} --days 0 --json ${options}`)
  expect([0, 3], stdout + stderr).toContain(code)
  return { code, retire: JSON.parse(stdout).retire as { readonly step: string } }
}

interface PlannedChange {
  readonly action: string
  readonly after: Readonly<Record<string, unknown>>
  readonly exposure?: { readonly direction: string }
}

async function planned(vexil: Vexil): Promise<readonly PlannedChange[]> {
  const { stdout } = await vexil('plan --json')
  return JSON.parse(stdout).changes
}

/** What a plan does with what a step has written. */
function plannedBy(step: string, value: string): unknown {
  switch (step) {
    case 'decide':
      return [['update', [value === 'off' ? 'active' : 'filters']]]
    case 'off':
      return [['update', ['active']]]
    case 'absent':
      return [['delete', expect.any(Array)]]
    default:
      return []
  }
}

function textOf(key: string, { active, filters }: SomeFlag): string {
  return `feature_flags:\n  stays: { active: true, rollout_percentage: 10 }\n  ${key}: { active: ${active}, filters: ${JSON.stringify(filters)} }\n`
}

/** The value that a flag can give to everybody beside off. */
function mostOf({ filters }: SomeFlag): string {
  return filters.multivariate === undefined ? 'on' : 'red'
}
