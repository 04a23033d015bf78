import { describe, expect, it } from 'vitest'
import { writeFiles } from '../support/cli.ts'
import { type HoldingRelay, holdingRelay } from '../support/relay.ts'
import { type Running, start, vexil } from '../support/running.ts'
import { jsonLines, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace({
  'vexil.yaml': 'version: 1\nparallelism: 1\n',
  'flags.yaml': `feature_flags:
  a: { active: false, filters: {} }
  b: { active: false, filters: {} }
  c: { active: false, filters: {} }
`,
})
const { service, read, list, records } = workspace

/** Runs an apply and interrupts it while its second create waits for an answer. */
async function interruptedApply(meanwhile: (running: Running, relay: HoldingRelay) => Promise<void>) {
  const ended = await heldApply([process.execPath, vexil, 'apply', '--json'], meanwhile)
  return { ...ended, events: jsonLines(ended.stdout) }
}

/** Runs an apply in the words of a command line, and does something while its second create waits for an answer. */
async function heldApply(
  [command = '', ...words]: readonly string[],
  meanwhile: (running: Running, relay: HoldingRelay) => Promise<void>,
) {
  let creates = 0
  const relay = await holdingRelay(service.url, ({ method }) => method === 'POST' && ++creates === 2)
  const running = start(command, [...words, '--auto-approve', '--base-url', relay.url], workspace())
  try {
    await relay.held
    await meanwhile(running, relay)
    return await running.ended
  } finally {
    relay.close()
  }
}

describe('an app that is synthesized', () => {
  it.each([
    ['SIGINT', 130, "process.on('SIGINT', () => process.exit(0))"],
    ['SIGTERM', 143, ''],
  ] as const)('ends with the command at %s, below whatever shell it runs', async (signal, code, says) => {
    const { path } = workspace()
    await writeFiles(path, { 'app.cjs': `${says}\nconsole.log('at work')\nsetInterval(() => {}, 1000)\n` })
    const running = start(
      process.execPath,
      [vexil, 'plan', '--app', 'node app.cjs && echo done'],
      workspace(),
    )
    await running.shows('stderr', 'at work')
    running.child.kill(signal)
    // Its output is ours, so that the command ends no sooner than the app.
    expect(await running.ended).toEqual({
      code,
      stdout: '',
      stderr: 'at work\nvexil: interrupted; nothing was read\n',
    })
  })

  it('is killed by the second signal when it takes no hint', async () => {
    const { path } = workspace()
    const stubborn = "process.on('SIGTERM', () => console.log('not yet'))"
    await writeFiles(path, {
      'app.cjs': `${stubborn}\nconsole.log('at work')\nsetInterval(() => {}, 1000)\n`,
    })
    const running = start(process.execPath, [vexil, 'plan', '--app', 'node app.cjs'], workspace())
    await running.shows('stderr', 'at work')
    running.child.kill('SIGTERM')
    await running.shows('stderr', 'not yet')
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 143 })
  })
})

