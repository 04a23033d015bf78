/** A client cannot be made, or an operation called, with the settings at hand. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
  /** The option of the client that is missing or wrong. */
  readonly setting: string

  constructor(setting: string, message: string) {
    super(message)
    this.setting = setting
  }
}

export function isSettingError(error: unknown): error is SettingError {
  return error instanceof SettingError
}
