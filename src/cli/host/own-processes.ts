import { readFile, readlink } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import type { Processes } from '../../core/apply/locks.ts'
import { codeOf } from '../../model/files.ts'

export interface SystemOptions {
  readonly pid: number
  readonly platform: NodeJS.Platform
  /** Throws the system's error if a process cannot be signalled. The signal 0 only checks this. */
  readonly kill: (pid: number, signal: 0) => unknown
}

/**
 * The processes of this system. On Linux the start of a process is the boot of the system and the clock ticks
 * since; elsewhere `ps` shows the second. Without either, the start is unknown.
 */
export function processesOf({ pid, platform, kill }: SystemOptions): Processes {
  const startOf = async (id: number) => {
    if (!exists(id, kill)) return null
    return platform === 'linux' ? startOnLinux(id) : startByPs(id)
  }
  return {
    async own() {
      const started = await startOf(pid)
      const system = platform === 'linux' ? await systemOnLinux() : ''
      return {
        user: systemUser() ?? 'somebody',
        host: hostname(),
        system,
        pid,
        ...(started ? { started } : {}),
      }
    },
    startOf,
  }
}

/** A process of another user cannot be signalled, but exists. */
function exists(pid: number, kill: SystemOptions['kill']): boolean {
  try {
    kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error, '') !== 'ESRCH'
  }
}

/** The user of the operating system; in a container there may be an id and no name. */
export function systemUser(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/** Containers of one machine share its boot and may share a name, not the ids of processes. */
async function systemOnLinux(): Promise<string> {
  const machine = await readFile('/etc/machine-id', 'utf8').catch(() => '')
  const ids = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${machine.trim()} ${ids}`.trim()
}

async function startOnLinux(pid: number): Promise<string | null | undefined> {
  const [stat, boot] = await Promise.all(
    [`/proc/${pid}/stat`, '/proc/sys/kernel/random/boot_id'].map(path =>
      readFile(path, 'utf8').catch(() => undefined),
    ),
  )
  if (stat === undefined || boot === undefined) return undefined
  // The second field is the program name in brackets. It may contain any characters.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  // A zombie: it has ended, but its parent has not read its result yet.
  if (state === 'Z' || state === 'X') return null
  const ticks = fields[19]
  return ticks === undefined ? undefined : `${boot.trim()} ${ticks}`
}

async function startByPs(pid: number): Promise<string | undefined> {
  try {
    // Nothing else that starts needs these.
    const [{ execFile }, { promisify }] = await Promise.all([
      import('node:child_process'),
      import('node:util'),
    ])
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      // It is compared as text.
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' },
    })
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}
