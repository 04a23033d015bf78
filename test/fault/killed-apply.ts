import { spawn } from 'node:child_process'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { folderWith } from '../support/cli.ts'
import type { Service } from '../support/service.ts'
import { faultFiles, startFaultService } from './repository.ts'

const vexil = join(import.meta.dirname, '../../dist/vexil.js')

export interface KilledApply {
  readonly service: Service
  readonly path: string
  /** The environment that the apply had, with the same address. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs an apply in a process of its own behind a door that counts, and kills the process with SIGKILL at the n-th
 * request: before it reaches the service, or after the service has done it and before the answer is back. Then has a look at what is left.
 */
export async function applyKilledAt<T>(
  nth: number,
  when: 'before' | 'after',
  look: (killed: KilledApply) => Promise<T>,
) {
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
  const env = { ...service.env, VEXIL_BASE_URL: `http://127.0.0.1:${port}` }
  const child = spawn(process.execPath, [vexil, 'apply', '--auto-approve'], {
    cwd: folder.path,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  try {
    const ended = await new Promise<string>(resolve =>
      child.on('close', (code, signal) => resolve(signal ?? `${code}`)),
    )
    return { ended, seen, ...(await look({ service, path: folder.path, env })) }
  } finally {
    door.closeAllConnections()
    door.close()
    await service.close()
    await folder.remove()
  }
}
