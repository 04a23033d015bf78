import { describe, expect, it } from 'vitest'
import { flagsPath, isWrite, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, records, flag, edit } = workspace

const live = async () => {
  const { results } = (await service.get(`${flagsPath}/?limit=100`)) as {
    results: Record<string, unknown>[]
  }
  return results
}

/** Applies twice, so that there is something to go back to. */
async function applyTwice(): Promise<{ before: unknown; run: string }> {
  await vexil('apply --auto-approve')
  const before = await live()
  await write({
    'flags.yaml':
      'feature_flags:\n  checkout: { name: Newer, tags: [], role_access: [] }\n  dark_mode: { ensure: absent }\n  fresh: { active: false, filters: {} }\n',
  })
  await vexil('apply --auto-approve')
  return { before, run: (await records()).at(-1)?.replace('.json', '') ?? '' }
}

describe('vexil undo', () => {
  it.each([
    ['last', () => 'last'],
    ['the name of a run', (run: string) => run],
    ['the file of a record', (run: string) => `.vexil/runs/${run}.json`],
  ])('puts back what a run wrote, by %s', async (_, named) => {
    const { before, run } = await applyTwice()
    const { code, stdout } = await vexil(`undo ${named(run)} --auto-approve`)
    expect(code, stdout).toBe(0)
    expect(await live()).toEqual(before)
    expect(await records()).toHaveLength(3)
    expect((await vexil(`undo ${run} --auto-approve`)).stdout).toMatch(/^No changes/)
  })

  it('leaves alone what was changed since, puts back the rest, and ends in 5', async () => {
    await applyTwice()
    await edit('checkout', { name: 'Theirs' })
    const { code, stdout } = await vexil('undo last --auto-approve')
    expect(code).toBe(5)
    expect(stdout).toContain('flag checkout  update blocked by changed_since')
    expect((await flag('checkout')).name).toBe('Theirs')
    expect((await flag('dark_mode')).deleted).toBe(false)
  })

  it('puts back what fits a glob, and refuses one that fits nothing of the run', async () => {
    await applyTwice()
    expect(await vexil('undo last --auto-approve --target nothing_*')).toMatchObject({
      code: 64,
      stderr: 'vexil: "nothing_*" matches nothing that this run wrote\n',
    })
    const { code, stdout } = await vexil('undo last --auto-approve --target {dark,light}_*')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('1 change applied.') })
    expect((await flag('checkout')).name).toBe('Newer')
  })

  it('asks, and writes nothing without a yes', async () => {
    await applyTwice()
    const { result, requests } = await service.watch(() => vexil('undo last', { answer: 'no' }))
    expect(result).toMatchObject({ code: 3, stderr: 'nothing was undone\n' })
    expect(requests.filter(isWrite)).toEqual([])
  })

  it.each([
    ['nobody is at the terminal', {}, ''],
    ['with --no-input', { answer: 'yes' }, ' --no-input'],
  ])('refuses %s in words of its own', async (_, options, flag) => {
    await applyTwice()
    expect(await vexil(`undo last${flag}`, options)).toMatchObject({
      code: 3,
      stderr:
        'vexil: there is no terminal to ask for approval; read what would be undone, then pass --auto-approve\n',
    })
  })

  it('says what it is going to do, and where', async () => {
    const { run } = await applyTwice()
    const place = `in project 1 from VEXIL_PROJECT_ID, ${service.url}\n`
    const asked = await vexil('undo last', { answer: 'yes' })
    expect(asked.stdout).toMatch(/^[A-Z]+ risk: /)
    expect(asked.stdout).toContain(` risk: undo of run ${run} ${place}`)
    expect(asked.stdout).not.toContain('plan for')
    expect((await vexil(`undo ${run} --auto-approve`)).stdout).toContain(
      `No changes: undo of run ${run} ${place}`,
    )
  })

  it('goes back in one step past `rollout_step`, and by everything else that the repository says', async () => {
    const settings = 'version: 1\nroles: { support: 01900000-0000-0000-0000-0000000000aa }\n'
    const at = (percent: number) => ({
      'flags.yaml': `feature_flags: { checkout: { filters: { groups: [ { rollout_percentage: ${percent} } ] } } }\n`,
    })
    await write(at(90))
    await vexil('apply --auto-approve')
    await write(at(10))
    await vexil('apply --auto-approve')
    await write({
      'vexil.yaml': `${settings}limits: { rollout_step: 25 }\nownership: { tag: ours, prune: all }\n`,
    })
    expect(await vexil('undo last --auto-approve --allow survey=chekout')).toMatchObject({
      code: 64,
      stderr:
        'vexil: "chekout" is not an object that this run wrote; did you mean "feature_flag.checkout"?\n',
    })
    // What was so before may be so again, in one step.
    const undone = await vexil('undo last --auto-approve')
    expect({ code: undone.code, stdout: undone.stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('1 change applied.'),
    })
    expect(undone.stdout).toContain('!! flag checkout  everyone: 10% -> 90%')
    expect(undone.stdout).toContain('still declared with other values (filters) in flags.yaml:1')
    expect(undone.stdout).toContain('until then plans with the record of this undo hold these values')
    expect(JSON.stringify((await flag('checkout')).filters)).toContain('"rollout_percentage":90')
    // A marker and a prune are for plans of the declarations.
    expect((await flag('checkout')).tags).toEqual([])
  })

  it('refuses a record of another place', async () => {
    const { run } = await applyTwice()
    expect(await vexil(`undo .vexil/runs/${run}.json --project 2`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `vexil: that run was for project 1, ${service.url}, not for project 2, ${service.url}\n`,
    })
  })

  it('takes for the last run the last one that changed something', async () => {
    await vexil('plan --out plan.json')
    await vexil('apply plan.json')
    const again = await vexil('apply plan.json')
    expect(again.stdout).toContain('0 changes applied, 3 already done.')
    const [first] = await records()
    const { code, stdout } = await vexil('undo last --auto-approve')
    expect(code).toBe(0)
    expect(stdout).toContain(`undo of run ${first?.replace('.json', '')} in`)
    await expect(flag('checkout')).rejects.toThrow('no flag checkout')
  })

  it('names no --target that the run did not write', async () => {
    await applyTwice()
    expect(await vexil('undo last --auto-approve --target dark_mod')).toMatchObject({
      code: 64,
      stderr:
        'vexil: "dark_mod" is not an object that this run wrote; did you mean "feature_flag.dark_mode"?\n',
    })
  })
})
