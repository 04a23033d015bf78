import { describe, expect, it } from 'vitest'
import { flagsPath, isWrite, useBench } from './bench.ts'

const bench = useBench()

const live = async () => {
  const { results } = (await bench().service.get(`${flagsPath}/?limit=100`)) as {
    results: Record<string, unknown>[]
  }
  return results
}

/** Applies twice, so that there is something to go back to. */
async function applyTwice(): Promise<{ before: unknown; run: string }> {
  const { vexil, write, list } = bench()
  await vexil('apply --auto-approve')
  const before = await live()
  await write({
    'flags.yaml':
      'feature_flags:\n  checkout: { name: Newer, tags: [], role_access: [] }\n  dark_mode: { ensure: absent }\n  fresh: { active: false, filters: {} }\n',
  })
  await vexil('apply --auto-approve')
  return { before, run: (await list('.vexil/receipts')).at(-1)?.replace('.json', '') ?? '' }
}

describe('vexil undo', () => {
  it.each([
    ['last', () => 'last'],
    ['the name of a run', (run: string) => run],
    ['the file of a receipt', (run: string) => `.vexil/receipts/${run}.json`],
  ])('puts back what a run wrote, by %s', async (_, named) => {
    const { vexil, list } = bench()
    const { before, run } = await applyTwice()
    const { code, stdout } = await vexil(`undo ${named(run)} --auto-approve`)
    expect(code, stdout).toBe(0)
    expect(await live()).toEqual(before)
    expect(await list('.vexil/receipts')).toHaveLength(3)
    expect((await vexil(`undo ${run} --auto-approve`)).stdout).toMatch(/^No changes/)
  })

  it('leaves alone what was changed since, puts back the rest, and ends in 5', async () => {
    const { vexil, edit, flag } = bench()
    await applyTwice()
    await edit('checkout', { name: 'Theirs' })
    const { code, stdout } = await vexil('undo last --auto-approve')
    expect(code).toBe(5)
    expect(stdout).toContain('flag checkout  update withheld by changed_since')
    expect((await flag('checkout')).name).toBe('Theirs')
    expect((await flag('dark_mode')).deleted).toBe(false)
  })

  it('puts back one object with --target', async () => {
    const { vexil, flag } = bench()
    await applyTwice()
    const { code, stdout } = await vexil('undo last --auto-approve --target dark_mode')
    expect(code).toBe(0)
    expect(stdout).toContain('1 change applied.')
    expect((await flag('checkout')).name).toBe('Newer')
  })

  it('asks, and writes nothing without a yes', async () => {
    const { vexil, service } = bench()
    await applyTwice()
    const { result, requests } = await service.watch(() => vexil('undo last', { answer: 'no' }))
    expect(result).toMatchObject({ code: 3, stderr: 'nothing was applied\n' })
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('refuses a receipt of another place', async () => {
    const { vexil, service } = bench()
    const { run } = await applyTwice()
    expect(await vexil(`undo .vexil/receipts/${run}.json --project 2`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `vexil: that run was for project 1, ${service.url}, not for project 2, ${service.url}\n`,
    })
  })

  it('names the latest run where a receipt is not found', async () => {
    const { vexil, write } = bench()
    const { run } = await applyTwice()
    expect(await vexil('undo yesterday')).toEqual({
      code: 1,
      stdout: '',
      stderr: `vexil: "yesterday" is no receipt; the latest run is "${run}"\n`,
    })
    await write({ 'empty/vexil.yaml': 'version: 1\n', 'broken.json': '{}' })
    expect((await vexil('undo last -C empty')).stderr).toBe('vexil: "last" is no receipt\n')
    expect((await vexil('undo broken.json')).stderr).toContain('"broken.json" is no receipt')
  })
})
