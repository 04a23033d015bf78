import { type AttributePath, showPath, type Type, type Value, valueText } from '../../../hcl/values.ts'

import { type Diagnostic, errorDiagnostic } from '../../diagnostic.ts'
import { type Attributes, type Block, isNestedAttribute } from '../../schema/schema.ts'

/** A rule of Terraform's that the provider has broken, found here to be told in clear words. */
export interface AttributeProblem {
  readonly path: AttributePath
  readonly reason: string
}

export function attributeDiagnostic(summary: string, { path, reason }: AttributeProblem): Diagnostic {
  const place = path.length === 0 ? '' : `${showPath(path)}: `
  return errorDiagnostic(
    summary,
    `${place}${reason}; this is a bug in the provider, please report it`,
    path.length === 0 ? undefined : path,
  )
}

/** A value as a message shows it: short, and never one that is sensitive. */
export function shownValue(block: Block, path: AttributePath, type: Type, value: Value): string {
  if (isSensitive(block, path)) return 'a sensitive value'
  const text = valueText(type, value)
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

const longestText = 120

function isSensitive({ attributes }: { readonly attributes: Attributes }, path: AttributePath): boolean {
  const [name, ...rest] = path.filter(step => typeof step === 'string')
  const attribute = name === undefined ? undefined : attributes[name]
  if (attribute === undefined) return false
  return attribute.sensitive === true || (isNestedAttribute(attribute) && isSensitive(attribute, rest))
}
