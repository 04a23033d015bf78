import { textOfLiteral, withoutGuard } from '../../hcl/literal-template.ts'
import { hasExpression, isReference } from '../synthesized/terraform-references.ts'

/** A text as it will be in the service; undefined if Terraform evaluates a part of it. */
export function knownText(text: unknown): string | undefined {
  if (typeof text !== 'string' || hasExpression(withoutGuard(text))) return undefined
  return textOfLiteral(text)
}

/** The tags of a resource; undefined for each tag that is known only at plan time. */
export function knownTags(tags: unknown): readonly (string | undefined)[] {
  if (tags === undefined || tags === null) return []
  return Array.isArray(tags) && !isReference(tags) ? tags.map(knownText) : [undefined]
}
