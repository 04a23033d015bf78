import type { OwnerState, ProcessIdentity } from './lock.ts'

/** What a system knows of its processes. */
export interface Processes {
  /** The process that asks. */
  own(): Promise<ProcessIdentity>
  /** When a process was started; null where there is none with this id, undefined where it cannot be told. */
  startOf(pid: number): Promise<string | null | undefined>
}

/**
 * Whether the process that took a lock is still there. An id is used again by later processes, so the time of the
 * start decides with it.
 *
 * | host and system | start on record | process with that id   | state   |
 * |-----------------|-----------------|------------------------|---------|
 * | another         | any             | any                    | unknown |
 * | this one        | none            | any                    | unknown |
 * | this one        | some            | cannot be told         | unknown |
 * | this one        | some            | none                   | dead    |
 * | this one        | some            | one, started otherwise | dead    |
 * | this one        | some            | one, started then      | running |
 */
export async function ownerState(owner: ProcessIdentity, processes: Processes): Promise<OwnerState> {
  const { host, system } = await processes.own()
  if (owner.host !== host || owner.system !== system || owner.started === undefined) return 'unknown'
  const started = await processes.startOf(owner.pid)
  if (started === undefined) return 'unknown'
  return started === owner.started ? 'running' : 'dead'
}
