import { spawn } from 'node:child_process'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli, folderWith } from '../support/cli.ts'
import { faultFiles, startFaultService, stateOf } from './repository.ts'

const vexil = join(import.meta.dirname, '../../dist/vexil.js')

/**
 * Runs an apply in a process of its own behind a door that counts, and kills the process with SIGKILL at the n-th
 * request: before it reaches the service, or after the service has done it and before the answer is back.
 */
async function applyKilledAt(nth: number, when: 'before' | 'after') {
  const service = await startFaultService()
  const folder = await folderWith(faultFiles(service))
  let seen = 0
  const door = createServer((incoming, outgoing) => {
    seen++
    const isLast = seen === nth
    if (isLast && when === 'before') return void child.kill('SIGKILL')
    const { method, headers, url } = incoming
    const onward = forward(`${service.url}${url}`, { method, headers }, answer => {
      if (isLast) {
        answer.resume()
        return void answer.on('end', () => child.kill('SIGKILL'))
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  const { port } = door.address() as AddressInfo
  const child = spawn(process.execPath, [vexil, 'apply', '--auto-approve'], {
    cwd: folder.path,
    env: { ...process.env, ...service.env, VEXIL_BASE_URL: `http://127.0.0.1:${port}` },
    stdio: 'ignore',
  })
  try {
    const ended = await new Promise<string>(resolve =>
      child.on('close', (code, signal) => resolve(signal ?? `${code}`)),
    )
    const apply = () => cli('apply --auto-approve', { directory: folder.path, env: service.env })
    const second = await apply()
    const third = await service.watch(apply)
    return { ended, seen, second, third, state: await stateOf(service) }
  } finally {
    door.closeAllConnections()
    door.close()
    await service.close()
    await folder.remove()
  }
}

const clean = await applyKilledAt(Number.POSITIVE_INFINITY, 'before')

describe('a process that is killed', () => {
  it('would have finished by itself', () => {
    expect(clean).toMatchObject({ ended: '0', second: { code: 0 } })
  })

  const each = Array.from({ length: clean.seen }, (_, index) => index + 1)
  it.each(each.flatMap(nth => [[nth, 'before'] as const, [nth, 'after'] as const]))(
    'at request %i, %s the service has done it, leaves nothing that the next run does not finish',
    async (nth, when) => {
      const { ended, second, third, state } = await applyKilledAt(nth, when)
      expect(ended).toBe('SIGKILL')
      expect(second.code, second.stdout + second.stderr).toBe(0)
      expect(third.requests.filter(line => !line.startsWith('GET '))).toEqual([])
      expect(state).toEqual(clean.state)
    },
  )
})
