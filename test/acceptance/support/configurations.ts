/** A flag that is given to a share of everybody. */
export function flag(key: string, more = '', percent = 10): string {
  return `resource "vexil_feature_flag" "${key}" {
  key     = "${key}"
  active  = true
  release = [{ rollout_percentage = ${percent} }]
  ${more}
}
`
}

/** One whose filters are JSON. */
export function jsonFlag(key: string, filters: string, more = ''): string {
  return `resource "vexil_feature_flag" "${key}" {
  key     = "${key}"
  active  = true
  filters = ${filters}
  ${more}
}
`
}

export const supportRole = '01900000-0000-0000-0000-0000000000aa'
export const growthRole = '01900000-0000-0000-0000-0000000000bb'