describe('a process', () => {
  it('that gets SIGTERM finishes what is in flight, records it, and ends in 143', async () => {
    const ended = await interruptedApply(async ({ child, shows }, { release }) => {
      // What is done is told while the rest goes on.
      await shows('stdout', 'change_done')
      child.kill('SIGTERM')
      await shows('stderr', 'stopping')
      release()
    })
    expect(ended.code).toBe(143)
    expect(ended.stderr).toContain('stopping after the running requests; interrupt again to cut them off\n')
    expect(ended.events.at(-1)).toMatchObject({ type: 'summary', done: 2, failed: 0, skipped: 1 })
    const ends = ended.events.filter(({ type }) => /done|skipped/.test(type))
    expect(ends.map(({ type, address }) => `${type} ${address}`)).toEqual([
      'change_done feature_flag.a',
      'change_done feature_flag.b',
      'change_skipped feature_flag.c',
    ])
    const { vexil: again } = workspace()
    const journal = (await list('.vexil/runs')).find(name => name.endsWith('.jsonl'))
    expect(jsonLines(await read(`.vexil/runs/${journal}`)).at(-1)).toMatchObject({
      type: 'change_skipped',
    })
    const [record] = await records()
    const { entries } = JSON.parse(await read(`.vexil/runs/${record}`))
    expect(entries.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['done', 'done', 'skipped'])

    const finished = await again('apply --auto-approve')
    expect(finished.code).toBe(0)
    expect(finished.stdout).toContain('1 change applied.')
  })

  it('that gets a second signal is cut off, and still leaves a record', async () => {
    const { code, events } = await interruptedApply(async ({ child, shows }) => {
      child.kill('SIGINT')
      await shows('stderr', 'stopping')
      child.kill('SIGINT')
    })
    expect(code).toBe(130)
    expect(events.at(-1)).toMatchObject({ type: 'summary', done: 1, failed: 1, skipped: 1 })
    expect(await records()).toHaveLength(1)
  })

  it('says all in one order where both of its streams go to one place', async () => {
    const together = ['bash', '--norc', '-c', 'exec "$0" "$@" 2>&1', process.execPath, vexil, 'apply']
    const { stdout } = await heldApply(together, async ({ child, shows }, { release }) => {
      await shows('stdout', 'flag a created')
      child.kill('SIGINT')
      await shows('stdout', 'stopping')
      release()
    })
    const told = stdout.match(/flag . (?:created|skipped)|stopping|changes? applied|interrupted/g)
    expect(told?.slice(0, 4)).toEqual(['flag a created', 'stopping', 'flag b created', 'flag c skipped'])
  })

  it('whose reader goes away does its work all the same', async () => {
    const script = 'set -o pipefail; "$1" "$2" apply --auto-approve --json | head -n 1'
    const { code, stdout, stderr } = await start(
      'bash',
      ['--norc', '-c', script, 'bash', process.execPath, vexil],
      workspace(),
    ).ended
    expect({ code, stderr: stderr.split('\n').filter(line => /EPIPE|Error/.test(line)) }).toEqual({
      code: 0,
      stderr: [],
    })
    expect(stdout).toContain('change_start')
    expect((await workspace().vexil('plan --detailed-exitcode')).code).toBe(0)
    const planned = await start(
      'bash',
      [
        '--norc',
        '-c',
        script.replace('apply --auto-approve --json', 'plan'),
        'bash',
        process.execPath,
        vexil,
      ],
      workspace(),
    ).ended
    expect(planned).toMatchObject({ code: 0, stderr: '' })
    expect(planned.stdout).toMatch(/^No changes: [^\n]*\n$/)
  })

  it('that serves the stand-in says where on one line, and ends well when it is told to stop', async () => {
    const running = start(
      process.execPath,
      [vexil, 'sandbox', '--json', '--port', '0', '--data', 'data'],
      workspace(),
    )
    await running.shows('stdout', '\n')
    const { base_url } = JSON.parse(running.output.stdout)
    expect((await fetch(`${base_url}/_sandbox/requests`)).status).toBe(200)
    running.child.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: 0, stdout: running.output.stdout, stderr: '' })
    expect(running.output.stdout.split('\n')).toHaveLength(2)
    await expect(fetch(base_url)).rejects.toThrow()
  })

  it('reads a body from standard input and ends with what run says', async () => {
    const running = start(
      process.execPath,
      [vexil, 'call', 'feature_flag.create', '--body', '-'],
      workspace(),
    )
    running.child.stdin?.end('{"key":"piped"}')
    const { code, stdout } = await running.ended
    expect({ code, key: JSON.parse(stdout).key }).toEqual({ code: 0, key: 'piped' })
    expect((await start(process.execPath, [vexil, 'plan', '--nothing'], workspace()).ended).code).toBe(64)
  })

  it('writes a large result to a pipe whole', async () => {
    const running = start(process.execPath, [vexil, 'schema', '--markdown'], workspace())
    const { stdout } = await running.ended
    expect(stdout).toBe((await workspace().vexil('schema --markdown')).stdout)
  })
})
