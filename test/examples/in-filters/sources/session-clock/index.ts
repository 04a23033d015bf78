interface Event {
  timestamp: string
  properties: Record<string, unknown>
}

interface Cache {
  get(key: string, fallback: string): Promise<string>
  set(key: string, value: string, seconds: number): Promise<void>
}

const longestSessionSeconds = 30 * 60

export async function processEvent(event: Event, { cache }: { cache: Cache }): Promise<Event> {
  const session = event.properties.$session_id
  if (typeof session !== 'string') return event
  const started = await cache.get(`session/${session}`, event.timestamp)
  await cache.set(`session/${session}`, started, longestSessionSeconds)
  event.properties.session_seconds = Math.round((Date.parse(event.timestamp) - Date.parse(started)) / 1000)
  return event
}
