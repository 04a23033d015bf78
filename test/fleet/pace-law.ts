import type { PaceLimits } from '../../src/fleet/index.ts'

/** What `vexil.take_requests` answers: how many requests may be sent now, else when to ask again. */
export interface Taken {
  readonly granted: number
  readonly wait_ms: number
}

/** What was sent with one key, by slots of 5 seconds. The time never goes back. */
export interface SentRequests {
  readonly bySlot: Map<number, number>
  /** In all slots. */
  total: number
  pausedUntilMs: number
}

export const nothingSent = (): SentRequests => ({ bySlot: new Map(), total: 0, pausedUntilMs: 0 })

/** The law of the SQL function `vexil.take_requests`, for simulations. A test compares both. */
export function takeRequests(sent: SentRequests, wanted: number, limits: PaceLimits, atMs: number): Taken {
  const here = Math.floor(atMs / slotMs)
  const pauseMs = Math.ceil(sent.pausedUntilMs - atMs)
  if (pauseMs > 0) return { granted: 0, wait_ms: Math.min(pauseMs, 600_000) }
  for (const [slot, requests] of sent.bySlot) {
    if (slot >= here - 720) break
    sent.bySlot.delete(slot)
    sent.total -= requests
  }
  let inMinute = 0
  for (let slot = here - 12; slot <= here; slot++) inMinute += sent.bySlot.get(slot) ?? 0
  const { perMinute = Number.MAX_SAFE_INTEGER, perHour = Number.MAX_SAFE_INTEGER } = limits
  const granted = Math.min(wanted, perMinute - inMinute, perHour - sent.total)
  if (granted <= 0) return { granted: 0, wait_ms: Math.floor((here + 1) * slotMs - atMs) }
  sent.bySlot.set(here, (sent.bySlot.get(here) ?? 0) + granted)
  sent.total += granted
  return { granted, wait_ms: 0 }
}

const slotMs = 5_000
