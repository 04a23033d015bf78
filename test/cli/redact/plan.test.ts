import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../../src/core/diff.ts'
import { allParts, canary, canaryFiles, countCanaries, filesWithCanary } from '../../support/canaries.ts'
import { isWrite, useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, read, flag, edit } = workspace

/** The service holds what `live` has, and the files declare what `now` has. */
async function changedEverywhere(settings = ''): Promise<void> {
  await write(canaryFiles('live', settings))
  expect(await vexil(`apply --auto-approve --redact ${allParts}`)).toMatchObject({ code: 0 })
  await write(canaryFiles('now', settings))
}

describe('vexil plan --redact', () => {
  it('tells what changes and no value, in each form', async () => {
    await changedEverywhere()
    for (const form of ['', '--json', '--verbose', '--estimates']) {
      const open = await vexil(`plan ${form}`)
      expect(countCanaries(open.stdout), form).toBeGreaterThan(8)
      const hidden = await vexil(`plan ${form} --redact ${allParts}`)
      expect(hidden.stdout + hidden.stderr, form).not.toContain(canary)
      expect(hidden.stdout).toMatch(/description: \(sensitive [0-9a-f]{8}\) -> \(sensitive [0-9a-f]{8}\)/)
      expect(hidden.code).toBe(open.code)
    }
  })

  it('hides what is blocked and what is held, in a plan and in a run', async () => {
    const { path } = workspace()
    await changedEverywhere()
    const blocked = (side: string) => {
      const files = canaryFiles(side, 'live_edits: { default: hold }\n')
      const flags = files['flags.yaml'] ?? ''
      const off = 'checkout:\n    protect: true\n    active: false\n'
      return { ...files, 'flags.yaml': flags.replace(/checkout:\n(.*\n)\s+active: true\n/, `${off}$1`) }
    }
    const filters = { groups: [{ rollout_percentage: 100 }], payloads: { true: `"${canary}-clicked"` } }
    await edit('banner', { filters })
    await write(canaryFiles('live', 'live_edits: { default: hold }\n'))
    const held = await vexil('plan --report held.html')
    expect(await read('held.html')).toContain('canary-clicked')
    expect(held.code).toBe(0)
    await vexil(`plan --redact ${allParts} --report hidden.html`)
    expect(await read('hidden.html')).not.toContain(canary)
    await write(blocked('now'))
    for (const command of ['plan', 'apply --auto-approve']) {
      const { stdout, stderr } = await vexil(`${command} --redact ${allParts} --report hidden.html`)
      expect(stdout + stderr).not.toContain(canary)
      const page = await read('hidden.html')
      expect(page).toContain('blocked by protected')
      expect(page).not.toContain(canary)
    }
    const kept = await filesWithCanary(join(path, '.vexil/runs'))
    expect(kept.filter(name => !name.startsWith('values/'))).toEqual([])
  })

  it('tells each change that a plan without it tells, and no other', async () => {
    await changedEverywhere()
    const [open, hidden] = await Promise.all(
      ['', `--redact ${allParts}`].map(async flag => JSON.parse((await vexil(`plan --json ${flag}`)).stdout)),
    )
    const told = (document: typeof open) =>
      document.changes.map(({ address, action, risk, exposure, after, ...rest }: Record<string, object>) => ({
        address,
        action,
        risk,
        exposure,
        fields: Object.keys(after ?? {}),
        files: Object.keys(rest.files ?? {}),
      }))
    expect(told(hidden)).toEqual(told(open))
    expect(hidden.changes).toHaveLength(3)
    expect(hidden.summary).toEqual(open.summary)
  })

  it('does as the settings say, for all environments or for one', async () => {
    await changedEverywhere(`redact: [payloads, descriptions, values]\n`)
    expect((await vexil('plan')).stdout).not.toContain(canary)
    await write(
      canaryFiles('now', 'environments: { a: {}, b: { redact: [payloads, descriptions, values] } }\n'),
    )
    expect((await vexil('plan --env a')).stdout).toContain(canary)
    expect((await vexil('plan --env b')).stdout).not.toContain(canary)
  })

  it('hides what it is told to alone', async () => {
    await changedEverywhere()
    const { stdout } = await vexil('plan --redact values --redact payloads')
    expect(stdout).toContain(`description: "${canary}-live-name" -> "${canary}-now-name"`)
    expect(stdout).not.toMatch(/-(email|plan|payload|source|config)/)
  })

  it('has another digest of the same value in each plan', async () => {
    await changedEverywhere()
    const plans = [await vexil(`plan --redact ${allParts}`), await vexil(`plan --redact ${allParts}`)]
    const digests = plans.map(({ stdout }) => new Set(stdout.match(/(?<=\(sensitive )[0-9a-f]{8}/g)))
    expect(digests[0]?.size).toBeGreaterThan(8)
    expect([...(digests[0] ?? [])].filter(digest => digests[1]?.has(digest))).toEqual([])
  })

  it('refuses a part that there is not, and names those that there are', async () => {
    expect(await vexil('plan --redact payload')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(
        '--redact: "payload" is not a part of an object; did you mean "payloads"?',
      ),
    })
  })
})

