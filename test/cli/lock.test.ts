import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Signal } from '../../src/cli/host/host.ts'
import { type LockOwner, lockFileText } from '../../src/core/apply/locks.ts'
import type { CliOptions, CliResult } from '../support/cli.ts'
import { processes } from '../support/processes.ts'
import { type HoldingRelay, holdingRelay } from '../support/relay.ts'
import { isWrite, support, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml': `version: 1\nroles: { support: ${support} }\nownership: { tag: ours, prune: never }\n`,
  'flags.yaml': 'feature_flags:\n  checkout: { active: false, filters: {} }\n',
})
const { service, write, declareFlags, list } = workspace

/** The way to the service for all commands of a test; it keeps a request waiting where a test asks for it. */
let relay: HoldingRelay
let isHeld: (method: string | undefined, url?: string) => boolean
beforeEach(async () => {
  isHeld = () => false
  relay = await holdingRelay(service.url, ({ method, url }) => isHeld(method, url))
})
afterEach(() => {
  relay.release()
  relay.close()
})

const vexil = (line: string, options: Partial<CliOptions> = {}) =>
  workspace().vexil(line, { env: { ...service.env, VEXIL_BASE_URL: relay.url }, ...options })

const lockNames = async () => (await list('.vexil')).filter(name => name.startsWith('lock-'))

/** A host that is sent a signal as soon as a request is kept waiting. */
function signalledBy(signal: Signal): CliOptions['host'] {
  return {
    onInterrupt(listener) {
      const controller = new AbortController()
      void relay.held.then(() => {
        if (!controller.signal.aborted) listener(signal)
      })
      return () => controller.abort()
    },
  }
}

/** Leaves a lock as a command would have that is no more. */
async function leaveLock(over: Partial<LockOwner>): Promise<string> {
  isHeld = () => true
  const running = vexil('apply --auto-approve')
  await relay.held
  const [name = ''] = await lockNames()
  isHeld = () => false
  relay.release()
  await running
  const owner = { ...(await processes.own()), id: 'left', command: 'apply', since: 0, ...over }
  await writeFile(join(workspace().path, '.vexil', name), lockFileText(owner))
  await declareFlags('  another: { active: false, filters: {} }')
  return name
}

/** A process that has been and is no more. */
const dead = { pid: 2 ** 22 + 1, started: 'long ago' }

describe('a command that writes', () => {
  it.each([
    'apply --auto-approve',
    'apply plan.json',
    'claim --auto-approve',
    'unclaim --auto-approve',
    'undo last --auto-approve',
    'call feature_flag.create --body {"key":"other"}',
  ])('writes nothing while another one does, and says who: %s', async line => {
    await vexil('apply --auto-approve')
    await declareFlags('  another: { active: false, filters: {} }')
    await vexil('plan --out plan.json')
    isHeld = method => method === 'POST'
    const applying = vexil('apply --auto-approve')
    await relay.held
    const { result, requests } = await service.watch(() => vexil(line))
    const [name] = await lockNames()
    relay.release()
    expect((await applying).code).toBe(0)
    expect(requests.filter(isWrite)).toEqual([])
    expect(result).toMatchObject({ code: 3, stdout: '' })
    const owner = `${userInfo().username} on ${hostname()} \\(vexil apply, process ${process.pid}, for \\d+ seconds?, since \\S+Z\\)`
    expect(result.stderr).toMatch(
      new RegExp(
        `^vexil: refusing to write: ${owner} holds the lock "\\.vexil/${name}"; wait until that command ends\\n$`,
      ),
    )
    expect(await lockNames()).toEqual([])
  })

  it.each(['plan', 'drift', 'doctor', 'call feature_flag.list', 'validate', 'export'])(
    'does not keep back what only reads: %s',
    async line => {
      // What asks how many people a condition reaches is a POST too, and reads.
      isHeld = (method, url) => method === 'POST' && url?.endsWith('/feature_flags/') === true
      const applying = vexil('apply --auto-approve')
      await relay.held
      const { stderr } = await vexil(line)
      relay.release()
      await applying
      expect(stderr).not.toContain('holds the lock')
    },
  )

  it('is five times at once in one folder: one does it, the others say who', async () => {
    isHeld = method => method === 'POST'
    const ends: CliResult[] = []
    const all = Array.from({ length: 5 }, async () => void ends.push(await vexil('apply --auto-approve')))
    await relay.held
    while (ends.length < 4) await new Promise(resolve => setImmediate(resolve))
    expect(ends.map(({ code, stderr }) => [code, stderr.includes('holds the lock')])).toEqual(
      Array.from({ length: 4 }, () => [3, true]),
    )
    relay.release()
    await Promise.all(all)
    expect(ends[4]).toMatchObject({ code: 0, stderr: '' })
    expect(ends[4]?.stdout).toContain('1 change applied.')
  })
})

