import { type AttributePath, ValueError } from '../hcl/values.ts'

/** What Terraform shows a person, with the attribute it is about underlined. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** One line: what is wrong. */
  readonly summary: string
  /** Where, why, and what to do about it. */
  readonly detail?: string
  readonly attribute?: AttributePath
}

export type Diagnostics = readonly Diagnostic[]

/** Thrown by a provider that has more to say than one line. */
export class DiagnosticError extends Error {
  override readonly name = 'DiagnosticError'
  readonly diagnostics: Diagnostics

  constructor(...diagnostics: Diagnostics) {
    super(diagnostics[0]?.summary ?? 'failed')
    this.diagnostics = diagnostics
  }
}

export function errorDiagnostic(summary: string, detail?: string, attribute?: AttributePath): Diagnostic {
  return { severity: 'error', summary, ...(detail ? { detail } : {}), ...(attribute ? { attribute } : {}) }
}

export function hasError(diagnostics: Diagnostics): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

/** What was thrown, as what is shown. Never the stack, which helps nobody who reads a plan. */
export function diagnosticsFrom(error: unknown): Diagnostics {
  if (error instanceof DiagnosticError) return error.diagnostics
  if (error instanceof ValueError)
    return [
      errorDiagnostic('the provider made a value that does not fit its schema', error.message, error.path),
    ]
  return [errorDiagnostic(messageOf(error))]
}

export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)) || 'failed for no stated reason'
}
