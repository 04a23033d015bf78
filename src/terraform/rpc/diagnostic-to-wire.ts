import { type AttributePath, type PathStep, showPath } from '../../cty/attribute-path.ts'
import type { Diagnostic, Diagnostics } from '../diagnostic.ts'
import type { Draft } from '../wire/messages.ts'

export function diagnosticsToWire(diagnostics: Diagnostics = []): Draft<'Diagnostic'>[] {
  return diagnostics.map(diagnosticToWire)
}

export function pathToWire(path: AttributePath): Draft<'AttributePath'> {
  return { steps: path.map(stepToWire) }
}

/**
 * Terraform underlines an attribute and an element of it. A longer path it does not follow and underlines the whole
 * resource, so the path ends at the element and the text names the rest.
 */
function diagnosticToWire({ severity, summary, detail = '', attribute }: Diagnostic): Draft<'Diagnostic'> {
  if (!attribute || attribute.length === 0) return { severity, summary, detail }
  const element = attribute.findIndex(step => typeof step !== 'string')
  const followed = element === -1 ? attribute : attribute.slice(0, element + 1)
  const place = showPath(attribute)
  const isNamed = followed.length === attribute.length || detail.startsWith(place)
  return {
    severity,
    summary,
    detail: isNamed ? detail : [place, detail].filter(Boolean).join(': '),
    attribute: pathToWire(followed),
  }
}

function stepToWire(step: PathStep): Draft<'Step'> {
  if (typeof step === 'string') return { attribute_name: step }
  return typeof step === 'number' ? { element_key_int: step } : { element_key_string: step.key }
}
