/** The shape of the emitted validators: standalone ajv functions, by name. */
export interface EmittedValidator {
  (value: unknown): boolean
  errors?:
    | {
        instancePath: string
        keyword: string
        message?: string
        params: Record<string, unknown>
      }[]
    | null
}
declare const validators: Record<string, EmittedValidator>
export default validators
