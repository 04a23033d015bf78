export const off = { active: false }
export const flag = 'vexil_feature_flag'

/** A module as files in the folder of the stack. */
export function files(modules: Readonly<Record<string, object>>): { readonly files: Record<string, string> } {
  const written = Object.entries(modules).map(([name, json]) => [
    `modules/${name}/main.tf.json`,
    JSON.stringify(json),
  ])
  return { files: Object.fromEntries(written) }
}

/** One flag, by the key that the module is given. */
export const oneFlag = {
  variable: { key: { type: 'string' }, share: { type: 'number', default: 5 } },
  resource: {
    [flag]: { it: { key: '${var.key}', release: [{ rollout_percentage: '${var.share}' }] } },
  },
  output: { id: { value: `\${${flag}.it.id}` }, key: { value: `\${${flag}.it.key}` } },
}

export const released = (share: number) => ({ filters: { groups: [{ rollout_percentage: share }] } })
