import { describe, expect, it } from 'vitest'
import { readPlanDocument } from '../../../src/core/record/plan-file.ts'
import { reportFormats } from '../../../src/report/formats.ts'
import { allParts, canary, canaryFiles, countCanaries } from '../../support/canaries.ts'
import { useWorkspace } from '../../support/workspace.ts'
import { filesOfOthers } from '../edge/commands.ts'

const workspace = useWorkspace()
const { vexil, write, read, flag, edit } = workspace

const settings = 'redact: [payloads, descriptions, values]\n'
const ends = reportFormats().map(({ extension }) => extension)
const reports = ends.map(end => `--report r${end}`).join(' ')

/** Declarations of which everything was applied and then changed; what was done so far hides nothing. */
async function changedEverywhere(): Promise<void> {
  await write(canaryFiles('live'))
  const { code, stderr } = await vexil('apply --auto-approve')
  expect(code, stderr).toBe(0)
  await write(canaryFiles('now'))
  await edit('banner', { name: `${canary}-product` })
}

/** What a command says and writes with reports, of which nothing may be a value. */
async function toldWithout(line: string): Promise<string> {
  const { stdout, stderr } = await vexil(`${line} ${reports}`)
  expect(stdout + stderr, line).not.toContain(canary)
  for (const end of ends) expect(await read(`r${end}`), `${line} ${end}`).not.toContain(canary)
  return stdout
}

describe('a plan that was saved while nothing was hidden', () => {
  it.each<{ by: string; hide: () => Promise<string> }>([
    { by: 'the option', hide: async () => `--redact ${allParts}` },
    {
      by: 'the settings',
      hide: () =>
        workspace()
          .write({ 'vexil.yaml': `version: 1\n${settings}` })
          .then(() => ''),
    },
  ])('is shown without values since $by hide them', async ({ hide }) => {
    await changedEverywhere()
    await vexil('plan --out plan.json')
    const open = await vexil('show plan.json')
    expect(countCanaries(open.stdout)).toBeGreaterThan(5)
    const option = await hide()
    const shown = await toldWithout(`show plan.json ${option}`)
    for (const name of ['checkout', 'banner', 'geoip']) expect(shown).toContain(name)
    expect(shown.split('\n').at(-2)).toBe(open.stdout.split('\n').at(-2))
    const json = await toldWithout(`show plan.json --json ${option}`)
    const [whole, hidden] = [await read('plan.json'), json].map(readPlanDocument)
    const told = (plan: typeof whole) =>
      plan?.changes.map(({ address, action, risk, exposure, after }) => ({
        ...{ address, action, risk, exposure },
        fields: Object.keys(after),
      }))
    expect(told(hidden)).toEqual(told(whole))
  })

  it('is applied with its values, which are not shown', async () => {
    await changedEverywhere()
    await vexil('plan --out plan.json')
    await write({
      'vexil.yaml': `version: 1\n${settings}roles: { support: 01900000-0000-0000-0000-0000000000aa }\n`,
    })
    await toldWithout('apply plan.json --auto-approve')
    expect(JSON.stringify(await flag('checkout'))).toContain(`${canary}-now-payload-1`)
  })

  it('keeps what stood for values when it was made, where more is hidden now', async () => {
    await changedEverywhere()
    await vexil('plan --redact payloads --out plan.json')
    const before = (await vexil('show plan.json')).stdout.match(/\(sensitive [0-9a-f]{8}\)/g)
    const after = await toldWithout(`show plan.json --json --redact ${allParts}`)
    expect(before?.length).toBeGreaterThan(1)
    for (const text of before ?? []) expect(after).toContain(text)
  })

  it('is refused by the settings that cannot be read', async () => {
    await changedEverywhere()
    await vexil('plan --out plan.json')
    await write({ 'vexil.yaml': 'version: 1\nredact: payloads\n' })
    const { code, stdout, stderr } = await vexil('show plan.json')
    expect(code).toBe(1)
    expect(stderr).toContain('vexil.yaml:2')
    expect(stdout + stderr).not.toContain(canary)
  })
})

describe('a plan of Terraform', () => {
  it.each(['', '--json'])('is shown without what is hidden, with "%s"', async form => {
    await write(filesOfOthers('shop', `${canary}-other`))
    const line = `show --terraform-plan terraform.plan.json ${form}`
    expect(countCanaries((await vexil(line)).stdout)).toBeGreaterThan(1)
    const shown = await toldWithout(`${line} --redact ${allParts}`)
    expect(shown).toMatch(/\(sensitive [0-9a-f]{8}\)/)
    await write({ 'vexil.yaml': `version: 1\n${settings}` })
    await toldWithout(line)
  })
})

describe('a run that was put on record while nothing was hidden', () => {
  it('is listed and undone without values since the settings hide them', async () => {
    await changedEverywhere()
    await vexil('apply --auto-approve')
    await write(canaryFiles('now', settings))
    for (const line of ['history', 'history --json', 'history last']) await toldWithout(line)
    for (const form of ['', '--json']) {
      const { stdout, stderr } = await vexil(`undo last ${form}`)
      expect(stdout + stderr).not.toContain(canary)
      expect(stdout + stderr).toMatch(/\(sensitive [0-9a-f]{8}\)/)
    }
    const undone = await vexil('undo last --auto-approve')
    expect(undone).toMatchObject({ code: 0 })
    expect(undone.stdout + undone.stderr).not.toContain(canary)
    expect(JSON.stringify(await flag('checkout'))).toContain(`${canary}-live-payload-1`)
  })

  it('is undone without the values of a flag that is sensitive since', async () => {
    const files = (side: string, sensitive = '') => ({
      'vexil.yaml': 'version: 1\n',
      'flags.yaml': `feature_flags: { a: { ${sensitive}active: true, filters: { groups: [{}], payloads: { "true": '"${canary}-${side}"' } } } }\n`,
    })
    for (const side of ['live', 'now']) {
      await write(files(side))
      await vexil('apply --auto-approve')
    }
    expect((await vexil('undo last')).stdout).toContain(canary)
    await write(files('now', 'sensitive: true, '))
    const { stdout, stderr } = await vexil('undo last --auto-approve')
    expect(stdout + stderr).not.toContain(canary)
    expect(stdout).toMatch(/\(sensitive [0-9a-f]{8}\)/)
  })
})
