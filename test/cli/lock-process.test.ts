import { expect, it } from 'vitest'
import { type Bench, useBench } from './bench.ts'
import { openDoor } from './door.ts'
import { start, vexil } from './running.ts'

const bench = useBench()

/** Starts an apply, waits until one of its requests is under way, and does something to it. */
async function applyUntil(isHeld: (method: string | undefined) => boolean, signal: NodeJS.Signals) {
  const { service } = bench()
  let isHolding = true
  const door = await openDoor(service.url, ({ method }) => isHolding && isHeld(method))
  const apply = () =>
    start(process.execPath, [vexil, 'apply', '--auto-approve', '--base-url', door.url], bench())
  try {
    const running = apply()
    await door.held
    const refused = await apply().ended
    running.child.kill(signal)
    const { code, stderr } = await running.ended
    const left = await locks(bench())
    isHolding = false
    door.release()
    return { pid: running.child.pid, code, stderr, refused, left, next: await apply().ended }
  } finally {
    door.close()
  }
}

const locks = async ({ list }: Bench) => (await list('.vexil')).filter(name => name.startsWith('lock-'))

it('a process that is killed leaves a lock, which the next one takes over', async () => {
  const { pid, code, refused, left, next } = await applyUntil(method => method === 'POST', 'SIGKILL')
  expect(code).toBe(null)
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`(vexil apply, process ${pid}, for `),
  })
  expect(left).toHaveLength(1)
  expect(next).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('3 changes applied.') })
  expect(await locks(bench())).toEqual([])
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'a process that gets %s while it reads gives its lock back and ends in %i',
  async (signal, code) => {
    const ended = await applyUntil(method => method === 'GET', signal)
    expect(ended).toMatchObject({ code, stderr: 'vexil: interrupted; nothing was written\n', left: [] })
    expect(ended.next.code).toBe(0)
  },
)