describe('a lock', () => {
  it.each([
    ['at the end', 'apply --auto-approve', {}, 0],
    ['with nothing to do', 'unclaim --auto-approve', {}, 0],
    ['without a yes', 'apply', { answer: 'no' }, 3],
    ['where nobody can be asked', 'apply', {}, 3],
    ['when the service fails', 'apply --auto-approve --project 77', {}, 1],
    ['after an operation', 'call feature_flag.create --body {"key":"other"}', {}, 0],
    ['after an operation that is refused', 'call feature_flag.update id=77 --body {"name":"x"}', {}, 1],
  ])('is given back %s', async (_, line, options, code) => {
    expect(await vexil(line, options)).toMatchObject({ code })
    expect(await lockNames()).toEqual([])
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'is given back at %s while the service is read, and nothing is written',
    async (signal, code) => {
      isHeld = method => method === 'GET'
      const { result, requests } = await service.watch(() =>
        vexil('apply --auto-approve', { host: signalledBy(signal) }),
      )
      expect(result).toMatchObject({ code, stderr: 'vexil: interrupted; nothing was written\n' })
      expect(requests.filter(isWrite)).toEqual([])
      expect(await lockNames()).toEqual([])
    },
  )

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is given back at %s while somebody is asked', async (signal, code) => {
    let send = (_: Signal) => {}
    const result = await vexil('apply', {
      host: {
        onInterrupt(listener) {
          send = listener
          return () => {}
        },
        ask: (_, stop) =>
          new Promise((_resolve, reject) => {
            stop?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
            send(signal)
          }),
      },
    })
    expect(result).toMatchObject({ code, stderr: 'vexil: interrupted; nothing was written\n' })
    expect(await lockNames()).toEqual([])
  })

  it('is given back at a signal while changes are made, after what is in flight', async () => {
    isHeld = method => method === 'POST'
    const running = vexil('apply --auto-approve', { host: signalledBy('SIGTERM') })
    await relay.held
    expect(await lockNames()).toHaveLength(1)
    relay.release()
    const result = await running
    expect(result.code).toBe(143)
    expect(result.stdout).toContain('1 change applied.')
    expect(await lockNames()).toEqual([])
  })

  it('of a process that is no more is taken over without a word', async () => {
    await leaveLock(dead)
    expect(await vexil('apply --auto-approve')).toMatchObject({ code: 0, stderr: '' })
    expect(await lockNames()).toEqual([])
  })

  it('of another host is held until somebody unlocks', async () => {
    const name = await leaveLock({ ...dead, host: 'other', user: 'grace' })
    const refused = await vexil('apply --auto-approve')
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain('grace on other (vexil apply, process')
    expect(refused.stderr).toContain(`if its process no longer exists, \`vexil unlock ${name}\` removes it`)
  })

  it('that cannot be made keeps everything from being written', async () => {
    await write({ '.vexil': 'in the way' })
    const { result, requests } = await service.watch(() => vexil('apply --auto-approve'))
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(
      /^vexil: the lock "\S+" cannot be made \(E\w+\); nothing is written to the service without it\n$/,
    )
    expect(requests).toEqual([])
  })
})

describe('vexil unlock', () => {
  const shown =
    /^lock-[0-9a-f]{12}: grace on other \(vexil apply, process \d+, for \d+ days, since 1970-01-01T00:00:00\.000Z\)\n/

  it.each([
    ['with a yes', '', { answer: 'yes' }],
    ['with --auto-approve', ' --auto-approve', {}],
  ])('shows whose it is and removes it %s', async (_, flag, options) => {
    const name = await leaveLock({ ...dead, host: 'other', user: 'grace' })
    const { code, stdout, stderr } = await vexil(`unlock ${name}${flag}`, options)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(shown)
    expect(stdout).toMatch(/\nremoved\n$/)
    expect((await vexil('apply --auto-approve')).code).toBe(0)
  })

  it.each([
    ['without a yes', '', { answer: 'y' }, 'nothing was removed\n'],
    [
      'where nobody can be asked',
      '',
      {},
      'vexil: there is no terminal to ask for approval; read whose lock it is, then pass --auto-approve\n',
    ],
  ])('removes nothing %s', async (_, flag, options, stderr) => {
    const name = await leaveLock({ ...dead, host: 'other', user: 'grace' })
    expect(await vexil(`unlock${flag}`, options)).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(shown),
      stderr,
    })
    expect(await lockNames()).toEqual([name])
  })

  it('leaves the lock of a process that runs here', async () => {
    const name = await leaveLock({})
    expect(await vexil('unlock --auto-approve')).toMatchObject({
      code: 3,
      stderr: `vexil: refusing to remove the lock: its process ${process.pid} still runs on this machine; wait for the process or end it, which releases the lock\n`,
    })
    expect(await lockNames()).toEqual([name])
  })

  it('removes nothing that is another lock by the time of the answer', async () => {
    const name = await leaveLock({ ...dead, host: 'other' })
    const theirs = lockFileText({ ...(await processes.own()), id: 'new', command: 'undo', since: 0 })
    const path = join(workspace().path, '.vexil', name)
    const ask = async () => {
      await writeFile(path, theirs)
      return 'yes'
    }
    expect(await vexil('unlock', { host: { ask } })).toMatchObject({
      code: 5,
      stderr: 'vexil: another command holds the lock by now; nothing was removed\n',
    })
    expect(await readFile(path, 'utf8')).toBe(theirs)
  })

  it('needs a name where several are held, and says which there are', async () => {
    const name = await leaveLock(dead)
    const other = 'lock-000000000000'
    await writeFile(
      join(workspace().path, '.vexil', other),
      await readFile(join(workspace().path, '.vexil', name), 'utf8'),
    )
    const both = [name, other].sort().join(', ')
    expect(await vexil('unlock --auto-approve')).toMatchObject({
      code: 64,
      stderr: `vexil: several locks are held here; name one of ${both}\n`,
    })
    expect(await vexil('unlock lock-1 --auto-approve')).toMatchObject({
      code: 1,
      stderr: `vexil: "lock-1" is not a lock that is held here; these are: ${both}\n`,
    })
    const { code, stdout, stderr } = await vexil(`unlock .vexil/${name} --auto-approve --json`)
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, removed: { lock: name } })
    expect(stderr).toContain(`${name}: `)
    expect(await lockNames()).toEqual([other])
  })

  it('has nothing to do where no lock is held', async () => {
    await mkdir(join(workspace().path, '.vexil'))
    expect(await vexil('unlock')).toEqual({ code: 0, stdout: '', stderr: 'there is no lock here\n' })
  })
})
