import type { Value } from '../../hcl/values.ts'

/** Whether it is a text of the form that `mock_provider` makes up in a `terraform test` for each computed text. */
export function looksMadeUp(value: Value): boolean {
  return typeof value === 'string' && (ofTerraform.test(value) || ofOpenTofu.test(value))
}

/** Terraform makes up eight small letters and digits. */
const ofTerraform = /^[a-z0-9]{8}$/

/**
 * OpenTofu makes up 4 to 15 letters and digits. Those that are small letters alone, or digits alone, are more often a name
 * or a number that somebody wrote, and are told of at once.
 */
const ofOpenTofu = /^(?![a-z]+$|\d+$)[A-Za-z0-9]{4,15}$/
