import { expect, it } from 'vitest'
import { holdingRelay } from '../support/relay.ts'
import { start, vexil } from '../support/running.ts'
import { useWorkspace, type Workspace } from '../support/workspace.ts'

const workspace = useWorkspace()
const { service } = workspace

/** Starts an apply, waits until one of its requests is under way, and does something to it. */
async function applyUntil(isHeld: (method: string | undefined) => boolean, signal: NodeJS.Signals) {
  let isHolding = true
  const relay = await holdingRelay(service.url, ({ method }) => isHolding && isHeld(method))
  const apply = () =>
    start(process.execPath, [vexil, 'apply', '--auto-approve', '--base-url', relay.url], workspace())
  try {
    const running = apply()
    await relay.held
    const refused = await apply().ended
    running.child.kill(signal)
    const { code, stderr } = await running.ended
    const left = await locks(workspace())
    isHolding = false
    relay.release()
    return { pid: running.child.pid, code, stderr, refused, left, next: await apply().ended }
  } finally {
    relay.close()
  }
}

const locks = async ({ list }: Workspace) => (await list('.vexil')).filter(name => name.startsWith('lock-'))

it('a process that is killed leaves a lock, which the next one takes over', async () => {
  const { pid, code, refused, left, next } = await applyUntil(method => method === 'POST', 'SIGKILL')
  expect(code).toBe(null)
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`(vexil apply, process ${pid}, for `),
  })
  expect(left).toHaveLength(1)
  expect(next).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('3 changes applied.') })
  expect(await locks(workspace())).toEqual([])
})
