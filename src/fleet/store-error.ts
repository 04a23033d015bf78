/** A failure of the shared store, in words without its password. `isDown`: it could not be reached. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly isDown: boolean

  constructor(message: string, isDown: boolean, cause?: unknown) {
    super(message, { cause })
    this.isDown = isDown
  }
}

/** Loads an optional peer. Throws with the command that installs it. */
export async function load<Module>(importing: () => Promise<Module>, name: string): Promise<Module> {
  try {
    return await importing()
  } catch (error) {
    throw new StoreError(
      `the package ${name} is not installed beside vexil; \`npm install ${name}\` adds it`,
      false,
      error,
    )
  }
}

export async function failing<Made>(run: () => Promise<Made>): Promise<Made> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof StoreError ? error : storeError(error)
  }
}

/**
 * What a failure of the driver means. Its own texts are not shown, since some quote the address or values.
 *
 * | code                          | means                                      | down |
 * |-------------------------------|--------------------------------------------|------|
 * | none, with these words        | no password is given; no TLS on the server | no   |
 * | none, or of the system        | no connection, or it was lost              | yes  |
 * | 08..., 57P..., 53300          | the server stops, starts, or is full       | yes  |
 * | 28...                         | wrong user or password                     | no   |
 * | 3D000                         | no such database                           | no   |
 * | 42501                         | this role may not do it                    | no   |
 * | 25006                         | a read replica, or a read-only session     | no   |
 * | others                        | a mistake of ours: the code is shown       | no   |
 */
export function storeError(error: unknown): StoreError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isOfServer = /^[0-9A-Z]{5}$/.test(code)
  // pg 8.23.1 gives these two no code (findings/pg-missing-password.sh, findings/pg-ssl-words.sh).
  const text = error instanceof Error && code === '' ? error.message : ''
  if (/client password must be a string/.test(text))
    return new StoreError(
      'the store wants a password; give it in PGPASSWORD, .pgpass or VEXIL_STORE',
      false,
      error,
    )
  if (/does not support SSL/.test(text))
    return new StoreError('the server of the store has no TLS, which its address asks for', false, error)
  if (!isOfServer)
    return new StoreError(`the store cannot be reached (${code || 'connection lost'})`, true, error)
  if (/^(?:08|57P|53300)/.test(code))
    return new StoreError(`the store takes no connections now (${code})`, true, error)
  const words = refusals.find(([start]) => code.startsWith(start))?.[1] ?? 'the store failed'
  return new StoreError(`${words} (${code})`, false, error)
}

const refusals = [
  ['28', 'the store refuses this user or password'],
  ['3D000', 'the database of the store does not exist'],
  ['42501', 'the role of this connection may not write to the store'],
  ['25006', 'this connection of the store only reads'],
  ['57014', 'the store took too long'],
] as const
