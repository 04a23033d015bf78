import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagsPath, useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service } = workspace
const { write, read, records, flag } = workspace

/** Two runs, of which the second changes a flag and deletes another; answers with the name of the second. */
async function twoRuns(): Promise<string> {
  await vexil('apply --auto-approve')
  await write({
    'flags.yaml': 'feature_flags: { checkout: { name: Newer }, dark_mode: { ensure: absent } }\n',
  })
  await vexil('apply --auto-approve --parallelism 1')
  return (await records()).at(-1)?.replace('.json', '') ?? ''
}

/** Leaves of a run what a kill leaves: its journal, as far as `cut` says. */
async function cutOff(run: string, cut: (lines: readonly string[]) => string): Promise<void> {
  const { path } = workspace()
  await rm(join(path, `.vexil/runs/${run}.json`))
  const text = await read(`.vexil/runs/${run}.jsonl`)
  await write({ [`.vexil/runs/${run}.jsonl`]: cut(text.trimEnd().split('\n')) })
}

const undoLast = () => service.watch(() => vexil('undo last --auto-approve'))
const names = async () => [(await flag('checkout')).name, (await flag('dark_mode')).deleted]

describe('undo last, after a run that left no record', () => {
  it('undoes that run as far as its journal goes, and says so', async () => {
    const run = await twoRuns()
    await cutOff(run, lines => `${lines.join('\n')}\n`)
    const { result } = await undoLast()
    expect(result.code, result.stdout + result.stderr).toBe(0)
    expect(result.stdout).toContain(`undo of run ${run} in`)
    expect(result.stderr).toBe(
      `run "${run}" was cut off and left no record; it is undone as far as its journal goes: ${workspace().path}/.vexil/runs/${run}.jsonl\n`,
    )
    expect(await names()).toEqual(['New checkout', false])
  })

  it('takes no notice of a last line that is not whole', async () => {
    const run = await twoRuns()
    await cutOff(run, lines => lines.join('\n').slice(0, -20))
    expect((await undoLast()).result.code).toBe(0)
    expect(await names()).toEqual(['New checkout', false])
  })

  it('takes an older one where no request of it had left', async () => {
    const run = await twoRuns()
    await vexil('undo last --auto-approve')
    await vexil('apply --auto-approve --allow live_edit=*')
    const last = (await records()).at(-1)?.replace('.json', '') ?? ''
    await cutOff(last, ([first, second]) => `${first}\n${second}\n`)
    const { result } = await undoLast()
    expect(result.stdout).toContain('undo of run')
    expect(result.stdout).not.toContain(last)
    expect(result.stdout).not.toContain(run)
  })

  const unsaid = 'its first line does not describe a run'

  it.each<[string, (lines: readonly string[]) => string, string]>([
    ['first line is cut', ([first = '']) => first.slice(0, 100), `${unsaid}: it is not JSON, or was cut off`],
    ['first line is missing', ([, ...rest]) => rest.join('\n'), `${unsaid}: it is not the line of a run`],
    ['text is nothing', () => '', `${unsaid}: it is not JSON, or was cut off`],
    [
      'middle is broken',
      ([first, , ...rest]) => [first, '{"type":', ...rest, ''].join('\n'),
      'line 2 is broken: it is not JSON, or was cut off',
    ],
    [
      'line names no change of the run',
      ([first, second = '', ...rest]) =>
        [first, second.replace('feature_flag.', 'other.'), ...rest, ''].join('\n'),
      'line 2 is broken: it is about "other.checkout", which the first line does not name',
    ],
  ])('undoes nothing and names a journal whose %s', async (_, cut, why) => {
    const run = await twoRuns()
    await cutOff(run, cut)
    const file = `${workspace().path}/.vexil/runs/${run}.jsonl`
    for (const named of ['last', run]) {
      const { result, requests } = await service.watch(() => vexil(`undo ${named} --auto-approve`))
      expect(requests).toEqual([])
      expect(result).toEqual({
        code: 3,
        stdout: '',
        stderr: `vexil: the record of run "${run}" cannot be read: "${file}": ${why}; check the service and move the file away, or name another run to undo\n`,
      })
    }
    await rename(file, `${file}.away`)
    expect((await undoLast()).result.code).not.toBe(3)
  })

  it('finds a cut-off run by the file of its journal', async () => {
    const run = await twoRuns()
    await cutOff(run, lines => `${lines.join('\n')}\n`)
    const { code } = await vexil(`undo .vexil/runs/${run}.jsonl --auto-approve`)
    expect(code).toBe(0)
    expect(await names()).toEqual(['New checkout', false])
  })
})

describe('a creation that was answered with 500', () => {
  const twice = useWorkspace(undefined, { quirks: { role_access_duplicate: 'error' } })

  it('after its commit is one of the run, and is undone with it', async () => {
    service.faults('POST status=500 committed')
    const { code, stdout } = await vexil('apply --auto-approve')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('3 changes applied.') })
    service.faults()
    const { entries } = JSON.parse(await read(`.vexil/runs/${(await records()).at(-1)}`))
    expect(entries.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['done', 'done', 'done'])
    expect((await undoLast()).result.code).toBe(0)
    expect(await service.get(`${flagsPath}/`)).toMatchObject({ results: [] })
  })

  it('because it was there is none of the run, and is not undone with it', async () => {
    const { vexil, service } = twice
    await vexil('plan --out plan.json')
    await vexil('apply plan.json')
    expect((await vexil('apply plan.json')).stdout).toContain('0 changes applied, 3 already done.')
    await vexil('undo last --auto-approve')
    expect(await service.get(`${flagsPath}/`)).toMatchObject({ results: [] })
  })
})