describe('a saved plan that hides values', () => {
  it('is one file without them, and is applied with those of the declarations', async () => {
    await changedEverywhere()
    const { path } = workspace()
    await rm(join(path, '.vexil'), { recursive: true })
    await vexil(`plan --redact ${allParts} --out plan.json`)
    expect(await filesWithCanary(path)).toEqual(['flags.yaml'])
    expect((await vexil('show plan.json')).stdout).not.toContain(canary)

    const { result, requests } = await service.watch(() => vexil('apply plan.json'))
    expect(result).toMatchObject({ code: 0 })
    expect(result.stdout + result.stderr).not.toContain(canary)
    expect(requests.filter(isWrite).length).toBeGreaterThan(2)
    const { filters } = await flag('checkout')
    expect(countCanaries(JSON.stringify(filters))).toBe(7)
    expect(JSON.stringify(filters)).not.toMatch(/sensitive|-live-/)
    expect((await vexil('plan')).stdout).toContain('No changes')
    const again = await service.watch(() => vexil('apply plan.json'))
    expect(again.result).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to do') })
    expect(again.requests.filter(isWrite)).toEqual([])
  })

  it.each([
    ['the declarations', () => write(canaryFiles('later'))],
    ['the product', () => edit('checkout', { name: `${canary}-clicked` })],
  ])('is refused if a value was changed since in %s', async (_, change) => {
    await changedEverywhere()
    await vexil(`plan --redact ${allParts} --out plan.json`)
    await change()
    const { result, requests } = await service.watch(() => vexil('apply plan.json'))
    expect(result).toMatchObject({ code: 5 })
    expect(result.stderr).toMatch(
      /it hides values, and what it would do to .*checkout.* has changed since; plan again/,
    )
    expect(result.stdout + result.stderr).not.toContain(canary)
    expect(requests.filter(isWrite)).toEqual([])
  })

  it('is planned again with the options that it was planned with', async () => {
    await changedEverywhere()
    await vexil(`plan --redact ${allParts} --target checkout --out plan.json`)
    const { result, requests } = await service.watch(() => vexil('apply plan.json'))
    expect(result).toMatchObject({ code: 0 })
    expect(requests.filter(isWrite)).toHaveLength(1)
    expect((await vexil('plan --json')).stdout).toContain('"feature_flag.banner"')
  })

  it('names no command for an apply to run', async () => {
    await changedEverywhere()
    await vexil(`plan --redact ${allParts} --out plan.json`)
    const { digest: _, ...content } = JSON.parse(await read('plan.json'))
    const forged = { ...content, redacted: { ...content.redacted, options: { app: 'echo' } } }
    await write({ 'forged.json': JSON.stringify({ ...forged, digest: digestOf(forged) }) })
    const { result, requests } = await service.watch(() => vexil('apply forged.json'))
    expect(result).toMatchObject({ code: 5, stderr: expect.stringContaining('/redacted/options') })
    expect(requests).toEqual([])
  })

  it('has nothing to try out values with where it is printed, and cannot be applied from there', async () => {
    await changedEverywhere()
    await vexil(`plan --redact ${allParts} --out plan.json`)
    for (const command of [`plan --redact ${allParts} --json`, 'show plan.json --json']) {
      const { stdout } = await vexil(command)
      expect(Object.keys(JSON.parse(stdout).redacted)).toEqual(['parts'])
      await write({ 'printed.json': stdout })
      expect(await vexil('apply printed.json')).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(
          'it was printed and not saved by --out, and its values are hidden; plan again',
        ),
      })
    }
  })
})
