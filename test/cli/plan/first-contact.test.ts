import { describe, expect, it } from 'vitest'
import { flagsPath, support, useWorkspace } from '../../support/workspace.ts'

const many = ['a', 'b', 'c', 'd', 'e'].map(letter => `adopted_${letter}`)
const lost = ['x', 'y', 'z'].map(letter => `lost_${letter}`)

const workspace = useWorkspace({
  'vexil.yaml': `version: 1\nroles: { support: ${support} }\nownership: { tag: managed-by-vexil, prune: never }\n`,
  'flags.yaml': `feature_flags:
${many.map(key => `  ${key}: { name: Here }`).join('\n')}
  checkout: { name: Checkout, filters: { groups: [ { rollout_percentage: 20 } ] } }
  brand_new: { name: New, active: false }
`,
})
const { vexil, service, read } = workspace

/** Five flags that are as declared, one that is not, and three with the ownership tag that nobody declares. */
async function aServiceInUse(): Promise<void> {
  for (const key of many) await service.send('POST', `${flagsPath}/`, { key, name: 'Here', tags: [key] })
  const filters = { groups: [{ properties: [], rollout_percentage: 10 }] }
  await service.send('POST', `${flagsPath}/`, { key: 'checkout', name: 'Checkout', active: true, filters })
  for (const key of lost)
    await service.send('POST', `${flagsPath}/`, { key, name: 'Lost', tags: ['managed-by-vexil'] })
}

const claimsLine =
  '  @ claims 5 flags: tags +managed-by-vexil, and nothing else changes  --verbose lists them'
const lostLine = '  = 3 flags: each not in the files, still live  --verbose lists them'
const rowsOf = (text: string, sign: string) => text.split('\n').filter(row => row.startsWith(`  ${sign} `))

describe('the first plan of a service that is in use', () => {
  it('tells what is adopted and what is declared nowhere in a line each, after what does something', async () => {
    await aServiceInUse()
    const { stdout } = await vexil('plan')
    expect(rowsOf(stdout, '@')).toEqual([claimsLine])
    expect(rowsOf(stdout, '=')).toEqual([lostLine])
    expect(stdout).toContain('1 to create, 1 to change, 5 to claim, 0 to delete, 0 blocked, 3 drifted')
    const order = ['~ flag checkout', '+ flag brand_new', '@ claims', '= 3 flags'].map(words =>
      stdout.indexOf(words),
    )
    expect(order).not.toContain(-1)
    expect([...order].sort((left, right) => left - right)).toEqual(order)
  })

  it('lists each with --verbose, in a plan, a saved plan and drift', async () => {
    await aServiceInUse()
    const made = await vexil('plan --verbose --out made.json')
    const shown = await vexil('show made.json --verbose')
    for (const { stdout } of [made, shown]) {
      expect(rowsOf(stdout, '@').map(row => row.split(/\s+/)[3])).toEqual(many)
      expect(stdout).not.toContain('--verbose lists them')
    }
    expect(rowsOf(made.stdout, '=')).toEqual(lost.map(key => `  = flag ${key}`))
    expect(rowsOf((await vexil('show made.json')).stdout, '@')).toEqual([claimsLine])
    const drift = await vexil('drift --verbose')
    expect(rowsOf(drift.stdout, '=').map(row => row.split(/\s+/)[3])).toEqual([
      ...many,
      'brand_new',
      'checkout',
      ...lost,
    ])
  })

  it('tells them together in drift too, and counts each', async () => {
    await aServiceInUse()
    const { code, stdout } = await vexil('drift')
    expect(code).toBe(6)
    expect(rowsOf(stdout, '=').slice(-2)).toEqual([
      '  = 5 flags: an apply would only do this: tags +managed-by-vexil  --verbose lists them',
      lostLine,
    ])
    expect(stdout).toContain('10 objects not as declared, 0 as declared')
  })

  it('says once how many objects get the ownership tag, and which', async () => {
    await aServiceInUse()
    const made = await vexil('plan --verbose --out made.json --report made.md --report made.html')
    const told = [
      made.stdout,
      (await vexil('show made.json --verbose')).stdout,
      await read('made.md'),
      await read('made.html'),
      (await vexil('drift --verbose')).stdout,
    ]
    await vexil('apply made.json --report done.md')
    for (const text of [...told, await read('done.md')]) {
      expect(text.match(/7 objects get the ownership tag managed-by-vexil/g)).toHaveLength(1)
      expect(text).not.toMatch(/^.*(?:checkout|brand_new).*\n(?: {4}.*\n)*? +tags \+managed-by-vexil/m)
    }
    const { ownership_tag, changes } = JSON.parse(await read('made.json'))
    expect(ownership_tag).toBe('managed-by-vexil')
    const summaries = changes.map(({ summary }: { summary: string[] }) => summary.join('\n'))
    expect(summaries.filter((words: string) => words.includes('managed-by-vexil'))).toHaveLength(5)
  })

  it('leaves nothing out of the JSON', async () => {
    await aServiceInUse()
    const { changes, drift } = JSON.parse((await vexil('plan --json')).stdout)
    expect(changes).toHaveLength(7)
    expect(drift).toHaveLength(3)
  })

  it('is applied with a line for the claims, and with a line for each of them when asked', async () => {
    await aServiceInUse()
    const { stdout } = await vexil('apply --auto-approve')
    expect(rowsOf(stdout, '@')).toEqual([claimsLine, '  @ 5 flags claimed  --verbose lists them'])
    expect(stdout).toContain('7 changes applied.')
    await vexil('unclaim --auto-approve')
    const verbose = await vexil('claim --auto-approve --verbose')
    const claimed = rowsOf(verbose.stdout, '@').filter(row => row.endsWith(' claimed'))
    expect(claimed.sort()).toEqual(
      ['brand_new', 'checkout', ...many].map(key => `  @ flag ${key} claimed`).sort(),
    )
  })
})
