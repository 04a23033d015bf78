/** Pieces of output on their way to whoever listens; kept until somebody does. */
export interface Outlet {
  write(bytes: Uint8Array): void
  listen(listener: (bytes: Uint8Array) => void): void
}

export function createOutlet(): Outlet {
  const waiting: Uint8Array[] = []
  let current: ((bytes: Uint8Array) => void) | undefined
  return {
    write(bytes) {
      if (current) current(bytes)
      else waiting.push(bytes)
    },
    listen(listener) {
      current = listener
      for (const bytes of waiting.splice(0)) listener(bytes)
    },
  }
}
